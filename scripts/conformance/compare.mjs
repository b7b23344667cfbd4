// Comparing a result with what a file expects.

/**
 * @typedef {{ relative: number, absolute: number }} Bound  |a - b| ≤ absolute + relative·|b|
 */

/** Bounds of a golden file: `tolerance` and 5e-6, each on |a - b| / (1 + |b|); 0 means equal. */
export function goldenBounds(tolerance, exception) {
  const bound = (value) => ({ relative: value, absolute: value });
  return exception === undefined ? [bound(tolerance), bound(Math.min(5e-6, tolerance))] : [bound(exception)];
}

/** The bound of a file with rtol and atol. */
export function relativeBound({ rtol, atol }) {
  return { relative: rtol, absolute: atol };
}

/**
 * Compares numbers. An infinity must be the same infinity, and NaN is never right.
 * @param {ArrayLike<number>} got
 * @param {ArrayLike<number>} want
 * @param {Bound[]} bounds all of them hold
 * @param {(index: number) => boolean} [where] which elements count; default all
 * @returns {string | undefined} what is wrong, if anything
 */
export function difference(got, want, bounds, where = () => true) {
  if (got.length !== want.length) return `${got.length} numbers, expected ${want.length}`;
  let worst = 0;
  let place = -1;
  for (let i = 0; i < want.length; i++) {
    if (!where(i)) continue;
    const excess = excessOf(Number(got[i]), Number(want[i]), bounds);
    if (excess > worst) [worst, place] = [excess, i];
  }
  if (worst <= 1) return undefined;
  const [a, b] = [Number(got[place]), Number(want[place])];
  const tolerance = Math.min(...bounds.map(({ relative, absolute }) => absolute + relative * Math.abs(b)));
  const [error, allowed] = [Math.abs(a - b), tolerance].map((value) => value.toExponential(2));
  return `element ${place} is ${a}, expected ${b}: error ${error}, tolerance ${allowed}`;
}

/** Error as a multiple of what is allowed. */
function excessOf(a, b, bounds) {
  if (Object.is(a, b) || a === b) return 0;
  if (!Number.isFinite(a) || !Number.isFinite(b)) return Infinity;
  const error = Math.abs(a - b);
  return Math.max(...bounds.map(({ relative, absolute }) => error / (absolute + relative * Math.abs(b))));
}

/** Text where shapes differ. */
export function shapeDifference(got, want) {
  const same = got.length === want.length && want.every((extent, axis) => got[axis] === extent);
  return same ? undefined : `shape [${[...got]}], expected [${want}]`;
}
