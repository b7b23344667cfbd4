// Near the end of a 32-bit address space: what does not fit is an error, and everything that was there stays right.
import { load } from 'posenc';
import { expect, test } from 'vitest';

import { variant } from './support/posenc.js';

test('gradients that do not fit beside tables of 1.5 GB', { timeout: 240_000 }, async () => {
  const posenc = await load(variant === undefined ? {} : { simd: variant });
  const table = posenc.sinusoidal({ dim: 8 }).encode(4).data;
  const bytes = 1.5 * 2 ** 30;
  const headDim = 4096;
  const shaw = posenc.shaw({ headDim, left: bytes / 4 / headDim - 2, right: 1, values: 'none' });
  const attention = posenc.attention({ heads: 1, headDim, encodings: [shaw] });
  const q = { data: new Float32Array(2 * headDim).fill(0.01), shape: [1, 2, headDim] };
  const { out, lse } = attention.forwardForGrad(q, q, q);
  for (let again = 0; again < 2; again++) {
    expect(() => attention.backward({ q, k: q, v: q, out, lse, dOut: q })).toThrow(expect.objectContaining({ code: 'outOfMemory' }));
  }
  expect(attention.forward(q, q, q).data).toEqual(out.data);
  shaw.dispose();
  attention.dispose();
  expect(posenc.sinusoidal({ dim: 8 }).encode(4).data).toEqual(table);
});
