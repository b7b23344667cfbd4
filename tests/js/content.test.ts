// Input encodings whose rows are made from x itself: what their calls take, give and refuse.
import { expect, test } from 'vitest';

import { errorOf, largestDifference, loadPosenc, random } from './support/posenc.js';

const posenc = await loadPosenc();

test('add over a grid: a filter that picks the left neighbour', () => {
  const conv = posenc.conv({ dim: 1, bias: false });
  conv.parameters = { weight: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 0, 0) };
  const x = { data: Float32Array.of(1, 2, 3, 4, 5, 6), shape: [6, 1] };
  expect([...conv.add(x, { grid: [2, 3] }).data]).toEqual([1, 3, 5, 4, 9, 11]);
  expect([...conv.add({ ...x, shape: [2, 3, 1] }, { grid: [2, 3] }).data]).toEqual([1, 3, 5, 4, 9, 11]);
  expect([...conv.concat(x, { grid: [3, 2] }).data]).toEqual([1, 0, 2, 1, 3, 0, 4, 3, 5, 0, 6, 5]);
  conv.dispose();
});

test('every image of a batch is convolved by itself', () => {
  const conv = posenc.conv({ dim: 3, activation: 'gelu' });
  const x = random([2, 12, 3]);
  const both = conv.add(x, { grid: [3, 4] }).data;
  const second = conv.add({ data: x.data.slice(36), shape: [12, 3] }, { grid: [3, 4] }).data;
  expect(both.subarray(36)).toEqual(second);
  conv.dispose();
});

test('backward gives the gradients of the filters and of x', () => {
  const conv = posenc.conv({ dim: 4, axes: 1, kernel: 3, groups: 2, activation: 'gelu', seed: 2 });
  const x = random([2, 5, 4]);
  const dOut = random([2, 5, 4], 7);
  const { weight, biases, x: dX } = conv.backward(dOut, { x });
  expect(weight?.shape).toEqual([4, 2, 3]);
  expect(biases?.shape).toEqual([4]);
  expect(dX?.shape).toEqual([2, 5, 4]);
  const loss = (data: Float32Array): number =>
    conv.add({ data, shape: x.shape }).data.reduce((sum, y, i) => sum + (y - (data[i] ?? 0)) * (dOut.data[i] ?? 0), 0);
  const differences = x.data.map((_, i) => {
    const moved = (step: number): Float32Array => x.data.map((value, j) => (i === j ? value + step : value));
    return (loss(moved(1e-2)) - loss(moved(-1e-2))) / 2e-2;
  });
  expect(largestDifference(dX?.data ?? [], differences)).toBeLessThan(2e-3);
  conv.dispose();
});

test('rows made from x are refused without it, and x is refused where it means nothing', () => {
  const conv = posenc.conv({ dim: 2 });
  const x = random([6, 2]);
  expect(conv.readsX).toBe(true);
  expect(errorOf(() => conv.encode([2, 3]))).toMatchObject({ code: 'unsupported', parameter: 'encode' });
  expect(errorOf(() => conv.backward(x, { grid: [2, 3] }))).toMatchObject({ code: 'missingOption', parameter: 'x' });
  expect(errorOf(() => conv.backward(x, { grid: [2, 3], x: random([3, 2]) }))).toMatchObject({ code: 'shapeMismatch', parameter: 'x' });
  expect(errorOf(() => conv.concat(random([6, 3]), { grid: [2, 3] }))).toMatchObject({ code: 'shapeMismatch', parameter: 'x' });
  expect(errorOf(() => conv.add(x, { positions: [[0, 0], [0, 1], [0, 2], [1, 0], [1, 2], [1, 1]] }))).toMatchObject({
    code: 'outsideDomain',
    parameter: 'positions',
  });
  const mlp = posenc.mlp({ dim: 2 });
  expect(mlp.readsX).toBe(false);
  expect(errorOf(() => mlp.backward(x, { x }))).toMatchObject({ code: 'unknownOption', parameter: 'x' });
  mlp.dispose();
  conv.dispose();
});
