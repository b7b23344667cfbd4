// The three WebAssembly variants and the glue that they share.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { run } from '../lib/run.mjs';
import { step, Stop } from '../lib/log.mjs';
import { at, build, dist } from '../lib/paths.mjs';
import { filesUnder, fingerprint, once, writeWhole } from '../lib/stamp.mjs';
import { inlineWasm } from './inline.mjs';
import { orderFunctions } from './order.mjs';
import { identity } from '../setup/trial.mjs';

export const variants = ['simd', 'relaxed', 'scalar'];
export const glue = at('bindings/js/glue.mjs');
const inlined = at('bindings/js/inline/wasm.mjs');
const wasmOf = (variant) => path.join(dist, `posenc-${variant}.wasm`);
const linked = (variant, end) => path.join(build, `wasm/${variant}/posenc_module${end}`);

/** Makes dist/posenc-VARIANT.wasm, bindings/js/glue.mjs and bindings/js/inline/wasm.mjs. */
export async function buildWasm({ emcc }) {
  // Not all of scripts/build: how the package or the site is bundled changes no module.
  const scripts = ['glue', 'inline', 'order', 'wasm'].map((name) => `scripts/build/${name}.mjs`);
  const files = filesUnder('cpp/posenc', 'bindings/cpp', 'cmake', 'CMakeLists.txt', 'CMakePresets.json', ...scripts, 'scripts/lib/wasm-code.mjs');
  const key = fingerprint({ files, texts: [identity(emcc)] });
  await once('wasm', key, [glue, inlined, ...variants.map(wasmOf)], async () => {
    const { trimGlue } = await import('./glue.mjs'); // needs esbuild, which set-up may just have installed
    step('Building WebAssembly: simd, relaxed, scalar', '4 min the first time');
    await cmakeBuild('wasm', variants.map((variant) => `posenc_module_${variant}`), { emcc });

    mkdirSync(dist, { recursive: true });
    const modules = variants.map((variant) => ({ wasm: readFileSync(linked(variant, '.wasm')), symbols: readFileSync(linked(variant, '.mjs.symbols'), 'utf8') }));
    orderFunctions(modules).forEach((wasm, index) => writeWhole(wasmOf(variants[index]), wasm));
    writeWhole(glue, await trimGlue(sharedGlue()));
    writeWhole(inlined, inlineWasm(wasmOf('simd'), wasmOf('scalar')));
  });
}

/** Configures a preset where needed and builds targets of it. */
export async function cmakeBuild(preset, targets, { emcc } = {}) {
  const folder = path.join(build, preset);
  const compiler = preset === 'wasm' ? identity(emcc) : '';
  // Objects of another compiler would be linked with the new one's: then the folder starts afresh.
  const record = path.join(folder, 'compiler.txt');
  if (existsSync(folder) && existsSync(record) && readFileSync(record, 'utf8') !== compiler) rmSync(folder, { recursive: true });
  if (!existsSync(path.join(folder, 'build.ninja'))) await run('cmake', ['--preset', preset]);
  writeWhole(record, compiler);
  await run('cmake', ['--build', '--preset', preset, '--parallel', String(availableParallelism()), '--target', ...targets]);
}

// The package has one glue for all variants, so theirs must be the same to the byte.
function sharedGlue() {
  const [first, ...others] = variants.map((variant) => readFileSync(linked(variant, '.mjs'), 'utf8'));
  if (others.some((other) => other !== first)) {
    throw new Stop('The glues of the variants differ: compare build/wasm/*/posenc_module.mjs. Do the bindings depend on the variant?');
  }
  return first;
}
