// Tensors of other libraries in a page. Queries and keys that a session of onnxruntime-web made are rotated by posenc and by
// ONNX's own RotaryEmbedding, and go on into another session; posenc copies none of them: what it reads is the session's
// array, what it writes is an array that was given.
import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSite, packageFolder, type Site } from './support/site.js';

interface Description {
  opset: number;
  nodes: { type: string; inputs: string[]; outputs: string[]; attributes?: Record<string, number | number[]> }[];
  inputs: Record<string, number[]>;
  outputs: Record<string, number[]>;
  constants?: Record<string, { data: Float32Array; shape: number[] }>;
}
const rootOf = (name: string): string => fileURLToPath(new URL(`../../${name}`, import.meta.url));
const { model } = (await import(/* @vite-ignore */ `file://${rootOf('scripts/bench/onnx.mjs')}`)) as { model: (description: Description) => Uint8Array };

const [heads, seq, width, headDim, first, base] = [3, 7, 10, 16, 1000, 10000];
const rows = [1, heads, seq, headDim];

/** The rotations that are compared: ONNX's attributes and posenc's options. */
const rotations = [
  { name: 'half', attributes: {}, options: { headDim, layout: 'half' } },
  { name: 'interleaved', attributes: { interleaved: 1 }, options: { headDim, layout: 'interleaved' } },
  { name: 'part', attributes: { rotary_embedding_dim: 8 }, options: { headDim, layout: 'half', rotaryDim: 8 } },
] as const;

function numbers(count: number, seed: number): Float32Array {
  let state = seed;
  return Float32Array.from({ length: count }, () => (state = (state * 48271) % 2147483647) / 2 ** 30 - 1);
}

/** x [1, 1, seq, width] through a matrix per head to queries and keys. */
function projection(): Uint8Array {
  const constants = Object.fromEntries(['wq', 'wk'].map((name, at) => [name, { data: numbers(heads * width * headDim, 5 + at), shape: [heads, width, headDim] }]));
  const nodes = ['q', 'k'].map((name) => ({ type: 'MatMul', inputs: ['x', `w${name}`], outputs: [name] }));
  return model({ opset: 23, nodes, inputs: { x: [1, 1, seq, width] }, outputs: { q: rows, k: rows }, constants });
}

/** ONNX's RotaryEmbedding; cosines and sines, worked out in double precision, are constants of the model. */
function rotation(attributes: Record<string, number>): Uint8Array {
  const turned = attributes['rotary_embedding_dim'] ?? headDim;
  const table = (of: (angle: number) => number) => ({
    shape: [1, seq, turned / 2],
    data: Float32Array.from({ length: (seq * turned) / 2 }, (_, at) => of((first + Math.floor(at / (turned / 2))) * base ** (-(2 * (at % (turned / 2))) / turned))),
  });
  const node = { type: 'RotaryEmbedding', inputs: ['x', 'cos', 'sin'], outputs: ['y'], attributes };
  return model({ opset: 23, nodes: [node], inputs: { x: rows }, outputs: { y: rows }, constants: { cos: table(Math.cos), sin: table(Math.sin) } });
}

/** q · kᵀ. */
function products(): Uint8Array {
  const nodes = [
    { type: 'Transpose', inputs: ['k'], outputs: ['turned'], attributes: { perm: [0, 1, 3, 2] } },
    { type: 'MatMul', inputs: ['q', 'turned'], outputs: ['scores'] },
  ];
  return model({ opset: 23, nodes, inputs: { q: rows, k: rows }, outputs: { scores: [1, heads, seq, seq] } });
}

let site: Site;
beforeAll(async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'posenc-interoperation-'));
  cpSync(packageFolder, path.join(folder, 'posenc'), { recursive: true });
  mkdirSync(path.join(folder, 'ort'));
  for (const name of ['ort.wasm.bundle.min.mjs', 'ort-wasm-simd-threaded.wasm']) cpSync(rootOf(`node_modules/onnxruntime-web/dist/${name}`), path.join(folder, 'ort', name));
  writeFileSync(path.join(folder, 'project.onnx'), projection());
  writeFileSync(path.join(folder, 'products.onnx'), products());
  for (const { name, attributes } of rotations) writeFileSync(path.join(folder, `${name}.onnx`), rotation(attributes));
  const script = "import * as ort from './ort/ort.wasm.bundle.min.mjs';\nimport { load } from './posenc/index.js';\nObject.assign(globalThis, { ort, posenc: await load() });";
  writeFileSync(path.join(folder, 'page.js'), script);
  writeFileSync(path.join(folder, 'index.html'), '<!doctype html><title>interoperation</title><link rel="icon" href="data:,"><script type="module" src="page.js"></script>');
  site = await openSite(folder);
});
afterAll(() => site?.close());

// What the page has, as far as the tests use it.
interface OrtTensor { readonly data: Float32Array; readonly dims: readonly number[] }
interface Session { run(feeds: Record<string, OrtTensor>): Promise<Record<string, OrtTensor>> }
interface Ort {
  env: { wasm: { numThreads: number }; logLevel: string };
  InferenceSession: { create(path: string): Promise<Session> };
  Tensor: new (type: string, data: Float32Array | BigInt64Array, dims: readonly number[]) => OrtTensor;
}
interface Rope {
  apply(x: object, options: { positions: object | number; into: object }): unknown;
  dispose(): void;
}
type Page = typeof globalThis & { ort: Ort; posenc: { rope(options: object): Rope; attention(options: object): { forward(...args: object[]): { data: Float32Array }; dispose(): void } } };

test('q and k of a session, rotated as RotaryEmbedding rotates them, go on into another session', async () => {
  const { page, complaints } = await site.open('');
  await page.waitForFunction(() => 'posenc' in globalThis);
  const found = await page.evaluate(
    async ({ names, x, sizes: [count, start] }) => {
      const { ort, posenc } = globalThis as unknown as Page;
      ort.env.wasm.numThreads = 1;
      const [project, multiply] = [await ort.InferenceSession.create('project.onnx'), await ort.InferenceSession.create('products.onnx')];
      const positions = new ort.Tensor('int64', BigInt64Array.from({ length: count }, (_, i) => BigInt(start + i)), [1, count]);
      const largest = (a: Float32Array, b: Float32Array): number => a.reduce((most, value, i) => Math.max(most, Math.abs(value - b[i]!)), a.length === b.length ? 0 : Infinity);
      const results = [];
      for (const { name, options } of names) {
        const { q, k } = (await project.run({ x: new ort.Tensor('float32', new Float32Array(x), [1, 1, count, x.length / count]) })) as { q: OrtTensor; k: OrtTensor };
        const kept = [q.data.slice(), k.data.slice()] as const;
        const rotate = await ort.InferenceSession.create(`${name}.onnx`);
        const wanted = [(await rotate.run({ x: q }))['y']!, (await rotate.run({ x: k }))['y']!] as const;
        const rope = posenc.rope(options);
        // Keys in the place where they stand, queries into an array that becomes a tensor of the session's kind.
        const place = new Float32Array(q.data.length);
        const same = rope.apply(q, { positions, into: place }) === place && rope.apply(k, { positions, into: k }) === k;
        const turned = new ort.Tensor('float32', place, q.dims);
        const ours = (await multiply.run({ q: turned, k }))['scores']!;
        const theirs = (await multiply.run({ q: wanted[0], k: wanted[1] }))['scores']!;
        results.push({
          name,
          same: same && turned.data === place,
          untouched: largest(q.data, kept[0]) === 0,
          moved: largest(k.data, kept[1]) > 0.1,
          rotated: Math.max(largest(place, wanted[0].data), largest(k.data, wanted[1].data)),
          size: Math.max(...ours.data.map(Math.abs)),
          scores: largest(ours.data, theirs.data),
        });
        rope.dispose();
      }
      return results;
    },
    { names: rotations.map(({ name, options }) => ({ name, options })), x: [...numbers(seq * width, 3)], sizes: [seq, first] as const },
  );
  expect(found.map(({ name }) => name)).toEqual(rotations.map(({ name }) => name));
  for (const { rotated, scores, size, ...rest } of found) {
    expect(rest).toMatchObject({ same: true, untouched: true, moved: true });
    expect(rotated, rest.name).toBeLessThan(2e-6);
    expect(scores / size, rest.name).toBeLessThan(2e-6);
  }
  expect(complaints).toEqual([]);
});

test('tensors as transformers.js has them: dims and data behind a proxy, whole numbers as BigInt64Array', async () => {
  const { page, complaints } = await site.open('');
  await page.waitForFunction(() => 'posenc' in globalThis);
  const found = await page.evaluate(
    ({ data, dims }) => {
      const { ort, posenc } = globalThis as unknown as Page;
      // A tensor holds one of the session's, gives its fields through getters, and answers numbers with parts of itself.
      class Wrapped {
        constructor(readonly inner: OrtTensor) {
          return new Proxy(this, { get: (target, key) => (typeof key === 'string' && /^\d+$/.test(key) ? target.part(Number(key)) : Reflect.get(target, key)) });
        }
        get data(): Float32Array {
          return this.inner.data;
        }
        get dims(): readonly number[] {
          return this.inner.dims;
        }
        part(at: number): Float32Array {
          const size = this.data.length / this.dims[0]!;
          return this.data.subarray(at * size, (at + 1) * size);
        }
      }
      const numbersIn = new Float32Array(data);
      const q = new Wrapped(new ort.Tensor('float32', numbersIn, dims));
      const positions = new Wrapped(new ort.Tensor('int64', BigInt64Array.from({ length: dims[2]! }, (_, i) => BigInt(i)), [dims[2]!]));
      const out = new Wrapped(new ort.Tensor('float32', new Float32Array(data.length), dims));
      const rope = posenc.rope({ headDim: dims[3] });
      const given = rope.apply(q, { positions, into: out }) === out;
      const plain = rope.apply({ data: new Float32Array(data), shape: dims }, { positions: 0, into: new Float32Array(data.length) }) as Float32Array;
      const attention = posenc.attention({ heads: dims[1], headDim: dims[3], encodings: [rope] });
      const [wrapped, bare] = [attention.forward(q, q, q), attention.forward(...Array<object>(3).fill({ data: numbersIn, shape: dims }))];
      const answer = { given, same: plain.every((value, i) => value === out.data[i]), attended: wrapped.data.every((value, i) => value === bare.data[i]), untouched: numbersIn.every((value, i) => value === data[i]) };
      for (const owned of [attention, rope]) owned.dispose();
      return answer;
    },
    { data: [...numbers(heads * seq * headDim, 9).map(Math.fround)], dims: rows },
  );
  expect(found).toEqual({ given: true, same: true, attended: true, untouched: true });
  expect(complaints).toEqual([]);
});
