// A cache takes no token that no query could attend to: positions outside of the domain of any encoding of the attention
// are refused when they come in, by name, and nothing is taken in.
import { expect, test } from 'vitest';

import { errorOf, loadPosenc, random } from '../support/posenc.js';

const posenc = await loadPosenc();
const k = random([1, 2, 3, 4], 1);

test.each([
  ['a fraction with t5', () => posenc.t5({ heads: 2 }), [0, 0.5, 1]],
  ['a fraction with shaw', () => posenc.shaw({ headDim: 4, left: 2 }), [0, 0.5, 1]],
  ['a place behind the window', () => posenc.swin({ heads: 2, window: { height: 1, width: 2 } }), undefined],
  ['a distance behind the table', () => posenc.shaw({ headDim: 4, left: 1, beyond: 'error' as const }), undefined],
])('%s', (_, make, positions) => {
  const encoding = make();
  const attention = posenc.attention({ heads: 2, headDim: 4, encodings: [encoding] });
  const cache = attention.cache();
  const options = positions === undefined ? {} : { positions };
  const error = errorOf(() => cache.append(k, k, options));
  expect([error.code, error.parameter]).toEqual(['outsideDomain', 'positions.k']);
  expect(cache.length).toBe(0);
  for (const owned of [cache, attention, encoding]) owned.dispose();
});
