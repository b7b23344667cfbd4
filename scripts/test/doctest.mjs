// The C++ tests: one doctest program, built and run natively and in Node on each wasm variant.
import path from 'node:path';
import { cmakeBuild } from '../build/wasm.mjs';
import { build } from '../lib/paths.mjs';
import { attempt } from '../lib/run.mjs';
import { nodeFlags } from '../lib/node-flags.mjs';

/** Builds the program of a preset, and of a variant of `wasm`, runs it, and gives its counts. */
export async function runDoctest(preset, emscripten, variant) {
  const program = variant ? `posenc_tests_${variant}` : 'posenc_tests';
  await cmakeBuild(preset, [program], emscripten);
  const file = path.join(build, preset, program);
  const start = (...options) => variant
    ? attempt(process.execPath, [...nodeFlags(variant), `${file}.js`, '--no-colors', ...options])
    : attempt(file, ['--no-colors', ...options]);
  const total = Number((await start('--count')).output.match(/current filters: *(\d+)/)?.[1]);
  return total > 0 ? runShares(total, start) : start();
}

const workers = 2, shares = 8;

// The test cases by their numbers, some to each process, as many processes at a time as there are workers.
async function runShares(total, start) {
  const ends = Array.from({ length: shares + 1 }, (_, i) => Math.round((i * total) / shares));
  const waiting = ends.slice(1).map((last, i) => [`--first=${ends[i] + 1}`, `--last=${last}`]);
  const outputs = [];
  let failed = 0;
  await Promise.all(Array.from({ length: workers }, async () => {
    for (let share = waiting.shift(); share; share = waiting.shift()) {
      const { code, output } = await start(...share);
      // It counts as passed what its share leaves out too, so only what failed is taken from it.
      const found = output.match(/\[doctest\] test cases: *\d+ *\| *\d+ passed *\| *(\d+) failed/);
      if (code === 0 && found) continue;
      outputs.push(output);
      failed += Math.max(1, Number(found?.[1] ?? 0)); // one that ended before it had counted is one that failed
    }
  }));
  return { code: failed > 0 ? 1 : 0, output: outputs.join('\n'), passed: total - failed, failed };
}
