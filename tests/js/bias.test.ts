// Biases through the API: relations and boxes given per call, operations, and cosine logits.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BiasEncoding, Posenc } from 'posenc';
import { errorOf, largestDifference, loadPosenc, random } from './support/posenc.js';

let posenc: Posenc;
beforeAll(async () => {
  posenc = await loadPosenc();
});

/** A bias as the mask that attention adds, [heads, q, k]. */
function asMask(bias: { data: Float32Array; shape: readonly number[] }) {
  return { data: bias.data, shape: bias.shape };
}

describe('relations', () => {
  const ids = { data: Int32Array.of(0, 1, 2, 2, 1, 0), shape: [2, 3] };
  const other = { data: [3, 3, 1, 0, 0, 2], shape: [2, 3] };
  const made: BiasEncoding[] = [];
  const relation = (name: string, relations: number, seed: number) => {
    const encoding = posenc.relation({ heads: 2, relations, name, seed });
    made.push(encoding as unknown as BiasEncoding);
    return encoding;
  };
  afterAll(() => made.forEach((encoding) => encoding.dispose()));

  test('bias looks the ids up, and the gradient goes back to them', () => {
    const encoding = relation('graph', 3, 1);
    const bias = encoding.bias(2, 3, { relations: ids });
    const table = encoding.table.data;
    expect([...bias.data]).toEqual([0, 1].flatMap((head) => [...ids.data].map((id) => table[2 * id + head])));
    const dBias = { data: new Float32Array(12).fill(1), shape: [2, 2, 3] };
    expect([...(encoding.backward(dBias, { relations: ids }).table?.data ?? [])]).toEqual([2, 2, 2, 2, 2, 2]);
    expect(encoding.bias(2, 3, { relations: [0, 1, 2, 2, 1, 0] }).data).toEqual(bias.data);
    expect(encoding.bias(0, 3, { relations: [] }).shape).toEqual([2, 0, 3]);
  });

  test('attention takes one matrix, or one by name, shared or per batch row', () => {
    const [a, b] = [relation('a', 3, 1), relation('b', 4, 2)];
    const [q, k, v, dOut] = [random([2, 2, 2, 4], 1), random([2, 2, 3, 4], 2), random([2, 2, 3, 4], 3), random([2, 2, 2, 4], 4)];
    const one = posenc.attention({ heads: 2, headDim: 4, encodings: [a] });
    const plain = posenc.attention({ heads: 2, headDim: 4 });
    const bias = a.bias(2, 3, { relations: ids });
    const want = plain.forward(q, k, v, { mask: asMask(bias) });
    expect(largestDifference(one.forward(q, k, v, { relations: ids }).data, want.data)).toBeLessThan(1e-6);
    const twice = { data: [...ids.data, ...ids.data], shape: [2, 2, 3] };
    expect(one.forward(q, k, v, { relations: twice }).data).toEqual(one.forward(q, k, v, { relations: { a: ids } }).data);

    const both = posenc.attention({ heads: 2, headDim: 4, encodings: [a, b] });
    const relations = { a: ids, b: other };
    const second = b.bias(2, 3, { relations: other });
    const sum = { data: bias.data.map((value, i) => value + (second.data[i] ?? 0)), shape: bias.shape };
    const { out, lse } = both.forwardForGrad(q, k, v, { relations });
    expect(largestDifference(out.data, plain.forward(q, k, v, { mask: sum }).data)).toBeLessThan(1e-6);
    const scores = both.scores(q, k, 'biased', { relations });
    expect(largestDifference(scores.data, plain.scores(q, k, 'biased', { mask: sum }).data)).toBeLessThan(1e-6);
    const { params } = both.backward({ q, k, v, out, lse, dOut, relations });
    const dMask = plain.backward({ q, k, v, out, lse, dOut, mask: sum }).dMask;
    const dBias = { data: dMask?.data ?? new Float32Array(), shape: [2, 2, 3] };
    const dTable = b.backward(dBias, { relations: other }).table;
    expect(largestDifference(params['b.table']?.data ?? [], dTable?.data ?? [])).toBeLessThan(1e-6);
    for (const attention of [one, plain, both]) attention.dispose();
  });

  test('with a cache, keys are all that it holds', () => {
    const a = relation('held', 3, 5);
    const attention = posenc.attention({ heads: 2, headDim: 4, encodings: [a] });
    const cache = attention.cache();
    const [q, k, v] = [random([2, 3, 4], 1), random([2, 3, 4], 2), random([2, 3, 4], 3)];
    const step = (t: typeof q, i: number) => ({ data: Float32Array.from([0, 1].flatMap((h) => [...t.data.subarray((3 * h + i) * 4, (3 * h + i + 1) * 4)])), shape: [2, 1, 4] });
    const square = Int32Array.of(0, 1, 2, 1, 0, 1, 2, 1, 0);
    const whole = attention.forward(q, k, v, { relations: square, mask: { data: Uint8Array.of(1, 0, 0, 1, 1, 0, 1, 1, 1), shape: [3, 3] } });
    for (let i = 0; i < 3; i++) {
      const out = attention.forward(step(q, i), step(k, i), step(v, i), { cache, relations: square.slice(3 * i, 3 * i + i + 1) });
      expect(largestDifference(out.data, step({ data: whole.data, shape: [2, 3, 4] }, i).data)).toBeLessThan(1e-6);
    }
    cache.dispose();
    attention.dispose();
  });

  test('what is refused, by name', () => {
    const a = relation('known', 3, 1);
    const t5 = posenc.t5({ heads: 2 });
    const attention = posenc.attention({ heads: 2, headDim: 4, encodings: [a, t5] });
    const [q, k] = [random([2, 2, 4]), random([2, 3, 4])];
    const call = (relations: unknown) => errorOf(() => attention.forward(q, k, k, { relations } as never));
    expect(call(undefined)).toMatchObject({ code: 'missingOption', parameter: 'relations.known' });
    expect(call({ data: [0, 1, 2, 3, 1, 0], shape: [2, 3] })).toMatchObject({ code: 'outOfRange', received: '3 at index 3' });
    expect(call({ data: [0, 1, 2, 2, 1, 0], shape: [3, 2] })).toMatchObject({ code: 'shapeMismatch', parameter: 'relations.known' });
    expect(call({ strange: ids, known: ids })).toMatchObject({ code: 'unknownOption', parameter: 'relations.strange' });
    expect(call(5)).toMatchObject({ code: 'invalidType', parameter: 'relations' });
    expect(errorOf(() => a.bias(2, 3))).toMatchObject({ code: 'missingOption', parameter: 'relations' });
    expect(errorOf(() => t5.bias(2, 3, { relations: ids }))).toMatchObject({ code: 'unknownOption', parameter: 'relations' });
    expect(errorOf(() => a.bias(2, 3, { relations: [0, 0.5, 0, 0, 0, 0] }))).toMatchObject({ code: 'invalidType' });
    attention.dispose();
    t5.dispose();
  });
});

describe('boxes', () => {
  test('go in as positions with several numbers each, per batch row', () => {
    const layout = posenc.layoutBias({ heads: 2, seed: 3 });
    const boxes = { data: Int32Array.from({ length: 24 }, (_, i) => (i * 37) % 1000), shape: [2, 3, 4] };
    const positions = layout.positions(boxes);
    expect(positions.shape).toEqual([2, 3, 5]);
    const row = (b: number) => ({ data: positions.data.slice(15 * b, 15 * b + 15), shape: [3, 5] });
    const [q, k] = [random([2, 2, 3, 4], 1), random([2, 2, 3, 4], 2)];
    const attention = posenc.attention({ heads: 2, headDim: 4, encodings: [layout] });
    const plain = posenc.attention({ heads: 2, headDim: 4 });
    const out = attention.forward(q, k, k, { positions: { q: positions, k: positions } });
    const biases = [0, 1].flatMap((b) => [...layout.bias(3, 3, { positions: { q: row(b), k: row(b) } }).data]);
    const mask = { data: Float32Array.from(biases), shape: [2, 2, 3, 3] };
    expect(largestDifference(out.data, plain.forward(q, k, k, { mask }).data)).toBeLessThan(1e-6);
    for (const owned of [attention, plain, layout]) owned.dispose();
  });
});

describe('windows', () => {
  test('the mask of shifted windows goes into attention', () => {
    const swin = posenc.swin({ heads: 2, window: { height: 2, width: 3 } });
    const mask = swin.shiftMask({ image: { height: 4, width: 6 }, shift: { height: 1, width: 1 } });
    expect(mask.shape).toEqual([4, 1, 6, 6]);
    const attention = posenc.attention({ heads: 2, headDim: 4, encodings: [swin] });
    const q = random([4, 2, 6, 4]);
    expect(attention.forward(q, q, q, { mask }).shape).toEqual([4, 2, 6, 4]);
    const seven = random([4, 2, 7, 4]);
    expect(errorOf(() => attention.forward(seven, seven, seven))).toMatchObject({ code: 'outsideDomain' });
    attention.dispose();
    swin.dispose();
  });
});

describe('cosine logits', () => {
  test('a factor per head, with its gradient', () => {
    const attention = posenc.attention({ heads: 2, headDim: 4, logits: 'cosine' });
    const [q, k, dOut] = [random([2, 3, 4], 1), random([2, 5, 4], 2), random([2, 3, 4], 3)];
    const logitScale = Float32Array.of(0, 1);
    const raw = attention.scores(q, k, 'raw', { logitScale });
    for (const [i, value] of raw.data.entries()) expect(Math.abs(value)).toBeLessThanOrEqual(i < 15 ? 1 + 1e-6 : Math.E + 1e-5);
    const { out, lse } = attention.forwardForGrad(q, k, k, { logitScale });
    const gradients = attention.backward({ q, k, v: k, out, lse, dOut, logitScale });
    expect(gradients.dLogitScale?.shape).toEqual([2]);
    const loss = (scale: Float32Array) => attention.forward(q, k, k, { logitScale: scale }).data.reduce((sum, value, i) => sum + value * (dOut.data[i] ?? 0), 0);
    const difference = (loss(Float32Array.of(0, 1.01)) - loss(Float32Array.of(0, 0.99))) / 0.02;
    expect(gradients.dLogitScale?.data[1]).toBeCloseTo(difference, 3);
    expect(errorOf(() => attention.forward(q, k, k, { logitScale: Float32Array.of(1) }))).toMatchObject({ code: 'shapeMismatch', parameter: 'logitScale' });
    attention.dispose();
  });
});

describe('sandwich', () => {
  // Chi, Fan, Rudnicky & Ramadge 2023: the sum of cosines, and the product of sinusoidal rows that it comes from.
  test('the sum, by hand', () => {
    const sandwich = posenc.sandwich({ heads: 4, dim: 4, base: 10000 });
    const { data } = sandwich.bias(3, 3);
    // Σ cos(δ / 100) + cos(δ / 10000) - 2 for δ = 1 and 2, divided by 8 (h + 1) / 4 = 2, 4, 6, 8.
    const sums = [0, -5.00045833347e-5, -2.00013333422e-4];
    for (let h = 0; h < 4; h++) {
      for (let n = 0; n < 9; n++) {
        const distance = Math.abs(Math.floor(n / 3) - (n % 3));
        expect(Math.abs((data[h * 9 + n] ?? NaN) - (sums[distance] ?? NaN) / (2 * (h + 1)))).toBeLessThan(1e-7);
      }
    }
    sandwich.dispose();
  });

  test('rows of sines and cosines, multiplied with one another and divided per head', () => {
    const [heads, length, width] = [12, 40, 128];
    const rows = Array.from({ length }, (_, place) => {
      const angles = Array.from({ length: width / 2 }, (__, i) => place / 10000 ** ((2 * i) / width));
      return [...angles.map(Math.sin), ...angles.map(Math.cos)];
    });
    const sandwich = posenc.sandwich({ heads, dim: width, firstIndex: 0, centered: false });
    const want = Array.from({ length: heads * length * length }, (_, n) => {
      const [h, i, j] = [Math.floor(n / (length * length)), Math.floor(n / length) % length, n % length];
      const product = (rows[i] ?? []).reduce((sum, value, c) => sum + value * (rows[j]?.[c] ?? NaN), 0);
      return product / (((h + 1) * 8) / heads);
    });
    const { data } = sandwich.bias(length, length);
    const worst = Math.max(...want.map((value, n) => Math.abs((data[n] ?? NaN) - value) / (1 + Math.abs(value))));
    expect(worst).toBeLessThan(1e-6);
    sandwich.dispose();
  });
});
