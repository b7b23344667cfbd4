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
  const { code, output } = variant
    ? await attempt(process.execPath, [...nodeFlags(variant), `${file}.js`, '--no-colors'])
    : await attempt(file, ['--no-colors']);
  return { code, output, ...counts(output) };
}

// [doctest] test cases:  12 |  11 passed | 1 failed | 0 skipped
function counts(output) {
  const found = output.match(/\[doctest\] test cases: *\d+ *\| *(\d+) passed *\| *(\d+) failed *\| *(\d+) skipped/);
  return found && { passed: Number(found[1]), failed: Number(found[2]), skipped: Number(found[3]) };
}
