// Safetensors files: those of other writers are read, and what is written has the bytes that the format asks for.
import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Tensor } from 'posenc';
import { type StoredTensor, openSafetensors, readSafetensors, toFloats, writeSafetensors } from 'posenc/formats';
import { expect, test } from 'vitest';

import { errorOf, loadPosenc, numbers } from '../support/posenc.js';
import { entry, fileOf, rejectionOf } from './support/files.js';
import { stored } from './support/stored.js';

const posenc = await loadPosenc();
const golden = fileURLToPath(new URL('../../golden/', import.meta.url));
const goldenFiles = readdirSync(golden, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.safetensors'));

test('every file in tests/golden, which another program wrote, is read, and written again it holds the same', () => {
  expect(goldenFiles.length).toBeGreaterThan(10);
  for (const name of goldenFiles) {
    const file = readSafetensors(readFileSync(golden + name));
    expect(Object.keys(file.tensors).length, name).toBeGreaterThan(0);
    expect(readSafetensors(writeSafetensors(file.tensors, file.metadata)), name).toEqual(file);
  }
});

test('what is written, byte by byte', () => {
  const file = writeSafetensors({ a: { data: Float32Array.of(1, -0), shape: [2, 1] } }, { by: 'é' });
  const text = '{"__metadata__":{"by":"é"},"a":{"dtype":"F32","shape":[2,1],"data_offsets":[0,8]}}';
  const header = new TextEncoder().encode(text.padEnd(8 * Math.ceil((text.length + 1) / 8) - 1));
  expect([...file.subarray(0, 8)]).toEqual([header.length, 0, 0, 0, 0, 0, 0, 0]);
  expect(file.subarray(8, 8 + header.length)).toEqual(header);
  expect([...file.subarray(8 + header.length)]).toEqual([0, 0, 0x80, 0x3f, 0, 0, 0, 0x80]);
});

test('all types there and back in one file, each where its type may lie, names of any kind', () => {
  const names = ['', 'a.b', '"\\', 'ß漢😀', 'constructor', '__proto__', 'toString'];
  const tensors = Object.fromEntries([
    ...Object.entries(stored).map(([dtype, data]) => [dtype, { dtype, shape: [3], data }]),
    ...names.map((name, at) => [name, { dtype: 'F32', shape: [], data: Float32Array.of(at) }]),
    ['empty', { dtype: 'F32', shape: [0, 5], data: new Float32Array(0) }],
  ]) as Record<string, StoredTensor>;
  const metadata = Object.fromEntries([['__proto__', 'kept'], ['b', 'c']]) as Record<string, string>;
  const file = writeSafetensors(tensors, metadata);
  const read = readSafetensors(file);
  expect(Object.keys(read.tensors).sort()).toEqual(Object.keys(tensors).sort());
  for (const [name, tensor] of Object.entries(tensors)) expect(Object.getOwnPropertyDescriptor(read.tensors, name)?.value, name).toEqual(tensor);
  expect(Object.entries(read.metadata)).toEqual(Object.entries(metadata));
});

test('without a dtype an array is what it is; with one it may be a half float', () => {
  const { tensors } = readSafetensors(writeSafetensors({
    floats: new Tensor(numbers(2), [2]),
    heap: posenc.tensor([2], [1, 2]),
    dims: { data: numbers(4), dims: [2, 2] } as never,
    whole: { data: Uint16Array.of(1), shape: [1] },
    half: { dtype: 'BF16', data: Uint16Array.of(0x3f80), shape: [1] },
    bytes: { data: Uint8Array.of(7), shape: [1] },
  }));
  const found = Object.fromEntries(Object.entries(tensors).map(([name, { dtype }]) => [name, dtype]));
  expect(found).toEqual({ floats: 'F32', heap: 'F32', dims: 'F32', whole: 'U16', half: 'BF16', bytes: 'U8' });
  expect(tensors['heap']?.data).toEqual(Float32Array.of(1, 2));
});

test('at any offset, in shared memory, in a buffer of another kind', () => {
  const tensors = { x: { dtype: 'F64', shape: [2], data: Float64Array.of(1.5, -2) } } as const;
  const file = writeSafetensors(tensors);
  const within = new Uint8Array([...new Uint8Array(3), ...file, 9]).subarray(3, 3 + file.length);
  const shared = new Uint8Array(new SharedArrayBuffer(file.length));
  shared.set(file);
  for (const bytes of [file, file.buffer, within, Buffer.from(file), shared, shared.buffer]) {
    const read = readSafetensors(bytes).tensors;
    expect(read).toEqual(tensors);
    expect(read['x']?.data.buffer).toBeInstanceOf(ArrayBuffer);
  }
});

test('of an open file nothing is read but the header and what is asked for', async () => {
  const file = writeSafetensors({ far: { data: numbers(1000), shape: [1000] }, near: { data: numbers(3, 2), shape: [3] } }, { a: 'b' });
  let read = 0;
  class Counting extends Blob {
    override slice(from = 0, to = this.size): Blob {
      read += to - from;
      return super.slice(from, to);
    }
  }
  const opened = await openSafetensors(new Counting([file]));
  expect(opened.metadata).toEqual({ a: 'b' });
  expect(opened.tensors['near']).toMatchObject({ dtype: 'F32', shape: [3] });
  expect(await opened.read('near')).toEqual({ dtype: 'F32', shape: [3], data: numbers(3, 2) });
  expect(read).toBe(file.length - 4000);
  expect(await opened.read('far')).toEqual({ dtype: 'F32', shape: [1000], data: numbers(1000) });
  expect(await rejectionOf(opened.read('toString'))).toMatchObject({ code: 'unknownOption', parameter: 'name' });
  expect(await rejectionOf(openSafetensors(new Blob([file.slice(0, 7)])))).toMatchObject({ code: 'invalidType', parameter: 'file' });
  expect(await rejectionOf(openSafetensors(file as never))).toMatchObject({ code: 'invalidType', parameter: 'file' });
});

test('floats of every type: halves exactly as the module widens them, all others as JavaScript rounds them', () => {
  const bits = Uint16Array.from({ length: 65536 }, (_, i) => i);
  for (const [dtype, format] of [['F16', 'f16'], ['BF16', 'bf16']] as const) {
    const wide = toFloats({ dtype, shape: [65536], data: bits }).data;
    const want = posenc.fromHalf(bits, [65536], format).data;
    // NaN are compared as NaN: how a quiet one is spelled is the module's business.
    expect(wide.findIndex((x, i) => !Object.is(x, want[i]))).toBe(-1);
  }
  const floats = Float32Array.of(1, 2);
  expect(toFloats({ dtype: 'F32', shape: [2], data: floats }).data).toBe(floats);
  expect(toFloats({ dtype: 'F64', shape: [2], data: Float64Array.of(0.1, 1e300) }).data).toEqual(Float32Array.of(0.1, Infinity));
  expect(toFloats({ dtype: 'I64', shape: [1], data: BigInt64Array.of(-(2n ** 40n)) }).data).toEqual(Float32Array.of(-(2 ** 40)));
  expect(toFloats({ dtype: 'BOOL', shape: [2], data: Uint8Array.of(0, 1) }).data).toEqual(Float32Array.of(0, 1));
  // Just beside the middle of two floats, where a double in between would fall on it: 2^60 and 2^60 + 2^37.
  const beside = [2n ** 60n + 2n ** 36n - 1n, 2n ** 60n + 2n ** 36n, 2n ** 60n + 2n ** 36n + 1n];
  const nearest = [2 ** 60, 2 ** 60, 2 ** 60 + 2 ** 37];
  expect([...toFloats({ dtype: 'U64', shape: [3], data: BigUint64Array.from(beside) }).data]).toEqual(nearest);
  expect([...toFloats({ dtype: 'I64', shape: [3], data: BigInt64Array.from(beside, (x) => -x) }).data]).toEqual(nearest.map((x) => -x));
  expect(toFloats({ dtype: 'U64', shape: [1], data: BigUint64Array.of(2n ** 64n - 1n) }).data).toEqual(Float32Array.of(2 ** 64));
  expect(errorOf(() => toFloats({ dtype: 'F8_E4M3', shape: [1], data: Uint8Array.of(1) }))).toMatchObject({ code: 'unsupported', received: 'F8_E4M3' });
});

test.each<[string, unknown, string, string]>([
  ['null', null, 'invalidType', 'tensor'],
  ['bits that are no bits', { dtype: 'F16', shape: [1], data: new Float32Array(1) }, 'invalidType', 'tensor.dtype'],
  ['a type of the language', { dtype: 'constructor', shape: [1], data: new Float32Array(1) }, 'invalidType', 'tensor.dtype'],
  ['a plain array', { dtype: 'F32', shape: [1], data: [1] }, 'invalidType', 'tensor.data'],
  ['another shape', { dtype: 'I8', shape: [2], data: new Int8Array(3) }, 'shapeMismatch', 'tensor'],
])('toFloats refuses %s', (_, tensor, code, parameter) => {
  expect(errorOf(() => toFloats(tensor as StoredTensor))).toMatchObject({ code, parameter });
});

test.each<[string, unknown, unknown, string, string]>([
  ['nothing', undefined, {}, 'invalidType', 'tensors'],
  ['a tensor that is none', { a: 5 }, {}, 'invalidType', 'tensors.a'],
  ['nested lists', { a: { data: [1], shape: [1] } }, {}, 'invalidType', 'tensors.a.data'],
  ['a shape that does not fit', { a: { data: numbers(3), shape: [2] } }, {}, 'shapeMismatch', 'tensors.a'],
  ['a shape of fractions', { a: { data: numbers(3), shape: [1.5, 2] } }, {}, 'invalidType', 'tensors.a.shape[0]'],
  ['a dtype of other numbers', { a: { dtype: 'BF16', data: numbers(3), shape: [3] } }, {}, 'invalidType', 'tensors.a.dtype'],
  ['a dtype that is none', { a: { dtype: 'F7', data: numbers(3), shape: [3] } }, {}, 'invalidType', 'tensors.a.dtype'],
  ['the name of metadata', { __metadata__: { data: numbers(3), shape: [3] } }, {}, 'unknownOption', 'tensors.__metadata__'],
  ['metadata that are no text', {}, { a: 1 }, 'invalidType', 'metadata.a'],
  ['no metadata', {}, null, 'invalidType', 'metadata'],
])('refuses to write %s', (_, tensors, metadata, code, parameter) => {
  expect(errorOf(() => writeSafetensors(tensors as never, metadata as never))).toMatchObject({ code, parameter });
});

test('a file as short as it can be', () => {
  expect(readSafetensors(fileOf('{}'))).toEqual({ tensors: {}, metadata: {} });
  expect(readSafetensors(fileOf('{}   \n', 0))).toEqual({ tensors: {}, metadata: {} });
  expect(readSafetensors(fileOf(`{"a":${entry('U8', [1], 0, 1)}}`, 1)).tensors).toEqual({ a: { dtype: 'U8', shape: [1], data: Uint8Array.of(1) } });
});
