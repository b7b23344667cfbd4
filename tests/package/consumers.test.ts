// The package in the projects of tests/package/consumers, each run as its tool runs it.
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { resultOf, resultOfFolder } from './support/chromium.js';
import { consumers, install, node, root } from './support/consumer.js';

beforeAll(install, 300_000);

const at = (...names: string[]) => path.join(consumers, ...names);
const tsc = path.join(root, 'node_modules/typescript/bin/tsc');

test('Node.js: all entries, from a folder with a space in its name', async () => {
  const folder = at('with a space');
  cpSync(at('node'), path.join(folder, 'node'), { recursive: true });
  cpSync(at('check.mjs'), path.join(folder, 'check.mjs'));
  expect(await node(['--no-warnings', path.join(folder, 'node/main.mjs')], root)).toMatch(/^posenc (relaxed|simd) simd scalar$/);
});

test.each(['node16', 'bundler', 'no-dom'])('TypeScript: tsconfig.%s.json, declarations checked too', async (name) => {
  expect(await node([tsc, '-p', `tsconfig.${name}.json`], at('typescript'))).toBe('');
});

// A bundle for the browser, run in Node: it has all that the inline entry needs.
async function runBundle(file: string): Promise<string> {
  return node(['--input-type=module', '-e', `await import(${JSON.stringify(pathToFileURL(file).href)}); console.log(await globalThis.result)`], consumers);
}

test.each(['esm', 'iife'] as const)('esbuild: one %s file with posenc/inline', async (format) => {
  const { build } = await import('esbuild');
  const outfile = at(`esbuild/out/${format}.mjs`);
  const { warnings } = await build({ entryPoints: [at('esbuild/main.mjs')], bundle: true, format, outfile, logLevel: 'silent', ...(format === 'iife' ? { supported: { 'import-meta': true } } : {}) });
  expect(warnings).toEqual([]);
  expect(await runBundle(outfile)).toBe('simd');
});

test('Rollup: one file with posenc/inline', async () => {
  const [{ rollup }, { nodeResolve }] = await Promise.all([import('rollup'), import('@rollup/plugin-node-resolve')]);
  const bundle = await rollup({ input: at('rollup/main.mjs'), plugins: [nodeResolve({ browser: true })], onwarn: (warning) => { throw new Error(warning.message); } });
  const { output } = await bundle.write({ file: at('rollup/out/main.mjs') });
  expect(output).toHaveLength(1);
  expect(await runBundle(at('rollup/out/main.mjs'))).toBe('simd');
});

test('Vite: a build without configuration, with a pool and a worker of its own', async () => {
  const { build } = await import('vite');
  await build({ root: at('vite'), configFile: false, logLevel: 'warn' });
  expect(await resultOfFolder(at('vite/dist'))).toEqual(['relaxed', 'relaxed']);
});

test('Vite: the development server, without configuration', async () => {
  const { createServer } = await import('vite');
  rmSync(at('vite/node_modules'), { recursive: true, force: true });
  const server = await createServer({ root: at('vite'), configFile: false, logLevel: 'error', server: { host: '127.0.0.1', fs: { strict: false } } });
  try {
    await server.listen();
    expect(await resultOf(server.resolvedUrls?.local[0] ?? '')).toEqual(['relaxed', 'relaxed']);
  } finally {
    await server.close();
  }
});

test('plain HTML, a worker, a worker of its own for the pool, and a service worker, under the strict policy', async () => {
  const folder = at('static');
  mkdirSync(folder, { recursive: true });
  cpSync(at('page'), folder, { recursive: true });
  cpSync(at('check.mjs'), path.join(folder, 'check.mjs'));
  cpSync(at('node_modules/posenc'), path.join(folder, 'node_modules/posenc'), { recursive: true });
  expect(await resultOfFolder(folder)).toEqual(['relaxed', 'simd', 'simd', 'relaxed', 'relaxed']);
});
