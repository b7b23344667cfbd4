// The cache of keys and values through the API.
import type { TensorLike } from 'posenc';
import { expect, test } from 'vitest';

import { type Setup, dim, heads, inputs, kvHeads } from './support/attention-inputs.js';
import { errorOf, largestDifference, loadPosenc, random } from './support/posenc.js';

const posenc = await loadPosenc();

test('one by one with a cache is the whole', () => {
  const rope = posenc.rope({ headDim: dim });
  const attention = posenc.attention({ heads, kvHeads, headDim: dim, causal: true, encodings: [rope] });
  const { q, k, v } = inputs([1], 6, 6);
  const whole = attention.forward(q, k, v).data;
  const cache = attention.cache({ capacity: 2 });
  const token = (tensor: Setup['q'], count: number, at: number): Setup['q'] => ({
    data: Float32Array.from({ length: count * dim }, (_, i) => tensor.data[(Math.floor(i / dim) * 6 + at) * dim + (i % dim)]!),
    shape: [1, count, 1, dim],
  });
  for (let at = 0; at < 6; at++) {
    const out = attention.forward(token(q, heads, at), token(k, kvHeads, at), token(v, kvHeads, at), { cache });
    const want = token({ data: whole, shape: [] }, heads, at).data;
    expect(largestDifference(out.data, want)).toBeLessThan(1e-6);
    expect(cache.length).toBe(at + 1);
  }
  for (const object of [cache, attention, rope]) object.dispose();
});

test('a cache appends, truncates, reorders, clones and slides', () => {
  const attention = posenc.attention({ heads, kvHeads, headDim: dim });
  const cache = attention.cache({ batch: 2, maxLength: 6 });
  const tokens = (count: number, seed: number): [TensorLike, TensorLike] => [random([2, kvHeads, count, dim], seed), random([2, kvHeads, count, dim], seed + 1)];
  expect(cache).toMatchObject({ batch: 2, length: 0 });
  cache.append(...tokens(3, 1));
  cache.append(...tokens(2, 5), { counts: [2, 1] });
  expect([...cache.lengths]).toEqual([5, 4]);
  expect(cache.capacity).toBeGreaterThanOrEqual(5);
  expect(cache.bytes).toBeGreaterThan(0);

  const copy = cache.clone();
  copy.reorder([1, 1, 0]);
  expect([...copy.lengths]).toEqual([4, 4, 5]);
  copy.truncate([1, 2, 3]);
  expect([...copy.lengths]).toEqual([1, 2, 3]);
  copy.slide(2);
  expect([...copy.lengths]).toEqual([1, 2, 2]);
  copy.truncate(1);
  expect([...copy.lengths]).toEqual([1, 1, 1]);
  expect([...cache.lengths]).toEqual([5, 4]);

  const lengths = [...cache.lengths];
  const wrong: [() => unknown, string][] = [
    [() => cache.append(...tokens(2, 1)), 'outOfRange'],
    [() => cache.append(random([1, kvHeads, 1, dim]), random([1, kvHeads, 1, dim])), 'shapeMismatch'],
    [() => cache.append(random([2, kvHeads, 1, dim]), random([2, kvHeads, 2, dim])), 'shapeMismatch'],
    [() => cache.append(random([2, kvHeads, 1, dim + 1]), random([2, kvHeads, 1, dim])), 'shapeMismatch'],
    [() => cache.append(...tokens(1, 1), { counts: [1, 0.5] }), 'invalidType'],
    [() => cache.append(...tokens(1, 1), { counts: [1] }), 'shapeMismatch'],
    [() => cache.truncate(-1), 'outOfRange'],
    [() => cache.truncate([9, 0]), 'outOfRange'],
    [() => cache.truncate([1]), 'shapeMismatch'],
    [() => cache.reorder([2, 0]), 'outOfRange'],
    [() => cache.reorder([0.5, 0]), 'invalidType'],
    [() => attention.cache({ keys: 'sideways' as 'raw' }), 'outOfRange'],
    [() => attention.cache({ size: 4 } as object), 'unknownOption'],
  ];
  for (const [call, code] of wrong) {
    expect(errorOf(call).code).toBe(code);
    expect([...cache.lengths]).toEqual(lengths);
  }
  const other = posenc.attention({ heads, kvHeads, headDim: dim });
  const { q, k, v } = inputs([2], 1, 1);
  expect(errorOf(() => other.forward(q, k, v, { cache }))).toMatchObject({ code: 'unsupported', parameter: 'cache' });
  cache.dispose();
  expect(errorOf(() => cache.length).code).toBe('disposed');
  expect(errorOf(() => attention.forward(q, k, v, { cache }))).toMatchObject({ code: 'disposed', parameter: 'cache' });
  for (const object of [copy, attention, other]) object.dispose();
});
