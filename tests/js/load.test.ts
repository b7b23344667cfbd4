// All the ways to load, and what loading does not do.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { type WasmSource, load } from 'posenc';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import { variant } from './support/posenc.js';

const dist = fileURLToPath(new URL('../../dist/', import.meta.url));
const build = variant ?? 'simd';
const file = join(dist, `posenc-${build}.wasm`);
const bytes = readFileSync(file);

const server = createServer((request, response) => {
  if (request.url === '/missing.wasm') response.writeHead(404).end('no');
  else response.writeHead(200, { 'content-type': request.url === '/plain.wasm' ? 'text/plain' : 'application/wasm' }).end(bytes);
});
let origin = '';
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

const works = async (wasm: WasmSource): Promise<void> => {
  const posenc = await load({ wasm });
  expect(posenc.variant).toBe(build);
  expect(posenc.sinusoidal({ dim: 2 }).encode(1).toArray()).toEqual([[0, 1]]);
};

test.each<[string, () => WasmSource | Promise<WasmSource>]>([
  ['bytes in an ArrayBuffer', () => bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer],
  ['bytes in a view', () => Uint8Array.from(bytes)],
  ['a compiled module', () => WebAssembly.compile(Uint8Array.from(bytes))],
  ['the URL of a file', () => pathToFileURL(file)],
  ['that as text', () => pathToFileURL(file).href],
  ['a path', () => file],
  ['the URL of a server', () => new URL('/posenc.wasm', origin)],
  ['that as text', () => `${origin}/posenc.wasm`],
  ['a server that names another type', () => `${origin}/plain.wasm`],
  ['a response', () => fetch(`${origin}/posenc.wasm`)],
  ['a response of another type', () => fetch(`${origin}/plain.wasm`)],
  ['a response that nobody sent', () => new Response(Uint8Array.from(bytes))],
])('loads from %s', async (_, source) => works(await source()));

test.each<[string, () => object | Promise<object>, string, string]>([
  ['an unknown option', () => ({ path: '/x' }), 'unknownOption', 'path'],
  ['a build that is none', () => ({ simd: 'avx' }), 'outOfRange', 'simd'],
  ['a build that is no text', () => ({ simd: true }), 'invalidType', 'simd'],
  ['a file that is not there', () => ({ wasm: join(dist, 'nothing.wasm') }), 'loadFailed', 'wasm'],
  ['a server that has it not', () => ({ wasm: `${origin}/missing.wasm` }), 'loadFailed', 'wasm'],
  ['a server that is not there', () => ({ wasm: 'http://127.0.0.1:1/posenc.wasm' }), 'loadFailed', 'wasm'],
  ['bytes that are no module', () => ({ wasm: new Uint8Array([1, 2, 3]) }), 'loadFailed', 'wasm'],
  ['something that is no source', () => ({ wasm: { url: 'x' } }), 'loadFailed', 'wasm'],
  ['another module', async () => ({ wasm: await WebAssembly.compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])) }), 'loadFailed', 'wasm'],
  ['another build than asked for', () => ({ wasm: file, simd: build === 'scalar' ? 'simd' : 'scalar' }), 'loadFailed', 'wasm'],
])('refuses %s', async (_, options, code, parameter) => {
  await expect(load((await options()) as object)).rejects.toMatchObject({ name: 'PosencError', code, parameter });
});

// A module of one function with a relaxed SIMD instruction: () → v128, relaxed_madd of three zeros.
const relaxedSimd = WebAssembly.validate(
  Uint8Array.from([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 19, 1, 17, 0, 65, 0, 253, 15, 65, 0, 253, 15, 65, 0, 253, 15, 253, 133, 2, 11]),
);

test('auto takes the fastest build that the engine runs; one that it does not run is refused', async () => {
  expect((await load()).variant).toBe(relaxedSimd ? 'relaxed' : 'simd');
  expect((await load({ simd: 'scalar' })).variant).toBe('scalar');
  const relaxed = load({ simd: 'relaxed' });
  if (relaxedSimd) expect((await relaxed).variant).toBe('relaxed');
  else await expect(relaxed).rejects.toMatchObject({ code: 'unsupported', parameter: 'simd' });
});

test('two instances do not share anything', async () => {
  const [one, two] = [await load(), await load()];
  const tensor = one.tensor([1000]);
  expect(one.memory().tensors).toBe(1);
  expect(two.memory().tensors).toBe(0);
  tensor.dispose();
});

test('nothing is printed', async () => {
  const spies = (['log', 'info', 'warn', 'error', 'debug'] as const).map((name) => vi.spyOn(console, name));
  const streams = [vi.spyOn(process.stdout, 'write'), vi.spyOn(process.stderr, 'write')];
  const posenc = await load();
  try {
    posenc.tensor([2 ** 31 - 1]);
  } catch {
    // Out of memory is an error, and no message.
  }
  await load({ wasm: new Uint8Array(3) }).catch(() => undefined);
  for (const spy of [...spies, ...streams]) {
    expect(spy).not.toHaveBeenCalled();
    spy.mockRestore();
  }
});

const node = (code: string, ...flags: string[]): string =>
  execFileSync(process.execPath, [...flags, '--input-type=module', '-e', code], { encoding: 'utf8', cwd: tmpdir() }).trim();

// As a file: workers take over the flags of a process, and cannot have --input-type.
function nodeWithPool(code: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'posenc-pool-'));
  try {
    writeFileSync(join(folder, 'main.mjs'), code);
    const flags = process.execArgv.filter((flag) => flag.startsWith('--experimental-wasm'));
    return execFileSync(process.execPath, [...flags, join(folder, 'main.mjs')], { encoding: 'utf8' }).trim();
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('importing touches nothing: it works without WebAssembly, fetch and URL', () => {
  const code = `
    const url = new URL(${JSON.stringify(pathToFileURL(join(dist, 'index.js')).href)});
    for (const name of ['WebAssembly', 'fetch', 'URL', 'Response', 'TextDecoder', 'FinalizationRegistry']) delete globalThis[name];
    const before = Object.keys(globalThis).length;
    const { load } = await import(url);
    const error = await load().catch((reason) => reason);
    console.log(error.code, Object.keys(globalThis).length - before);`;
  expect(node(code)).toBe('loadFailed 0');
});

test('loads where code may not be made from text, from another folder, with a space in the path', () => {
  const folder = mkdtempSync(join(tmpdir(), 'posenc dist '));
  try {
    cpSync(dist, folder, { recursive: true });
    const url = pathToFileURL(join(folder, 'node.js')).href;
    const code = `
      const { load } = await import(${JSON.stringify(url)});
      const posenc = await load();
      console.log(posenc.sinusoidal({ dim: 2 }).encode(2).shape.join());`;
    expect(node(code, '--disallow-code-generation-from-strings')).toBe('2,2');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('Node.js loads no module of its own that only a pool needs', () => {
  const code = `
    const { load } = await import(${JSON.stringify(pathToFileURL(join(dist, 'node.js')).href)});
    const posenc = await load();
    posenc.sinusoidal({ dim: 2 }).encode(1);
    const has = () => process.moduleLoadList.includes('NativeModule worker_threads');
    const before = has();
    const pool = posenc.pool({ workers: 1 });
    const x = { data: new Float32Array(8), shape: [1, 2, 4] };
    await pool.forward(posenc.attention({ heads: 1, headDim: 4 }), x, x, x);
    pool.dispose();
    console.log(before, has());`;
  expect(nodeWithPool(code)).toBe('false true');
});

test('loads where Node.js has no process.getBuiltinModule: before 20.16', () => {
  const code = `
    delete process.getBuiltinModule;
    const { load } = await import(${JSON.stringify(pathToFileURL(join(dist, 'node.js')).href)});
    const posenc = await load({ wasm: ${JSON.stringify(file)} });
    const pool = posenc.pool();
    const x = { data: new Float32Array(8).fill(1), shape: [1, 2, 4] };
    const { data } = await pool.forward(posenc.attention({ heads: 1, headDim: 4 }), x, x, x);
    pool.dispose();
    console.log(posenc.variant, data.join());`;
  expect(nodeWithPool(code)).toBe(`${build} 1,1,1,1,1,1,1,1`);
});
