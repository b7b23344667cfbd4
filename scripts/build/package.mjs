// The npm package: JavaScript and declarations in dist/, beside the .wasm files.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { run } from '../lib/run.mjs';
import { step } from '../lib/log.mjs';
import { at, dist } from '../lib/paths.mjs';
import { filesUnder, fingerprint, once } from '../lib/stamp.mjs';

/** Bundles bindings/js into dist/. */
export async function buildPackage() {
  const files = filesUnder('bindings/js', 'package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.package.json', 'scripts/build/package.mjs');
  const outputs = entries().flatMap((name) => [path.join(dist, `${name}.js`), path.join(dist, `types/${name}.d.ts`)]);
  await once('package', fingerprint({ files }), outputs, async () => {
    step('Building the npm package (dist/)', '10 s');
    for (const file of existsSync(dist) ? readdirSync(dist) : []) {
      if (!file.endsWith('.wasm')) rmSync(path.join(dist, file), { recursive: true });
    }
    await Promise.all([bundle(), run('node', [at('node_modules/typescript/bin/tsc'), '-p', 'tsconfig.package.json'])]);
  });
}

// The entries are what package.json exports: ./dist/NAME.js is made from bindings/js/NAME.ts.
function entries() {
  const targets = Object.values(JSON.parse(readFileSync(at('package.json'), 'utf8')).exports)
    .flatMap((target) => (typeof target === 'string' ? [target] : Object.values(target)));
  const names = targets.map((target) => target.match(/^\.\/dist\/([\w-]+)\.js$/)?.[1]).filter(Boolean);
  return [...new Set(names)].filter((name) => existsSync(at(`bindings/js/${name}.ts`)));
}

async function bundle() {
  const { build } = await import('esbuild');
  await build({
    entryPoints: entries().map((name) => at(`bindings/js/${name}.ts`)),
    outdir: dist,
    bundle: true,
    format: 'esm',
    target: 'es2022',
    minify: true,
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
