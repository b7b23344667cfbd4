// Numbers as text, always with a true minus sign and of even width where digits allow it.

const minus = '\u2212';

/** A value to four significant digits, whole numbers whole: 0.8415, −12.50, 3.10e−7, 131072. */
export function formatValue(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '\u221e' : `${minus}\u221e`;
  const size = Math.abs(value);
  let text: string;
  if (size === 0) text = '0';
  else if (Number.isInteger(size) && size < 1e7) text = String(size);
  else if (size >= 1e7 || size < 1e-3) text = size.toExponential(2).replace('e-', `e${minus}`).replace('e+', 'e');
  else text = size >= 1000 ? String(Math.round(size)) : size.toPrecision(4);
  return value < 0 ? minus + text : text;
}

/** A tick's label: as short as it can be. */
export function formatTick(value: number): string {
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e5 || size < 1e-4)) {
    return value.toExponential().replace(/e\+?(-?)/, (_, sign: string) => `e${sign ? minus : ''}`).replace('-', minus);
  }
  return String(Number(value.toPrecision(6))).replace('-', minus);
}

/** A value beside a picture, where no digits have to line up: 0.5, 1.153, −1. */
export const formatRound = (value: number): string => (Number.isFinite(value) ? formatTick(Number(value.toPrecision(4))) : formatValue(value));

/** A count with its noun: "1 parameter", "1,024 parameters". */
export function formatCount(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}

/** "12.3 µs" */
export function formatDuration(nanoseconds: number): string {
  const units: readonly (readonly [number, string])[] = [[1e9, 's'], [1e6, 'ms'], [1e3, '\u00b5s'], [1, 'ns']];
  const [size, unit] = units.find(([limit]) => nanoseconds >= limit) ?? [1, 'ns'];
  const value = nanoseconds / size;
  return `${value >= 100 ? value.toFixed(0) : value.toPrecision(3)} ${unit}`;
}
