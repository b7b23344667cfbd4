// The C++ tests: one doctest program, built and run natively and in Node on each wasm variant.
import path from 'node:path';
import { cmakeBuild } from '../build/wasm.mjs';
import { build } from '../lib/paths.mjs';
import { attempt } from '../lib/run.mjs';
import { nodeFlags } from '../lib/node-flags.mjs';

/** Builds posenc_tests of a preset, runs it, and gives its counts. */
export async function runDoctest(preset, emscripten) {
  await cmakeBuild(preset, ['posenc_tests'], emscripten);
  const program = path.join(build, preset, 'posenc_tests');
  const variant = preset.match(/^wasm-(\w+)/)?.[1];
  const { code, output } = variant
    ? await attempt(process.execPath, [...nodeFlags(variant), `${program}.js`, '--no-colors'])
    : await attempt(program, ['--no-colors']);
  return { code, output, ...counts(output) };
}

// [doctest] test cases:  12 |  11 passed | 1 failed | 0 skipped
function counts(output) {
  const found = output.match(/\[doctest\] test cases: *\d+ *\| *(\d+) passed *\| *(\d+) failed *\| *(\d+) skipped/);
  return found && { passed: Number(found[1]), failed: Number(found[2]), skipped: Number(found[3]) };
}
