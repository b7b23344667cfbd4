// Properties over values drawn at random. The seed is printed where one fails, and POSENC_SEED runs with it again;
// otherwise it is the same in every run, so that a test that passed passes.
import fc from 'fast-check';

const seed = Number(process.env['POSENC_SEED'] ?? 20);

/** Runs a property so many times; POSENC_RUNS multiplies that for a longer search. */
export function checked<Values>(property: fc.IProperty<Values>, runs: number): void {
  fc.assert(property, { seed, numRuns: runs * Number(process.env['POSENC_RUNS'] ?? 1), endOnFailure: false, verbose: 1 });
}
