// Operations and options that took a wrong input in silence, or spoke of another one.
import { PosencError } from 'posenc';
import { expect, test } from 'vitest';

import { errorOf, loadPosenc } from '../support/posenc.js';

const posenc = await loadPosenc();

test('sparse.fit: a mix whose coefficients no float holds is an error, not infinity', () => {
  const table = { data: new Float32Array([1, 1, 3e38, 3e38]), shape: [2, 2] };
  const dictionary = { data: new Float32Array([0.5, 0.5]), shape: [1, 2] };
  const error = errorOf(() => posenc.sparse.fit(table, dictionary, { nonzeros: 1 }));
  expect(error).toBeInstanceOf(PosencError);
  expect(error).toMatchObject({ code: 'outOfRange', parameter: 'table' });
  expect(error.received).toMatch(/row 1/);
  const near = { data: new Float32Array([1, 1, 1.5e38, 1.5e38]), shape: [2, 2] };
  expect([...posenc.sparse.fit(near, dictionary, { nonzeros: 1 }).coefficients.data]).toEqual([2, Math.fround(3e38)]);
});

test('layoutBias.positions: places in the text where only the page counts are refused', () => {
  const boxes = { data: new Float32Array(8), shape: [2, 4] };
  const page = posenc.layoutBias({ heads: 2, parts: 'page' });
  expect(page.positions(boxes).shape).toEqual([2, 4]);
  expect(errorOf(() => page.positions(boxes, [5, 6]))).toMatchObject({ code: 'unknownOption', parameter: 'textPositions', received: '2 positions' });
  const both = posenc.layoutBias({ heads: 2 });
  expect([...both.positions(boxes, [5, 6]).data]).toEqual([5, 0, 0, 0, 0, 6, 0, 0, 0, 0]);
  for (const made of [page, both]) made.dispose();
});

test('an empty list where one is required is called so', () => {
  const longrope = { type: 'longrope', factor: 4, originalLength: 8, longFactor: [1, 1] } as const;
  const received = (scaling: object) => errorOf(() => posenc.rope({ headDim: 4, scaling } as never)).received;
  expect(received({ ...longrope, shortFactor: [] })).toBe('an empty list');
  expect(received(longrope)).toBe('nothing');
});
