// One variant's cases, in a process of its own: prints a line of JSON for each.
import { at } from '../lib/paths.mjs';
import { timeInTurns } from './timing.mjs';
import { allCases } from './cases/index.mjs';
import { loadRivals } from './ort.mjs';

const { variant, only, budget } = JSON.parse(process.argv[2]);
const { load } = await import(at('dist/node.js'));
const rivals = await loadRivals();

async function measure({ name, prepare }) {
  const posenc = await load({ simd: variant }); // anew, so that what a case leaves behind is gone with it
  const heap = (shape, data) => posenc.tensor(shape, data);
  const { runs, error, tolerance, marks } = await prepare({ posenc, heap, rivals, variant });
  for (const run of Object.values(runs)) await run();
  const off = error?.();
  const times = await timeInTurns(runs, { budget });
  // On a quiet machine both agree; on a busy one the fastest samples are the true ones.
  return { name, times, error: off, tolerance, marks: marks((run) => times[run].least), medians: marks((run) => times[run].median).map(({ value }) => value) };
}

for (const one of allCases.filter(({ name }) => only.length === 0 || only.some((part) => name.includes(part)))) {
  let result;
  try {
    result = await measure(one);
  } catch (error) {
    result = { name: one.name, failed: error?.stack ?? String(error), marks: [] };
  }
  process.stdout.write(`${JSON.stringify(result)}\n`);
}
process.exit(0);
