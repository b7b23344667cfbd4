// All suites, in the order in which they run: { name, group, about, run }. A run gives what its runner printed, its
// exit status `code`, and the counts { passed, failed, skipped } that it stated itself.
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { cmakeBuild, variants } from '../build/wasm.mjs';
import { at, build } from '../lib/paths.mjs';
import { attempt } from '../lib/run.mjs';
import { fuzz } from '../fuzz/index.mjs';
import { runDoctest } from './doctest.mjs';
import { runVitest } from './vitest.mjs';

export const groups = ['native', 'fuzz', 'wasm', 'generated', 'js', 'package', 'browser', 'heavy'];
/** Groups that run only when they are asked for. */
export const long = ['heavy'];

export function suites(emscripten) {
  const native = (preset) => ({ name: `C++ ${preset}`, group: 'native', about: '3 min to build', run: () => runDoctest(preset, emscripten) });
  const wasm = (variant) => ({ name: `C++ wasm ${variant}`, group: 'wasm', about: '3 min to build the first', run: () => runDoctest('wasm', emscripten, variant) });
  const vitest = (group, folder, name, about, env) => ({ name, group, about, run: () => runVitest(folder, env) });
  const javascript = (variant) => ({
    ...vitest('js', 'tests/js', `JavaScript ${variant}`, '90 s'),
    run: () => buildManifests(emscripten).then(() => runVitest('tests/js', { POSENC_VARIANT: variant })),
  });
  return [
    native('native-debug'),
    native('native-release'),
    { name: 'Fuzzing', group: 'fuzz', about: '1 min', run: () => fuzz({ seconds: 10 }) },
    ...variants.map((variant) => wasm(variant)),
    { name: 'Generated files', group: 'generated', about: '1 min to build', run: () => checkGenerated(emscripten) },
    ...variants.map((variant) => javascript(variant)),
    vitest('package', 'tests/package', 'Package', '1 min'),
    vitest('browser', 'tests/browser', 'Browser', '8 min'),
    vitest('heavy', 'tests/heavy', 'Other runtimes and frameworks', '5 min'),
  ].filter(({ group }) => hasTests(group));
}

// A folder without a test file yet is no suite, rather than a failing one.
function hasTests(group) {
  if (!['js', 'package', 'browser', 'heavy'].includes(group)) return true;
  const folder = at('tests', group);
  return existsSync(folder) && readdirSync(folder, { recursive: true }).some((file) => file.endsWith('.test.ts'));
}

// The programs that print the manifest, and the one with one encoding more that tests in JavaScript read.
async function buildManifests(emscripten) {
  const hasFixture = existsSync(at('tests/fixtures/fixture_encoding.hpp'));
  await cmakeBuild('wasm', ['posenc_manifest', ...(hasFixture ? ['posenc_manifest_fixture'] : [])], emscripten);
}

// Are the committed generated files what the C++ descriptions give?
async function checkGenerated(emscripten) {
  await buildManifests(emscripten);
  const { code, output } = await attempt(process.execPath, [at('scripts/generate/generate.mjs'), '--check',
    '--program', path.join(build, 'wasm/posenc_manifest.js')]);
  return { code, output, passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 };
}
