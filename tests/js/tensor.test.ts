import { HeapTensor, Tensor } from 'posenc';
import { expect, test } from 'vitest';

import { errorOf, loadPosenc, numbers } from './support/posenc.js';

const posenc = await loadPosenc();

test('a tensor is its numbers and its shape', () => {
  const tensor = new Tensor(new Float32Array([1, 2, 3, 4, 5, 6]), [2, 3]);
  expect(tensor.size).toBe(6);
  expect(tensor.toArray()).toEqual([[1, 2, 3], [4, 5, 6]]);
  expect(new Tensor(new Float32Array([7]), []).toArray()).toBe(7);
});

test('a shape that does not fit the numbers is refused', () => {
  expect(errorOf(() => new Tensor(new Float32Array(5), [2, 3]))).toMatchObject({
    code: 'shapeMismatch',
    parameter: 'data',
    received: 'shape [2, 3] for 5 elements',
    allowed: '6 elements',
  });
  expect(errorOf(() => new Tensor(new Float32Array(5), [2.5, 2])).code).toBe('invalidType');
  expect(errorOf(() => new Tensor(new Float32Array(5), [-1, 5])).code).toBe('outOfRange');
  expect(errorOf(() => new Tensor([1, 2] as unknown as Float32Array, [2])).code).toBe('invalidType');
});

test('a heap tensor holds zeros, or a copy of what it is given', () => {
  const data = numbers(12);
  const zeros = posenc.tensor([3, 4]);
  const flat = posenc.tensor([3, 4], data);
  const list = posenc.tensor([2], [0.5, -2]);
  const copy = posenc.tensor([4, 3], flat);
  expect(zeros.view()).toEqual(new Float32Array(12));
  expect(flat.view()).toEqual(data);
  expect(list.toArray()).toEqual([0.5, -2]);
  expect(copy.view()).toEqual(data);
  expect(copy.toTensor()).toEqual(new Tensor(data, [4, 3]));
  data[0] = 9;
  expect(flat.view()[0]).not.toBe(9);
  for (const tensor of [zeros, flat, list, copy]) tensor.dispose();
});

test('what is written into a view is what calls read', () => {
  const sinusoidal = posenc.sinusoidal({ dim: 4 });
  const x = posenc.tensor([2, 4]);
  x.view().fill(10);
  const sum = sinusoidal.add(x);
  expect(sum.data[1]).toBe(11);
  x.dispose();
  sinusoidal.dispose();
});

test('wrong shapes and data of a heap tensor leave nothing behind', () => {
  const before = posenc.memory();
  expect(errorOf(() => posenc.tensor([2, 3], new Float32Array(5)))).toMatchObject({ code: 'shapeMismatch', parameter: 'data' });
  expect(errorOf(() => posenc.tensor([2], ['1', '2'] as unknown as number[]))).toMatchObject({ code: 'invalidType' });
  expect(errorOf(() => posenc.tensor(3 as unknown as number[])).code).toBe('invalidType');
  expect(posenc.memory()).toEqual(before);
});

test('a view dies when memory grows, and a fresh one has the numbers', () => {
  const data = numbers(1000);
  const tensor = posenc.tensor([1000], data);
  const old = tensor.view();
  const result = posenc.sinusoidal({ dim: 8 }).encode(16);
  const kept = result.data.slice();

  const { heapBytes } = posenc.memory();
  const large = posenc.tensor([heapBytes / 4 + (1 << 24)]);
  expect(posenc.memory().heapBytes).toBeGreaterThan(heapBytes);
  expect(old.length).toBe(0);
  expect(tensor.view()).toEqual(data);
  expect(result.data).toEqual(kept);
  large.dispose();
  tensor.dispose();
});

test('a disposed tensor is refused, and disposing it twice', () => {
  const tensor = posenc.tensor([2, 8]);
  const sinusoidal = posenc.sinusoidal({ dim: 8 });
  expect(tensor.disposed).toBe(false);
  tensor.dispose();
  expect(tensor.disposed).toBe(true);
  expect(errorOf(() => tensor.view()).code).toBe('disposed');
  expect(errorOf(() => tensor.dispose()).code).toBe('disposed');
  expect(errorOf(() => sinusoidal.add(tensor))).toMatchObject({ code: 'disposed', parameter: 'x' });
  expect(errorOf(() => sinusoidal.encode(2, { into: tensor }))).toMatchObject({ code: 'disposed', parameter: 'into' });
  expect(sinusoidal.encode(2).shape).toEqual([2, 8]);
  sinusoidal.dispose();
});

test('Symbol.dispose, where the platform has it, disposes once and forgives a second time', () => {
  const tensor = posenc.tensor([2]);
  if (typeof Symbol.dispose !== 'symbol') {
    expect(Object.getOwnPropertyNames(Object.getPrototypeOf(HeapTensor.prototype))).not.toContain('undefined');
    tensor.dispose();
    return;
  }
  tensor[Symbol.dispose]();
  tensor[Symbol.dispose]();
  expect(tensor.disposed).toBe(true);
});

test('a tensor of another instance is refused', async () => {
  const other = await loadPosenc();
  const foreign = other.tensor([2, 8]);
  const sinusoidal = posenc.sinusoidal({ dim: 8 });
  expect(errorOf(() => sinusoidal.add(foreign))).toMatchObject({ code: 'aliasing', parameter: 'x' });
  expect(errorOf(() => sinusoidal.encode(2, { into: foreign }))).toMatchObject({ code: 'aliasing', parameter: 'into' });
  expect(foreign.view()).toEqual(new Float32Array(16));
  foreign.dispose();
  sinusoidal.dispose();
});
