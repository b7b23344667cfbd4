// What a case has to reach. A mark of 0 or Infinity is no demand: the number is shown for its aim or for itself.

/** A ratio that has to be that large; `aim` is what would be better still. */
export const atLeast = (text, value, bound, aim) => ({ text, value, bound, aim, sign: '≥', isMet: value >= bound });
/** A ratio, or a time, that must not be larger. */
export const atMost = (text, value, bound, aim) => ({ text, value, bound, aim, sign: '≤', isMet: value <= bound });
/** A number that is only shown. */
export const shown = (text, value) => ({ text, value, bound: undefined, aim: undefined, sign: '', isMet: true });

export function largestDifference(a, b) {
  let most = a.length === b.length ? 0 : Infinity;
  for (let i = 0; i < a.length; i++) {
    const difference = Math.abs(a[i] - b[i]);
    if (!(difference <= most)) most = difference; // NaN too
  }
  return most;
}
