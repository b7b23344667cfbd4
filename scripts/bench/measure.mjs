// The chosen cases of one variant, one after the other, in Node or in a page.
import { timeInTurns } from './timing.mjs';
import { allCases } from './cases/index.mjs';

async function measure({ name, prepare }, { load, rivals, variant, budget }) {
  const posenc = await load({ simd: variant }); // anew, so that what a case leaves behind is gone with it
  const heap = (shape, data) => posenc.tensor(shape, data);
  const { runs, error, tolerance, marks } = await prepare({ posenc, heap, rivals, variant });
  for (const run of Object.values(runs)) await run();
  const off = error?.();
  const times = await timeInTurns(runs, { budget });
  // On a quiet machine both agree; on a busy one the fastest samples are the true ones.
  return { name, times, error: off, tolerance, marks: marks((run) => times[run].least), medians: marks((run) => times[run].median).map(({ value }) => value) };
}

/** Calls report(result) for each case whose name has one of the `only` in it, or for all. */
export async function measureCases({ only, ...bench }, report) {
  for (const one of allCases.filter(({ name }) => only.length === 0 || only.some((part) => name.includes(part)))) {
    try {
      await report(await measure(one, bench));
    } catch (error) {
      await report({ name: one.name, failed: error?.stack ?? String(error), marks: [] });
    }
  }
}
