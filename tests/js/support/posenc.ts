// One instance for a test file, of the build that POSENC_VARIANT names.
import { type Posenc, PosencError, type Variant, load } from 'posenc';

export const variant = process.env['POSENC_VARIANT'] as Variant | undefined;

export const loadPosenc = (): Promise<Posenc> => load(variant === undefined ? {} : { simd: variant });

/** The PosencError that a call throws; fails where it throws none, or something else. */
export function errorOf(call: () => unknown): PosencError {
  try {
    call();
  } catch (error) {
    if (error instanceof PosencError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

/** Numbers that are the same in every run, in [-1, 1): no two alike. */
export function numbers(count: number, seed = 1): Float32Array {
  let state = seed;
  return Float32Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return state / 2 ** 31;
  });
}

/** A tensor of such numbers. */
export function random(shape: readonly number[], seed = 1): { data: Float32Array; shape: readonly number[] } {
  return { data: numbers(shape.reduce((a, b) => a * b, 1), seed), shape };
}

/** Largest |a - b|; NaN where the lengths differ or one is not a number. */
export function largestDifference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  if (a.length !== b.length) return NaN;
  let largest = 0;
  for (let i = 0; i < a.length; i++) {
    const difference = a[i] === b[i] ? 0 : Math.abs((a[i] ?? NaN) - (b[i] ?? NaN));
    if (!(difference <= largest)) largest = difference;
  }
  return largest;
}
