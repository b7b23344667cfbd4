// Round numbers for axes.

/** At most `most` round numbers in [low, high], a multiple of 1, 2 or 5 times a power of ten apart. */
export function linearTicks(low: number, high: number, most: number, wholeOnly = false): number[] {
  const span = high - low;
  if (!(span > 0)) return [low];
  const least = span / most;
  const power = 10 ** Math.floor(Math.log10(least));
  let step = [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= least * (1 - 1e-9));
  step ??= 10 * power;
  if (wholeOnly) step = Math.max(1, Math.round(step));
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, i) => (first + i) * step);
}

/** Powers of ten in [low, high], thinned to at most `most`; low and high themselves where none lies between. */
export function logTicks(low: number, high: number, most: number): number[] {
  const first = Math.ceil(Math.log10(low) - 1e-9);
  const last = Math.floor(Math.log10(high) + 1e-9);
  if (last < first) return [low, high];
  const step = Math.max(1, Math.ceil((last - first + 1) / most));
  const ticks: number[] = [];
  for (let power = first; power <= last; power += step) ticks.push(10 ** power);
  return ticks;
}
