// Faults that users reported of other implementations, section E: numbers of attention; and what sections A and B say
// of whole rows (A6 padding on the left, with every encoding).
//
//   E1 rows that see nothing               nothing to see: ..., hidden values ...
//   E2 a naive softmax overflows           large scores ...
//   A6 left padding                        a row padded on the left ...
import { describe, expect, test } from 'vitest';

import { largestDifference, loadPosenc, random } from '../support/posenc.js';
import { type Sample, attentionOptions, headDim, heads, make, places, samplesIn } from '../support/samples.js';

const posenc = await loadPosenc();
const attended = samplesIn('rotary', 'bias', 'relative', 'none').map((sample): [string, Sample] => [sample.title, sample]);

describe('nothing to see', () => {
  const [q, k, v] = [random([heads, 3, headDim], 1), random([2, 5, headDim], 2), random([2, 5, headDim], 3)];
  /** Query 1 sees nothing. */
  const mask = { data: Uint8Array.from({ length: 15 }, (_, at) => (Math.floor(at / 5) === 1 ? 0 : 1)), shape: [3, 5] };
  const hidden = { data: Float32Array.from(mask.data, (x) => (x === 1 ? 0 : -Infinity)), shape: [3, 5] };

  test.each([['booleans', mask], ['numbers', hidden]] as const)('weights and output are exactly 0, other rows as they were: a mask of %s', (_, given) => {
    const attention = posenc.attention({ heads, kvHeads: 2, headDim });
    const all = attention.forward(q, k, v).data;
    const { out, lse } = attention.forwardForGrad(q, k, v, { mask: given });
    const weights = attention.weights(q, k, { mask: given }).data;
    for (let h = 0; h < heads; h++) {
      for (let i = 0; i < 3; i++) {
        const row = out.data.slice((h * 3 + i) * headDim, (h * 3 + i + 1) * headDim);
        if (i === 1) {
          expect(row.every((x) => x === 0)).toBe(true);
          expect(weights.slice((h * 3 + 1) * 5, (h * 3 + 2) * 5).every((x) => x === 0)).toBe(true);
          expect(lse.data[h * 3 + 1]).toBe(-Infinity);
        } else expect(largestDifference(row, all.slice((h * 3 + i) * headDim, (h * 3 + i + 1) * headDim))).toBeLessThan(1e-6);
      }
    }
    const gradients = attention.backward({ q, k, v, out, lse, dOut: random([heads, 3, headDim], 4), mask: given });
    for (const { data } of [gradients.dq, gradients.dk, gradients.dv]) expect(data.every(Number.isFinite)).toBe(true);
    attention.dispose();
  });

  test.each(attended)('no length, one query or a batch row of padding with %s', (_, sample) => {
    const encoding = make(posenc, sample);
    if ((encoding as { relations?: number }).relations) return encoding.dispose();
    const attention = posenc.attention({ ...attentionOptions, causal: false, encodings: [encoding] });
    const at = (queries: number, keys: number): object => (encoding.axes === 1 ? {} : { positions: { q: places(encoding.axes, 0, queries), k: places(encoding.axes, 0, keys) } });
    for (const keyLengths of [[0], [1]]) {
      const out = attention.forward(q, k, v, { keyLengths, ...at(3, 5) }).data;
      if (keyLengths[0] === 0) expect(out.every((x) => x === 0)).toBe(true);
      else expect(out.every(Number.isFinite)).toBe(true);
    }
    const none = attention.forward(q, { data: new Float32Array(0), shape: [2, 0, headDim] }, { data: new Float32Array(0), shape: [2, 0, headDim] }, at(3, 0));
    expect(none.data.every((x) => x === 0)).toBe(true);
    expect(attention.forward({ data: new Float32Array(0), shape: [heads, 0, headDim] }, k, v, at(0, 5)).shape).toEqual([heads, 0, headDim]);
    attention.dispose();
    encoding.dispose();
  });

  test.each(attended)('hidden keys and values, NaN included, leave no trace: %s', (_, sample) => {
    const encoding = make(posenc, sample);
    if ((encoding as { relations?: number }).relations) return encoding.dispose();
    const attention = posenc.attention({ ...attentionOptions, causal: false, encodings: [encoding] });
    const positions = encoding.axes === 1 ? {} : { positions: { q: places(encoding.axes, 0, 3), k: places(encoding.axes, 0, 5) } };
    const sees = { data: Uint8Array.of(1, 0, 1, 1, 0), shape: [5] };
    const spoilt = (t: typeof k): typeof k => ({ ...t, data: t.data.map((x, at) => ([1, 4].includes(Math.floor(at / headDim) % 5) ? [NaN, Infinity, -Infinity][at % 3]! : x)) });
    const run = (keys: typeof k, values: typeof v): unknown => {
      const options = { mask: sees, ...positions };
      const { out, lse } = attention.forwardForGrad(q, keys, values, options);
      const { dq, params } = attention.backward({ q, k: keys, v: values, out, lse, dOut: random([heads, 3, headDim], 4), ...options });
      return { out, lse, dq, params };
    };
    expect(run(spoilt(k), spoilt(v))).toEqual(run(k, v));
    attention.dispose();
    encoding.dispose();
  });
});

describe('large scores', () => {
  test.each([
    [[1000, 1000], [0.5, 0.5]],
    [[1e30, -1e30], [1, 0]],
    [[151.29, 151.29, 0], [0.5, 0.5, 0]],
    [[-1000, -1000], [0.5, 0.5]],
    [[-3e38, -3e38, -3e38, -3e38], [0.25, 0.25, 0.25, 0.25]],
    [[89, 0], [1, 0]],
  ])('%j make %j', (scores, weights) => {
    const attention = posenc.attention({ heads: 1, headDim: 1, scale: 1 });
    const one = { data: Float32Array.of(1), shape: [1, 1, 1] };
    const keys = { data: Float32Array.from(scores), shape: [1, scores.length, 1] };
    expect(largestDifference(attention.weights(one, keys).data, weights)).toBeLessThan(1e-6);
    const values = { data: Float32Array.from(scores, (_, i) => i + 1), shape: [1, scores.length, 1] };
    const want = weights.reduce((sum, w, i) => sum + w * (i + 1), 0);
    expect(attention.forward(one, keys, values).data[0]).toBeCloseTo(want, 5);
    // The same by a mask, and with a cache.
    const zeros = { data: new Float32Array(scores.length), shape: [1, scores.length, 1] };
    const mask = { data: Float32Array.from(scores), shape: [scores.length] };
    expect(attention.forward(one, zeros, values, { mask }).data[0]).toBeCloseTo(want, 5);
    const cache = attention.cache();
    expect(attention.forward(one, keys, values, { cache }).data[0]).toBeCloseTo(want, 5);
    for (const owned of [cache, attention]) owned.dispose();
  });
});

describe('a row padded on the left is the row alone', () => {
  const padding = 3;
  test.each(attended)('%s', (_, sample) => {
    const encoding = make(posenc, sample);
    if ((encoding as { relations?: number }).relations) return encoding.dispose();
    const attention = posenc.attention({ ...attentionOptions, encodings: [encoding] });
    const tokens = 6;
    const whole = [random([heads, padding + tokens, headDim], 1), random([2, padding + tokens, headDim], 2), random([2, padding + tokens, headDim], 3)] as const;
    const tail = (t: (typeof whole)[number]): (typeof whole)[number] => {
      const count = t.shape[0] ?? 0;
      const rows = Array.from({ length: count }, (__, h) => [...t.data.subarray((h * (padding + tokens) + padding) * headDim, (h + 1) * (padding + tokens) * headDim)]);
      return { data: Float32Array.from(rows.flat()), shape: [count, tokens, headDim] };
    };
    const own = places(encoding.axes, 0, tokens);
    const padded = [...own.slice(0, padding), ...own] as number[];
    const mask = { data: Uint8Array.from({ length: padding + tokens }, (__, j) => (j < padding ? 0 : 1)), shape: [padding + tokens] };
    const alone = attention.forward(tail(whole[0]), tail(whole[1]), tail(whole[2]), { positions: { q: own, k: own } });
    const got = attention.forward(...whole, { mask, positions: { q: padded, k: padded } });
    expect(largestDifference(tail(got as (typeof whole)[number]).data, alone.data)).toBeLessThan(2e-6);
    attention.dispose();
    encoding.dispose();
  });
});
