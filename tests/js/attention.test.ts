// Attention through the API: layouts, masks, caches, gradients by name, and errors. Accuracy over all settings is tested
// in C++ and by the golden cases.
import type { Attention, AttentionCallOptions, TensorLike } from 'posenc';
import { expect, test } from 'vitest';

import { errorOf, largestDifference, loadPosenc, random } from './support/posenc.js';

const posenc = await loadPosenc();
const [heads, kvHeads, dim] = [4, 2, 8];

interface Setup {
  q: { data: Float32Array; shape: readonly number[] };
  k: { data: Float32Array; shape: readonly number[] };
  v: { data: Float32Array; shape: readonly number[] };
}
const inputs = (batch: number[], queries: number, keys: number): Setup => ({
  q: random([...batch, heads, queries, dim], 1),
  k: random([...batch, kvHeads, keys, dim], 2),
  v: random([...batch, kvHeads, keys, dim], 3),
});

/** Attention of one batch row as the formula says, in double; `bias` gives what is added to a score. */
function plain({ q, k, v }: Setup, queries: number, keys: number, bias: (h: number, i: number, j: number) => number): number[] {
  const out: number[] = [];
  for (let h = 0; h < heads; h++) {
    const group = Math.floor(h / (heads / kvHeads));
    for (let i = 0; i < queries; i++) {
      const scores = Array.from({ length: keys }, (_, j) => {
        let sum = 0;
        for (let c = 0; c < dim; c++) sum += q.data[(h * queries + i) * dim + c]! * k.data[(group * keys + j) * dim + c]!;
        return sum / Math.sqrt(dim) + bias(h, i, j);
      });
      const largest = Math.max(...scores);
      const weights = scores.map((score) => (largest === -Infinity ? 0 : Math.exp(score - largest)));
      const total = weights.reduce((a, b) => a + b, 0);
      for (let c = 0; c < dim; c++) {
        const sum = weights.reduce((part, weight, j) => part + weight * v.data[(group * keys + j) * dim + c]!, 0);
        out.push(total === 0 ? 0 : sum / total);
      }
    }
  }
  return out;
}

test('forward is softmax attention, with a bias and a causal mask', () => {
  const alibi = posenc.alibi({ heads });
  const attention = posenc.attention({ heads, kvHeads, headDim: dim, causal: true, encodings: [alibi] });
  expect(attention).toMatchObject({ heads, kvHeads, headDim: dim, valueDim: dim });
  const setup = inputs([], 5, 9);
  const out = attention.forward(setup.q, setup.k, setup.v);
  expect(out.shape).toEqual([heads, 5, dim]);
  const slopes = alibi.slopes.data;
  const want = plain(setup, 5, 9, (h, i, j) => (j > i + 4 ? -Infinity : slopes[h]! * (j - i - 4)));
  expect(largestDifference(out.data, want)).toBeLessThan(1e-6);
  attention.dispose();
  alibi.dispose();
});

test.each<[AttentionCallOptions & { causal?: boolean | 'topLeft' }, (i: number, j: number) => boolean]>([
  [{}, () => true],
  [{ causal: 'topLeft' }, (i, j) => j <= i],
  [{ causal: true }, (i, j) => j <= i + 2],
  [{ keyLengths: [3] }, (_, j) => j < 3],
  [{ causal: true, qOffset: 1 }, (i, j) => j <= i + 1],
  [{ segments: { q: [0, 0, 1, 1], k: [0, 1, 1, 0, 0, 1] } }, (i, j) => [0, 0, 1, 1][i] === [0, 1, 1, 0, 0, 1][j]],
  [{ mask: { data: [true, false, true, true], shape: [4] } }, (_, j) => [true, false, true, true][j] ?? false],
  [{ mask: { data: Uint8Array.from([1, 0, 1, 1, 0, 1]), dims: [1, 6] } }, (_, j) => [1, 0, 1, 1, 0, 1][j] === 1],
])('%o hides keys', ({ causal, ...options }, sees) => {
  const attention = posenc.attention({ heads, kvHeads, headDim: dim, causal: causal ?? false });
  const setup = inputs([], 4, 6);
  const out = attention.forward(setup.q, setup.k, setup.v, options);
  const want = plain(setup, 4, 6, (_, i, j) => (sees(i, j) ? 0 : -Infinity));
  expect(largestDifference(out.data, want)).toBeLessThan(1e-6);
  const weights = attention.weights(setup.q, setup.k, options);
  expect(weights.shape).toEqual([heads, 4, 6]);
  weights.data.forEach((weight, at) => {
    if (!sees(Math.floor(at / 6) % 4, at % 6)) expect(weight).toBe(0);
  });
  attention.dispose();
});

test('packed layout and batch rows give what heads layout gives', () => {
  const attention = posenc.attention({ heads, kvHeads, headDim: dim });
  const { q, k, v } = inputs([2], 3, 5);
  const pack = ({ data, shape }: { data: Float32Array; shape: readonly number[] }): Setup['q'] => {
    const [batch, count, seq, width] = shape as [number, number, number, number];
    const out = new Float32Array(data.length);
    for (let row = 0; row < batch * count * seq; row++) {
      const [b, h, s] = [Math.floor(row / (count * seq)), Math.floor(row / seq) % count, row % seq];
      out.set(data.subarray(row * width, (row + 1) * width), ((b * seq + s) * count + h) * width);
    }
    return { data: out, shape: [batch, seq, count * width] };
  };
  const out = attention.forward(q, k, v);
  const packed = attention.forward(pack(q), pack(k), pack(v), { layout: 'packed' });
  expect(packed.shape).toEqual([2, 3, heads * dim]);
  expect(packed.data).toEqual(pack({ data: out.data, shape: out.shape }).data);
  attention.dispose();
});

test('softcap, additive masks and the stages of the scores', () => {
  const attention = posenc.attention({ heads, kvHeads, headDim: dim, softcap: 0.5, scale: 2 });
  const { q, k } = inputs([], 2, 3);
  const mask = random([2, 3], 9);
  const stage = (name: 'raw' | 'capped' | 'biased' | 'weights'): Float32Array => attention.scores(q, k, name, { mask }).data;
  const raw = stage('raw');
  const capped = raw.map((score) => 0.5 * Math.tanh(score / 0.5));
  expect(largestDifference(stage('capped'), capped)).toBeLessThan(1e-6);
  expect(largestDifference(stage('biased'), capped.map((score, at) => score + mask.data[at % 6]!))).toBeLessThan(1e-6);
  const weights = stage('weights');
  for (let row = 0; row < heads * 2; row++) {
    expect(weights.subarray(3 * row, 3 * row + 3).reduce((a, b) => a + b, 0)).toBeCloseTo(1, 5);
  }
  expect(errorOf(() => attention.scores(q, k, 'final' as 'raw'))).toMatchObject({ code: 'outOfRange', parameter: 'stage' });
  attention.dispose();
});

test('backward gives gradients that finite differences confirm, and those of encodings by name', () => {
  const alibi = posenc.alibi({ heads, trainable: true, name: 'far' });
  const rope = posenc.rope({ headDim: dim });
  const attention = posenc.attention({ heads, kvHeads, headDim: dim, encodings: [rope, alibi] });
  const { q, k, v } = inputs([], 3, 4);
  const mask = random([3, 4], 7);
  const dOut = random([heads, 3, dim], 8);
  const loss = (): number => attention.forward(q, k, v, { mask }).data.reduce((sum, value, i) => sum + value * dOut.data[i]!, 0);
  const { out, lse } = attention.forwardForGrad(q, k, v, { mask });
  expect(lse.shape).toEqual([heads, 3]);
  const gradients = attention.backward({ q, k, v, out, lse, dOut, mask });
  expect(Object.keys(gradients.params)).toEqual(['far.slopes']);

  const confirm = (values: Float32Array, gradient: ArrayLike<number>): void => {
    for (const at of [0, values.length - 1]) {
      const [old, step] = [values[at]!, 1 / 64];
      values[at] = old + step;
      const above = loss();
      values[at] = old - step;
      const below = loss();
      values[at] = old;
      expect(gradient[at]).toBeCloseTo((above - below) / (2 * step), 3);
    }
  };
  confirm(q.data, gradients.dq.data);
  confirm(k.data, gradients.dk.data);
  confirm(v.data, gradients.dv.data);
  confirm(mask.data, gradients.dMask?.data ?? []);
  const slopes = alibi.slopes.data;
  const at = (value: number): number => {
    slopes[1] = value;
    alibi.parameters = { slopes };
    return loss();
  };
  const old = slopes[1]!;
  expect(gradients.params['far.slopes']?.data[1]).toBeCloseTo((at(old + 1 / 64) - at(old - 1 / 64)) * 32, 3);

  const into = { dq: new Float32Array(q.data.length), dv: posenc.tensor(v.shape) };
  at(old);
  const again = attention.backward({ q, k, v, out, lse, dOut, mask, into });
  expect(again.dq).toBe(into.dq);
  expect(into.dq).toEqual(gradients.dq.data);
  expect(into.dv.view()).toEqual(gradients.dv.data);
  for (const object of [into.dv, attention, alibi, rope]) object.dispose();
});

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

const setup = inputs([], 3, 4);
const forward = (options: object): ((attention: Attention) => unknown) => (attention) => attention.forward(setup.q, setup.k, setup.v, options);

test.each<[string, (attention: Attention) => unknown, string, string]>([
  ['heads of q', (a) => a.forward(random([3, 3, dim]), setup.k, setup.v), 'shapeMismatch', 'q'],
  ['width of k', (a) => a.forward(setup.q, random([kvHeads, 4, dim + 1]), setup.v), 'shapeMismatch', 'k'],
  ['length of v', (a) => a.forward(setup.q, setup.k, random([kvHeads, 5, dim])), 'shapeMismatch', 'v'],
  ['batch of k', (a) => a.forward(random([2, heads, 3, dim]), setup.k, setup.v), 'shapeMismatch', 'k'],
  ['kind of q', (a) => a.forward({ data: new Float64Array(96), shape: [heads, 3, dim] } as unknown as TensorLike, setup.k, setup.v), 'invalidType', 'q.data'],
  ['shape of the mask', forward({ mask: random([2, 4]) }), 'shapeMismatch', 'mask'],
  ['rank of the mask', forward({ mask: random([1, 1, 1, 3, 4]) }), 'shapeMismatch', 'mask'],
  ['kind of the mask', forward({ mask: { data: new Int32Array(4), shape: [4] } }), 'invalidType', 'mask.data'],
  ['numbers in a boolean mask', forward({ mask: { data: [1, 0, 1, 1], shape: [4] } }), 'invalidType', 'mask.data'],
  ['number of keyLengths', forward({ keyLengths: [3, 4] }), 'shapeMismatch', 'keyLengths'],
  ['fraction in keyLengths', forward({ keyLengths: [2.5] }), 'invalidType', 'keyLengths[0]'],
  ['fraction in qOffset', forward({ qOffset: 0.5 }), 'invalidType', 'qOffset[0]'],
  ['size of qOffset', forward({ qOffset: 2 ** 40 }), 'outOfRange', 'qOffset[0]'],
  ['half of the segments', forward({ segments: { q: [0, 0, 0] } }), 'missingOption', 'segments.k'],
  ['number of segments', forward({ segments: [0, 0, 0] }), 'shapeMismatch', 'segments.k'],
  ['length of positions', forward({ positions: { k: [0, 1, 2] } }), 'shapeMismatch', 'positions.k'],
  ['names of positions', forward({ positions: { keys: 1 } }), 'unknownOption', 'positions.keys'],
  ['layout', forward({ layout: 'bshd' }), 'outOfRange', 'layout'],
  ['an unknown option', forward({ causal: true }), 'unknownOption', 'causal'],
  ['shape of into', forward({ into: new Float32Array(5) }), 'shapeMismatch', 'into'],
  ['into that is an input', forward({ into: setup.q }), 'aliasing', 'into'],
])('refuses wrong %s, and goes on', (_, call, code, parameter) => {
  const attention = posenc.attention({ heads, kvHeads, headDim: dim });
  expect(errorOf(() => call(attention))).toMatchObject({ code, parameter });
  const out = attention.forward(setup.q, setup.k, setup.v);
  expect(largestDifference(out.data, plain(setup, 3, 4, () => 0))).toBeLessThan(1e-6);
  attention.dispose();
});

test.each<[string, object, string, string]>([
  ['no heads', { headDim: dim }, 'missingOption', 'heads'],
  ['key heads that do not divide', { heads: 4, kvHeads: 3, headDim: dim }, 'outOfRange', 'kvHeads'],
  ['a causal that is none', { heads, headDim: dim, causal: 'left' }, 'outOfRange', 'causal'],
  ['an unknown option', { heads, headDim: dim, dropout: 0.1 }, 'unknownOption', 'dropout'],
  ['an unknown option of a group', { heads, headDim: dim, window: { size: 4 } }, 'unknownOption', 'window.size'],
  ['encodings that are no list', { heads, headDim: dim, encodings: {} }, 'invalidType', 'encodings'],
  ['something that is no encoding', { heads, headDim: dim, encodings: [{ id: 'rope' }] }, 'invalidType', 'encodings[0]'],
])('refuses an attention with %s', (_, options, code, parameter) => {
  expect(errorOf(() => posenc.attention(options as { heads: number; headDim: number }))).toMatchObject({ code, parameter });
});

test('refuses encodings that do not fit', () => {
  const [one, two] = [posenc.alibi({ heads }), posenc.alibi({ heads })];
  const narrow = posenc.rope({ headDim: 4 });
  const input = posenc.sinusoidal({ dim: heads * dim });
  const make = (...encodings: Parameters<typeof posenc.attention>[0]['encodings'] & {}): (() => unknown) => () => posenc.attention({ heads, headDim: dim, encodings });
  expect(errorOf(make(one, two))).toMatchObject({ code: 'outOfRange', parameter: 'encodings[1].name' });
  expect(errorOf(make(posenc.alibi({ heads: 3 }))).code).toBe('shapeMismatch');
  expect(errorOf(make(narrow)).code).toBe('shapeMismatch');
  expect(errorOf(make(input)).code).toBe('unsupported');
  for (const encoding of [one, two, narrow, input]) encoding.dispose();
});

test('an encoding disposed under an attention is an error, not a stale answer', () => {
  const alibi = posenc.alibi({ heads });
  const attention = posenc.attention({ heads, kvHeads, headDim: dim, encodings: [alibi] });
  alibi.dispose();
  expect(errorOf(() => attention.forward(setup.q, setup.k, setup.v))).toMatchObject({ code: 'disposed', parameter: 'encodings[0]' });
  attention.dispose();
  expect(errorOf(() => attention.forward(setup.q, setup.k, setup.v))).toMatchObject({ code: 'disposed', parameter: 'attention' });
});

test('hidden keys never leak, and a row that sees nothing is exactly zero', () => {
  const attention = posenc.attention({ heads, kvHeads, headDim: dim });
  const { q, k, v } = inputs([], 2, 3);
  const poisoned = { data: v.data.slice(), shape: v.shape };
  for (let group = 0; group < kvHeads; group++) poisoned.data.fill(NaN, (group * 3 + 2) * dim, (group * 3 + 3) * dim);
  const { out, lse } = attention.forwardForGrad(q, k, poisoned, { mask: { data: [false, false, false, true, true, false], shape: [2, 3] } });
  for (let h = 0; h < heads; h++) {
    expect(out.data.slice(h * 2 * dim, (h * 2 + 1) * dim)).toEqual(new Float32Array(dim));
    expect(lse.data[2 * h]).toBe(-Infinity);
  }
  expect(out.data.every(Number.isFinite)).toBe(true);
  attention.dispose();
});
