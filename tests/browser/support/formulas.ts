// The papers' formulas, written anew for the tests of the site: nothing here comes from the library.

/** PE(p, 2i) = sin(p / base^(2i/d)), PE(p, 2i + 1) = cos of the same; [length, dim]. */
export function sinusoidal(length: number, dim: number, base = 10000): number[] {
  return Array.from({ length: length * dim }, (_, index) => {
    const position = Math.floor(index / dim);
    const channel = index % dim;
    const angle = position / base ** ((2 * Math.floor(channel / 2)) / dim);
    return channel % 2 === 0 ? Math.sin(angle) : Math.cos(angle);
  });
}

/** Angle of pair m at position p: p · base^(-2m/d). */
export function ropeAngle(position: number, pair: number, dim: number, base = 10000): number {
  return position * base ** ((-2 * pair) / dim);
}

/** Slope of head h of H, a power of two: 2^(-8 (h + 1) / H). */
export function alibiSlope(head: number, heads: number): number {
  return 2 ** ((-8 * (head + 1)) / heads);
}

/** Softmax of a list of scores. */
export function softmax(scores: readonly number[]): number[] {
  const largest = Math.max(...scores);
  const powers = scores.map((score) => Math.exp(score - largest));
  const sum = powers.reduce((total, power) => total + power, 0);
  return powers.map((power) => power / sum);
}

/** Weights [length, length] of a head from its scores; keys after the query are hidden where `causal`. */
export function attentionWeights(length: number, causal: boolean, score: (query: number, key: number) => number): number[] {
  return Array.from({ length }, (_, query) => {
    const seen = causal ? query + 1 : length;
    const weights = softmax(Array.from({ length: seen }, (_unused, key) => score(query, key)));
    return [...weights, ...Array.from({ length: length - seen }, () => 0)];
  }).flat();
}

/** The largest difference between two lists of the same length. */
export function largestDifference(actual: readonly number[], expected: readonly number[]): number {
  if (actual.length !== expected.length) return Infinity;
  return actual.reduce((largest, value, i) => {
    const difference = Math.abs(value - expected[i]!);
    return difference > largest || Number.isNaN(difference) ? difference : largest;
  }, 0);
}
