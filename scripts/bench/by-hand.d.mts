// The loops that the site's benchmark uses too.
export function random(count: number, seed: number): Float32Array<ArrayBuffer>;
export function sinusoidal(count: number, width: number, out: Float32Array, stride?: number): void;
export function turnPairs(
  x: Float32Array, cos: Float32Array, sin: Float32Array,
  size: { heads: number; length: number; width: number; isHalf: boolean }, out: Float32Array,
): void;
export function fillBias(heads: number, count: number, value: (head: number, distance: number) => number, out: Float32Array): void;
export function attendFloat(
  q: Float32Array, k: Float32Array, v: Float32Array, bias: Float32Array | undefined,
  size: { heads: number; count: number; width: number }, out: Float32Array,
): void;
export function digits(count: number, places: number, radix: number, width: number, table: Float32Array, out: Float32Array): void;
export function lowRank(coefficients: Float32Array, basis: Float32Array, count: number, rank: number, width: number, out: Float32Array): void;
