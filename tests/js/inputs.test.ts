// What calls take as tensors, positions and outputs, and what they refuse.
import { runInNewContext } from 'node:vm';

import type { TensorLike } from 'posenc';
import { afterEach, expect, test } from 'vitest';

import { errorOf, loadPosenc, numbers } from './support/posenc.js';

const posenc = await loadPosenc();
const dim = 8;
const sinusoidal = posenc.sinusoidal({ dim });
const expected = sinusoidal.encode(3);
const data = numbers(3 * dim);
const sum = data.map((value, i) => value + (expected.data[i] ?? 0));
const x = (): { data: Float32Array; shape: number[] } => ({ data: data.slice(), shape: [3, dim] });

// Whatever a test did wrong on purpose, the module still gives right answers.
afterEach(() => {
  expect(sinusoidal.encode(3).data).toEqual(expected.data);
  expect(sinusoidal.add(x()).data).toEqual(sum);
});

const offset = { data: new Float32Array([0, ...data]).subarray(1), shape: [3, dim] };
const shared = { data: new Float32Array(new SharedArrayBuffer(4 * 3 * dim)), shape: [3, dim] };
shared.data.set(data);

test.each<[string, TensorLike]>([
  ['shape', { data: data.slice(), shape: [3, dim] }],
  ['dims, as other libraries call it', { data: data.slice(), dims: [3, dim] }],
  ['part of an array', offset],
  ['shared memory', shared as unknown as TensorLike],
  ['a heap tensor', posenc.tensor([3, dim], data)],
  ['a view of a heap tensor', { data: posenc.tensor([3, dim], data).view(), shape: [3, dim] }],
  ['an array of another realm', { data: runInNewContext('new Float32Array(values)', { values: [...data] }) as Float32Array, shape: [3, dim] }],
])('takes %s', (_, tensor) => {
  expect(sinusoidal.add(tensor).data).toEqual(sum);
});

test('takes resizable buffers by the length they have', () => {
  const resizable = ArrayBuffer as unknown as new (length: number, options: { maxByteLength: number }) => ArrayBuffer & { resize(length: number): void };
  const buffer = new resizable(4 * data.length, { maxByteLength: 8 * data.length });
  const tracking = new Float32Array(buffer);
  tracking.set(data);
  expect(sinusoidal.add({ data: tracking, shape: [3, dim] }).data).toEqual(sum);
  buffer.resize(8);
  expect(errorOf(() => sinusoidal.add({ data: tracking, shape: [3, dim] })).code).toBe('shapeMismatch');
});

test('refuses a detached array by that name', () => {
  const detached = data.slice();
  structuredClone(detached.buffer, { transfer: [detached.buffer] });
  expect(errorOf(() => sinusoidal.add({ data: detached, shape: [3, dim] }))).toMatchObject({ code: 'detached', parameter: 'x' });
  expect(errorOf(() => sinusoidal.encode(3, { into: detached }))).toMatchObject({ code: 'detached', parameter: 'into' });
});

test.each<[string, unknown, string, string]>([
  ['nothing', undefined, 'invalidType', 'x'],
  ['a number', 5, 'invalidType', 'x'],
  ['numbers without a shape', data, 'invalidType', 'x'],
  ['doubles', { data: new Float64Array(24), shape: [3, dim] }, 'invalidType', 'x.data'],
  ['integers', { data: new Int32Array(24), shape: [3, dim] }, 'invalidType', 'x.data'],
  ['16-bit floats', { data: new Uint16Array(24), shape: [3, dim] }, 'invalidType', 'x.data'],
  ['nested arrays', { data: [[1, 2]], shape: [1, 2] }, 'invalidType', 'x.data'],
  ['no shape', { data }, 'invalidType', 'x.dims'],
  ['a shape of something else', { data, shape: '3,8' }, 'invalidType', 'x.shape'],
  ['a fraction in the shape', { data, shape: [1.5, 16] }, 'invalidType', 'x.shape[0]'],
  ['a negative extent', { data, shape: [-3, -8] }, 'outOfRange', 'x.shape[0]'],
  ['another number of elements', { data, shape: [4, dim] }, 'shapeMismatch', 'x'],
  ['another width', { data, shape: [4, 6] }, 'shapeMismatch', 'x'],
  ['one axis', { data, shape: [24] }, 'shapeMismatch', 'x'],
  ['nine axes', { data, shape: [1, 1, 1, 1, 1, 1, 1, 3, 8] }, 'outOfRange', 'x.shape'],
  ['a size beyond 2^31', { data, shape: [65536, 65536] }, 'tooLarge', 'x'],
  ['an extent beyond 2^31', { data, shape: [2 ** 32, 1] }, 'tooLarge', 'x.shape[0]'],
])('refuses as tensor: %s', (_, value, code, parameter) => {
  expect(errorOf(() => sinusoidal.add(value as TensorLike))).toMatchObject({ code, parameter });
});

test.each<[string, unknown]>([
  ['number', 4],
  ['bigint', 4n],
  ['array', [4, 5, 6]],
  ['array of bigints', [4n, 5n, 6n]],
  ['Int32Array', new Int32Array([4, 5, 6])],
  ['Uint8Array', new Uint8Array([4, 5, 6])],
  ['Float32Array', new Float32Array([4, 5, 6])],
  ['Float64Array', new Float64Array([4, 5, 6])],
  ['BigInt64Array', new BigInt64Array([4n, 5n, 6n])],
  ['BigUint64Array', new BigUint64Array([4n, 5n, 6n])],
  ['shape', { data: [4, 5, 6], shape: [3] }],
  ['dims', { data: new BigInt64Array([4n, 5n, 6n]), dims: [1, 3] }],
  ['heap tensor', posenc.tensor([3], [4, 5, 6])],
  ['view of a heap tensor', { data: posenc.tensor([3], [4, 5, 6]).view(), shape: [3] }],
])('takes positions as %s', (_, positions) => {
  const zero = { data: new Float32Array(3 * dim), shape: [3, dim] };
  const rows = sinusoidal.add(zero, { positions: positions as number });
  expect(rows.data).toEqual(sinusoidal.encode(3, { offset: 4 }).data);
});

test('positions may differ by batch row', () => {
  const zero = { data: new Float32Array(2 * 3 * dim), shape: [2, 3, dim] };
  const rows = sinusoidal.add(zero, { positions: { data: [0, 1, 2, 10, 11, 12], shape: [2, 3] } });
  expect(rows.data.subarray(0, 3 * dim)).toEqual(expected.data);
  expect(rows.data.subarray(3 * dim)).toEqual(sinusoidal.encode(3, { offset: 10 }).data);
});

test.each<[string, unknown, string, string]>([
  ['text', '4', 'invalidType', 'positions'],
  ['null', null, 'invalidType', 'positions'],
  ['text in a list', [4, '5', 6], 'invalidType', 'positions[1]'],
  ['a hole in a list', [4, , 6], 'invalidType', 'positions[1]'],
  ['too few', [4, 5], 'shapeMismatch', 'positions'],
  ['as many as the batch has not', { data: [1, 2, 3, 4, 5, 6], shape: [2, 3] }, 'shapeMismatch', 'positions'],
  ['NaN', [4, NaN, 6], 'outsideDomain', 'positions'],
  ['Infinity', Infinity, 'outsideDomain', 'positions'],
  ['a bigint beyond 2^53', [4, 2n ** 60n, 6], 'outOfRange', 'positions[1]'],
  ['a 64-bit integer beyond 2^53', new BigInt64Array([4n, 2n ** 60n, 6n]), 'outOfRange', 'positions[1]'],
])('refuses as positions: %s', (_, positions, code, parameter) => {
  expect(errorOf(() => sinusoidal.add(x(), { positions: positions as number[] }))).toMatchObject({ code, parameter });
});

test('`into` takes a tensor, a heap tensor, something shaped, or an array, and is what comes back', () => {
  const into = [
    new Float32Array(3 * dim),
    { data: new Float32Array(3 * dim), shape: [3, dim] },
    { data: new Float32Array(3 * dim), dims: [3, dim] },
    posenc.tensor([3, dim]),
  ] as const;
  for (const place of into) {
    expect(sinusoidal.add(x(), { into: place })).toBe(place);
    const written = place instanceof Float32Array ? place : 'view' in place ? place.view() : place.data;
    expect(written).toEqual(sum);
  }
});

test('`into` of another size or shape is refused, and stays as it was', () => {
  const short = new Float32Array(23);
  const long = new Float32Array(25);
  const turned = { data: new Float32Array(24), shape: [dim, 3] };
  for (const into of [short, long, turned]) {
    expect(errorOf(() => sinusoidal.add(x(), { into }))).toMatchObject({ code: 'shapeMismatch', parameter: 'into' });
  }
  expect(turned.data).toEqual(new Float32Array(24));
});

test('`into` stays as it was when positions are wrong', () => {
  const array = new Float32Array(24).fill(7);
  const heap = posenc.tensor([3, dim], array);
  for (const into of [array, heap]) {
    expect(errorOf(() => sinusoidal.add(x(), { positions: [1, 2, NaN], into })).code).toBe('outsideDomain');
  }
  expect(array).toEqual(new Float32Array(24).fill(7));
  expect(heap.view()).toEqual(array);
});

test('x may be its own output; memory that overlaps it in part is refused', () => {
  const own = x();
  expect(sinusoidal.add(own, { into: own.data })).toBe(own.data);
  expect(own.data).toEqual(sum);

  const heap = posenc.tensor([3, dim], data);
  sinusoidal.add(heap, { into: heap });
  expect(heap.view()).toEqual(sum);

  const block = new Float32Array(4 * dim);
  const first = { data: block.subarray(0, 3 * dim), shape: [3, dim] };
  const second = { data: block.subarray(dim), shape: [3, dim] };
  expect(errorOf(() => sinusoidal.add(first, { into: second }))).toMatchObject({ code: 'aliasing', parameter: 'into' });
  expect(errorOf(() => sinusoidal.add(second, { into: first })).code).toBe('aliasing');

  const room = posenc.tensor([4, dim]);
  const one = { data: room.view().subarray(0, 3 * dim), shape: [3, dim] };
  const two = { data: room.view().subarray(dim), shape: [3, dim] };
  expect(errorOf(() => sinusoidal.add(one, { into: two })).code).toBe('aliasing');
  for (const tensor of [heap, room]) tensor.dispose();
});

test('neighbours in one buffer do not overlap', () => {
  const block = new Float32Array(6 * dim);
  block.set(data);
  const first = { data: block.subarray(0, 3 * dim), shape: [3, dim] };
  sinusoidal.add(first, { into: block.subarray(3 * dim) });
  expect(block.subarray(0, 3 * dim)).toEqual(data);
  expect(block.subarray(3 * dim)).toEqual(sum);
});

test('unknown options of a call are refused by name', () => {
  const unknown = { position: 3 } as object;
  expect(errorOf(() => sinusoidal.add(x(), unknown))).toMatchObject({
    code: 'unknownOption',
    parameter: 'position',
    allowed: 'one of positions, grid, into',
  });
  expect(errorOf(() => sinusoidal.encode(3, { positions: [1] } as object)).code).toBe('unknownOption');
  expect(errorOf(() => sinusoidal.encode(3, 7 as unknown as object)).code).toBe('invalidType');
});
