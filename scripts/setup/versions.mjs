// The versions that the project is built with, in one place for set-up and its messages.

export const emscripten = '3.1.69'; // the oldest that will do; what counts is the trial link
export const xsimd = '13.2.0'; // the first with WebAssembly and emulated batches
export const doctest = '2.4.11';
export const cmake = '3.25.0';
export const clang = 19; // for fuzzing; CMakePresets.json names it too
export const node = 20;

/** Is version `a` at least `b`? Both are numbers with dots. */
export function atLeast(a, b) {
  const [left, right] = [a, b].map((text) => String(text).split('.').map(Number));
  for (let i = 0; i < right.length; i++) {
    if ((left[i] ?? 0) !== right[i]) return (left[i] ?? 0) > right[i];
  }
  return true;
}
