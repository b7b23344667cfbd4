// Attention through the API: layouts, masks, gradients by name. Accuracy over all settings is tested in C++ and by the
// golden cases.
import type { AttentionCallOptions } from 'posenc';
import { expect, test } from 'vitest';

import { type Setup, dim, heads, inputs, kvHeads, plain } from './support/attention-inputs.js';
import { errorOf, largestDifference, loadPosenc, random } from './support/posenc.js';

const posenc = await loadPosenc();

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
