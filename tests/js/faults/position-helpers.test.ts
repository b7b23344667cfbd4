// What makes positions gives floats, which hold every whole number up to 2^24. Beyond, neighbours would fall on one another,
// so each helper refuses them by name, and gives the last ones that it can.
import { expect, test } from 'vitest';

import { errorOf, loadPosenc } from '../support/posenc.js';

const posenc = await loadPosenc();
const largest = 2 ** 24;
const grid = posenc.ropeNd({ headDim: 8 });
const blocks = posenc.block({ dim: 4, blocks: 17, blockSize: 2 ** 20 });
const text = (tokens: number): { data: number[]; shape: number[] } => ({ data: [tokens, 0, 0], shape: [1, 3] });
const layout = posenc.layoutBias({ heads: 1 });
const box = (x: number): { data: number[]; shape: number[] } => ({ data: [x, 0, x, 0], shape: [1, 4] });
const lastOf = ({ data }: { data: Float32Array }): number | undefined => data.at(-1);

test('the last positions are exact', () => {
  expect(posenc.learned.positions([1, 1, 1], { start: largest - 2 }).data).toEqual(Float32Array.of(largest - 2, largest - 1, largest));
  expect(posenc.learned.positions([1, 0], { start: largest }).data).toEqual(Float32Array.of(largest, -1));
  expect(lastOf(grid.gridPositions({ grid: [2, 2], start: largest - 1 }))).toBe(largest);
  expect(lastOf(grid.gridPositions({ grid: [2, 2], start: -largest }))).toBe(1 - largest);
  expect(posenc.decomposed.positions({ rows: 17, cols: 1, rowStep: 2 ** 20 }).data.at(-2)).toBe(largest);
  expect(lastOf(posenc.mrope.positions(text(2), { start: largest - 1 }))).toBe(largest);
  expect(posenc.mrope.positions(text(1), { start: -largest }).data[0]).toBe(-largest);
  expect(lastOf(blocks.positions([...Array<number>(16).fill(0), 1]))).toBe(largest);
  expect(layout.positions(box(largest), [-largest]).data[0]).toBe(-largest);
});

test.each<[string, () => unknown, string]>([
  ['more tokens than floats tell apart', () => posenc.learned.positions([1, 1], { start: largest }), 'tokens'],
  ['a padding index that leaves no number', () => posenc.sinusoidal.positions([5], { paddingIndex: largest }), 'tokens'],
  ['a grid that begins too far', () => grid.gridPositions({ grid: [2, 2], start: largest }), 'start'],
  ['a grid that begins too far below', () => grid.gridPositions({ grid: [2, 2], start: -largest - 2 }), 'start'],
  ['a grid that is too long', () => grid.gridPositions({ grid: [largest + 2, 1] }), 'grid'],
  ['rows too far apart', () => posenc.decomposed.positions({ rows: 18, cols: 1, rowStep: 2 ** 20 }), 'rowStep'],
  ['columns too far apart, for keys', () => posenc.decomposed.positions({ rows: 1, cols: 17, colStep: 2 ** 20, keys: true }), 'colStep'],
  ['text that goes too far', () => posenc.mrope.positions(text(2), { start: largest }), 'parts'],
  ['text that begins too far below', () => posenc.mrope.positions(text(9), { start: -largest - 2 }), 'start'],
  ['a block that ends too far', () => blocks.positions([...Array<number>(16).fill(0), 2]), 'lengths'],
  ['a box too far', () => layout.positions(box(largest + 2)), 'boxes'],
  ['a box of NaN', () => layout.positions(box(NaN)), 'boxes'],
  ['a box between pixels', () => layout.positions(box(0.5)), 'boxes'],
  ['a place too far', () => layout.positions(box(0), [largest + 2]), 'textPositions'],
  ['a place between tokens', () => layout.positions(box(0), [1.5]), 'textPositions'],
])('refuses %s', (_, call, parameter) => {
  expect(errorOf(call)).toMatchObject({ code: 'outOfRange', parameter });
});
