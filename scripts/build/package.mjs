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

// What loading takes is one file: each file more takes a millisecond of Node.js, and a page has to ask for it after it
// has read the entry. It lies beside the entries, where the loader looks for the .wasm files.
const main = ['exports', 'load', 'host-web'].map((name) => at(`bindings/js/${name}.ts`));

async function bundle() {
  const { rollup } = await import('rollup');
  const bundle = await rollup({
    input: Object.fromEntries(entries().map((name) => [name, at(`bindings/js/${name}.ts`)])),
    external: /^node:/, // the entries for Node alone import these
    plugins: [await sources()],
    onwarn: (warning) => { throw new Stop(warning.message); },
  });
  // What entries share is split off, so that an application which takes two has it, and its classes, once.
  await bundle.write({ dir: dist, entryFileNames: '[name].js', chunkFileNames: 'chunk-[name].js', manualChunks: { main } });
  await bundle.close();
}

/** Reads TypeScript, and writes it small. */
async function sources() {
  const { build: esbuild } = await import('esbuild');
  const options = { bundle: true, platform: 'neutral', format: 'esm', target: 'es2022', logLevel: 'warning', write: false };
  // A file by itself, but with the values of enumerations, which are types alone.
  const apart = { name: 'apart', setup: ({ onResolve }) => onResolve({ filter: /^\.|^node:/ }, ({ path: id }) => (
    id.endsWith('/names.js') ? null : { path: id, external: true })) };
  return {
    name: 'sources',
    resolveId(id, importer) {
      if (importer === undefined || id.startsWith('node:')) return null;
      const file = path.resolve(path.dirname(importer), id).replace(/\.js$/, '.ts');
      // Each entry for Node has its own copy of these, which are small and keep nothing: a file less to load.
      return /\/(host-node|coming)\.ts$/.test(file) ? `${file}?${path.basename(importer).split('?').at(-1)}` : file;
    },
    async load(id) {
      const { outputFiles } = await esbuild({ ...options, entryPoints: [id.replace(/\?.*/, '')], plugins: [apart] });
      return { code: outputFiles[0].text, map: null };
    },
    async renderChunk(contents) {
      // Node.js prints the line that an error came from, so lines end somewhere.
      const smaller = { minify: true, lineLimit: 1200, legalComments: 'none' };
      const { outputFiles } = await esbuild({ ...options, ...smaller, stdin: { contents }, external: ['*'] });
      return { code: outputFiles[0].text, map: null };
    },
  };
}
