// Positions of several axes: grids, lists of coordinates, batches, and what is refused; tables trained and fitted.
import { expect, test } from 'vitest';

import { errorOf, loadPosenc, random } from './support/posenc.js';

const posenc = await loadPosenc();
const detr = posenc.gridLearned({ dim: 4, kind: 'axes', rows: 3, cols: 5, seed: 2 });
const cells = [0, 1, 2].flatMap((row) => [0, 1, 2, 3, 4].map((col) => [row, col]));

test('encode takes a grid by its extents, coordinates nested or flat, and any shape in front of them', () => {
  const grid = detr.encode([3, 5]);
  expect(detr.axes).toBe(2);
  expect(grid.shape).toEqual([3, 5, 4]);
  expect(detr.encode(cells).data).toEqual(grid.data);
  expect(detr.encode(cells).shape).toEqual([15, 4]);
  expect(detr.encode(cells.map((cell) => Int32Array.from(cell))).data).toEqual(grid.data);
  expect(detr.encode(Int32Array.from(cells.flat())).data).toEqual(grid.data);
  const shaped = detr.encode({ data: cells.flat(), shape: [5, 3, 2] });
  expect(shaped.shape).toEqual([5, 3, 4]);
  expect(shaped.data).toEqual(grid.data);
  expect(detr.encode([[2, 3]]).data).toEqual(grid.data.slice(52, 56));
  expect(detr.encode([0, 5]).shape).toEqual([0, 5, 4]);
});

test('3 x 5 is not 5 x 3: halves hold column and row', () => {
  const { rowTable, colTable } = detr.parameters;
  const [row] = detr.encode([[2, 4]]).toArray() as number[][];
  expect(row).toEqual([...(colTable?.toArray() as number[][])[4]!, ...(rowTable?.toArray() as number[][])[2]!]);
});

test('add, concat and backward take a grid or coordinates', () => {
  const rows = detr.encode([3, 5]).data;
  const spread = random([2, 3, 5, 4], 1);
  const flat = { data: spread.data, shape: [2, 15, 4] };
  const sum = detr.add(spread, { grid: [3, 5] });
  expect(sum.shape).toEqual([2, 3, 5, 4]);
  expect(sum.data).toEqual(spread.data.map((value, i) => value + (rows[i % 60] ?? NaN)));
  expect(detr.add(flat, { grid: [3, 5] }).data).toEqual(sum.data);
  expect(detr.add(flat, { positions: cells }).data).toEqual(sum.data);
  const twice = { data: [...cells.flat(), ...cells.flat()], shape: [2, 15, 2] };
  expect(detr.add(flat, { positions: twice }).data).toEqual(sum.data);
  expect(detr.concat(flat, { grid: [3, 5] }).shape).toEqual([2, 15, 8]);

  const ones = { data: new Float32Array(60).fill(1), shape: [3, 5, 4] };
  const { rowTable, colTable } = detr.backward(ones, { grid: [3, 5] });
  expect(rowTable?.data).toEqual(new Float32Array(6).fill(5));
  expect(colTable?.data).toEqual(new Float32Array(10).fill(3));
});

test.each<[string, () => unknown, string, string]>([
  ['a count', () => detr.encode(15), 'invalidType', 'positions'],
  ['a grid of other axes', () => detr.encode([3, 5, 1]), 'shapeMismatch', 'positions'],
  ['a grid of fractions', () => detr.encode([1.5, 2]), 'invalidType', 'positions[0]'],
  ['a grid beyond the tables', () => detr.encode([5, 3]), 'outsideDomain', 'positions'],
  ['a grid beyond 2^31', () => detr.encode([65536, 65536]), 'tooLarge', 'positions'],
  ['coordinates of other axes', () => detr.encode([[0, 1, 2]]), 'shapeMismatch', 'positions'],
  ['lists of different lengths', () => detr.encode([[0, 1], [2]]), 'shapeMismatch', 'positions[1]'],
  ['a number among lists', () => detr.encode([[0, 1], 2] as unknown as number[][]), 'invalidType', 'positions[1]'],
  ['an offset of a grid', () => detr.encode([3, 5], { offset: 1 }), 'unsupported', 'offset'],
  ['no positions', () => detr.add(random([15, 4], 1)), 'missingOption', 'positions'],
  ['a start', () => detr.add(random([15, 4], 1), { positions: 0 }), 'shapeMismatch', 'positions'],
  ['another number of rows', () => detr.add(random([14, 4], 1), { grid: [3, 5] }), 'shapeMismatch', 'x'],
  ['both', () => detr.add(random([15, 4], 1), { grid: [3, 5], positions: cells }), 'unsupported', 'grid'],
])('refuses %s', (_, call, code, parameter) => {
  expect(errorOf(call)).toMatchObject({ code, parameter });
});

test('boxes: what their edges make of one another is checked too', () => {
  const box = posenc.box({ dim: 6, maxPosition: 100 });
  expect(box.axes).toBe(4);
  expect(box.encode([[1, 2, 3, 4]]).shape).toEqual([1, 6]);
  expect(errorOf(() => box.encode([[5, 2, 3, 4]]))).toMatchObject({
    code: 'outsideDomain',
    parameter: 'positions',
    received: 'width -2 of box 0, from 5 to 3',
  });
});

test('a learned table: look-up, gradients of repeats, what lies outside', () => {
  const learned = posenc.learned({ dim: 3, maxLength: 8, seed: 1 });
  expect(learned.encode([1, 1]).data).toEqual(Float32Array.from([...learned.table.data.slice(3, 6), ...learned.table.data.slice(3, 6)]));
  const { table } = learned.backward(random([2, 2, 3], 4), { positions: { data: [0, 5, 5, 5], shape: [2, 2] } });
  const d = random([2, 2, 3], 4).data;
  expect(table?.data.slice(0, 3)).toEqual(d.slice(0, 3));
  expect(table?.data[15]).toBeCloseTo((d[3] ?? 0) + (d[6] ?? 0) + (d[9] ?? 0), 6);
  expect(errorOf(() => learned.encode(3, { offset: 6 }))).toMatchObject({
    code: 'outsideDomain',
    received: '8 (length 9)',
    allowed: 'whole numbers from 0 to 7 (length 8)',
  });
});

test('operations with several results give an object of tensors', () => {
  const table = posenc.sinusoidal({ dim: 12 }).encode(20);
  const { coefficients, basis, explained } = posenc.lowRank.fit(table, { rank: 12 });
  expect([coefficients.shape, basis.shape, explained.shape]).toEqual([[20, 12], [12, 12], [12]]);
  const pe = posenc.lowRank({ dim: 12, maxLength: 20, rank: 12, weights: { coefficients, basis } });
  pe.encode(20).data.forEach((value, i) => expect(value).toBeCloseTo(table.data[i] ?? NaN, 5));
  const fitted = posenc.sparse.fit(table, table, { nonzeros: 1 });
  expect(fitted.indices.toArray()).toEqual(Array.from({ length: 20 }, (_, i) => [i]));
  expect(errorOf(() => posenc.sparse({ dim: 2, maxLength: 1, atoms: 4, nonzeros: 1, weights: { indices: Float32Array.of(4) } }))).toMatchObject({
    code: 'outOfRange',
    parameter: 'weights.indices',
  });
});
