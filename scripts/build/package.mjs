// The npm package: JavaScript and declarations in dist/, beside the .wasm files.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { run } from '../lib/run.mjs';
import { step, Stop } from '../lib/log.mjs';
import { at, build, dist } from '../lib/paths.mjs';
import { filesUnder, fingerprint, once } from '../lib/stamp.mjs';

/** Bundles bindings/js into dist/. */
export async function buildPackage() {
  const files = filesUnder('bindings/js', 'package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.package.json', 'scripts/build/package.mjs');
  const outputs = entries().flatMap((name) => [path.join(dist, `${name}.js`)]);
  outputs.push(...typed().map((name) => path.join(dist, `types/${name}.d.ts`)));
  await once('package', fingerprint({ files }), outputs, async () => {
    step('Building the npm package (dist/)', '10 s');
    for (const file of existsSync(dist) ? readdirSync(dist) : []) {
      if (!file.endsWith('.wasm')) rmSync(path.join(dist, file), { recursive: true });
    }
    await Promise.all([bundle(), declare()]);
  });
}

// The entries are what package.json exports: ./dist/NAME.js is made from bindings/js/NAME.ts.
const entries = () => exported(/^\.\/dist\/([\w-]+)\.js$/);
// And those with declarations of their own: a host's entry has those of the other.
const typed = () => exported(/^\.\/dist\/types\/([\w-]+)\.d\.ts$/);

function exported(pattern) {
  const targets = Object.values(JSON.parse(readFileSync(at('package.json'), 'utf8')).exports)
    .flatMap((target) => (typeof target === 'string' ? [target] : Object.values(target)));
  const names = targets.map((target) => target.match(pattern)?.[1]).filter(Boolean);
  return [...new Set(names)].filter((name) => existsSync(at(`bindings/js/${name}.ts`)));
}

// Declarations: one file per entry and one for what entries share, rather than one per source file.
async function declare() {
  const apart = path.join(build, 'types');
  rmSync(apart, { recursive: true, force: true });
  await run('node', [at('node_modules/typescript/bin/tsc'), '-p', 'tsconfig.package.json']);
  const [{ rollup }, { dts }] = await Promise.all([import('rollup'), import('rollup-plugin-dts')]);
  const bundle = await rollup({
    input: Object.fromEntries(typed().map((name) => [name, path.join(apart, `${name}.d.ts`)])),
    plugins: [dts()],
    onwarn: (warning) => { throw new Stop(warning.message); },
  });
  await bundle.write({
    dir: path.join(dist, 'types'),
    entryFileNames: '[name].d.ts',
    chunkFileNames: 'shared-[hash].d.ts',
    // The bundler leaves references out.
    plugins: [{ name: 'reference', renderChunk: (code) => (/\bDisposable\b/.test(code) ? `${reference}${code}` : null) }],
  });
  await bundle.close();
}

const reference = '/// <reference lib="esnext.disposable" />\n';

async function bundle() {
  const { build: esbuild } = await import('esbuild');
  await esbuild({
    entryPoints: entries().map((name) => at(`bindings/js/${name}.ts`)),
    outdir: dist,
    bundle: true,
    format: 'esm',
    target: 'es2022',
    minify: true,
    lineLimit: 1200, // Node.js prints the line that an error came from
    legalComments: 'none',
    platform: 'neutral',
    external: ['node:*'], // the entry for Node alone imports these
    // What entries share is split off, so that an application which takes two has it, and its classes, once. Chunks
    // lie beside the entries, where the loader looks for the .wasm files.
    splitting: true,
    chunkNames: 'chunk-[hash]',
    logLevel: 'warning',
  });
}
