// Attention layers through the API: weights in all their forms, encodings, caches, gradients by name, and errors.
// Accuracy over all settings is tested in C++.
import type { AttentionLayer, AttentionLayerConfig, LayerWeights, TensorLike } from 'posenc';
import { Tensor } from 'posenc';
import { expect, test } from 'vitest';

import { type Numbers, dim, heads, plain, project } from './support/plain-layer.js';
import { errorOf, largestDifference, loadPosenc, numbers, random } from './support/posenc.js';

const posenc = await loadPosenc();
const seq = 5;
const causal = (_h: number, i: number, j: number): number => (j > i ? -Infinity : 0);
const transposed = ({ data, shape }: Tensor): Tensor => {
  const [rows = 0, columns = 0] = shape;
  return new Tensor(data.map((_, n) => data[(n % rows) * columns + Math.floor(n / rows)]!), [columns, rows]);
};

test('forward is the formula, with biases, causal or across', () => {
  const layer = posenc.attentionLayer({ dim, heads, causal: true, seed: 3, weights: { bq: numbers(dim, 1), bv: numbers(dim, 2), bo: numbers(dim, 3) } });
  expect(layer).toMatchObject({ dim, contextDim: dim, outDim: dim, heads, kvHeads: heads, headDim: 4, valueDim: 4, seed: 3 });
  const x = random([seq, dim], 1);
  const out = layer.forward(x);
  expect(out.shape).toEqual([seq, dim]);
  expect(largestDifference(out.data, plain(layer, x.data, x.data, causal))).toBeLessThan(2e-6);
  layer.dispose();

  const across = posenc.attentionLayer({ dim, heads });
  const context = random([3, dim], 2);
  expect(largestDifference(across.forward(x, { context }).data, plain(across, x.data, context.data))).toBeLessThan(2e-6);
  const batch = across.forward({ data: numbers(2 * seq * dim, 1), shape: [2, seq, dim] });
  expect(batch.data.slice(0, seq * dim)).toEqual(across.forward(x).data);
  across.dispose();
});

test('weights have their shapes, packed weights are split, and the other layout is the same layer', () => {
  const options = { dim: 6, heads: 4, kvHeads: 2, headDim: 5, valueDim: 3 };
  const layer = posenc.attentionLayer({ ...options, seed: 1 });
  const shapes = (each: AttentionLayer): object => Object.fromEntries(Object.entries(each.parameters).map(([name, { shape }]) => [name, shape]));
  expect(shapes(layer)).toEqual({ Wq: [6, 20], Wk: [6, 10], Wv: [6, 6], Wo: [12, 6], bq: [20], bk: [10], bv: [6], bo: [6] });
  const { Wq, Wk, Wv, Wo } = layer.parameters as Record<'Wq' | 'Wk' | 'Wv' | 'Wo', Tensor>;
  const x = random([seq, 6], 1);
  const want = layer.forward(x);

  const sideBySide = new Tensor(
    Float32Array.from({ length: 6 * 36 }, (_, n) => {
      const [row, column] = [Math.floor(n / 36), n % 36];
      if (column < 20) return Wq.data[row * 20 + column]!;
      return column < 30 ? Wk.data[row * 10 + column - 20]! : Wv.data[row * 6 + column - 30]!;
    }),
    [6, 36],
  );
  const packed = posenc.attentionLayer({ ...options, weights: { Wqkv: sideBySide, bqkv: new Float32Array(36), Wo } });
  expect(packed.forward(x).data).toEqual(want.data);

  const turned = posenc.attentionLayer({
    ...options,
    weightLayout: 'outIn',
    weights: { Wq: transposed(Wq), Wk: transposed(Wk), Wv: transposed(Wv), Wo: transposed(Wo) },
  });
  expect(shapes(turned)).toMatchObject({ Wq: [20, 6], Wk: [10, 6], Wv: [6, 6], Wo: [6, 12] });
  expect(largestDifference(turned.forward(x).data, want.data)).toBeLessThan(1e-6);
  const below = posenc.attentionLayer({ ...options, weightLayout: 'outIn', weights: { Wqkv: transposed(sideBySide), Wo: transposed(Wo) } });
  expect(below.forward(x).data).toEqual(turned.forward(x).data);
  for (const each of [layer, packed, turned, below]) each.dispose();
});

test('initial weights: Glorot, and the same for the same seed', () => {
  const [one, same, other] = [5, 5, 6].map((seed) => posenc.attentionLayer({ dim: 64, heads, seed })) as [AttentionLayer, AttentionLayer, AttentionLayer];
  expect(one.parameters['Wq']!.data).toEqual(same.parameters['Wq']!.data);
  expect(one.parameters['Wq']!.data).not.toEqual(other.parameters['Wq']!.data);
  const largest = Math.max(...one.parameters['Wo']!.data.map(Math.abs));
  expect(largest).toBeLessThanOrEqual(Math.fround(Math.sqrt(6 / 128)));
  expect(largest).toBeGreaterThan(0.99 * Math.sqrt(6 / 128));
  expect(one.parameters['bo']!.data.every((value) => value === 0)).toBe(true);
  for (const layer of [one, same, other]) layer.dispose();
});

test('input encodings are added first, the others act in the attention', () => {
  const rows = posenc.sinusoidal({ dim });
  const alibi = posenc.alibi({ heads });
  const layer = posenc.attentionLayer({ dim, heads, causal: true, encodings: [alibi, rows] });
  const x = random([seq, dim], 4);
  const slope = (h: number, i: number, j: number): number => causal(h, i, j) - alibi.slopes.data[h]! * (i - j);
  const at = (first: number): number[] => {
    const with_ = rows.add(x, { positions: first });
    return plain(layer, with_.data, with_.data, slope);
  };
  expect(largestDifference(layer.forward(x).data, at(0))).toBeLessThan(2e-6);
  expect(largestDifference(layer.forward(x, { positions: 7 }).data, at(7))).toBeLessThan(2e-6);
  expect(largestDifference(layer.forward(x, { inputPositions: 7 }).data, at(7))).toBeLessThan(2e-6);
  expect(layer.forward(x, { positions: { q: 7, k: 7 } }).data).toEqual(layer.forward(x, { positions: 7 }).data);

  const queries = posenc.attentionLayer({ dim, heads, addTo: 'q', encodings: [rows] });
  const context = random([3, dim], 2);
  expect(largestDifference(queries.forward(x, { context }).data, plain(queries, rows.add(x).data, context.data))).toBeLessThan(2e-6);
  for (const object of [layer, queries, rows, alibi]) object.dispose();
});

test("DeBERTa's decoder of masked words: absolute positions for the queries alone, beside the relative terms", () => {
  const rows = posenc.learned({ dim, maxLength: 9, weights: { table: numbers(72, 3) } });
  const deberta = posenc.deberta({ heads, headDim: dim / heads, dim, span: 4 });
  const layer = posenc.attentionLayer({ dim, heads, addTo: 'q', outputProjection: false, encodings: [rows, deberta] });
  const attention = posenc.attention({ heads, headDim: dim / heads, encodings: [deberta] });
  const hidden = random([seq, dim], 1);
  const p = layer.parameters;
  const parts = (x: Numbers, part: 'q' | 'k' | 'v') => {
    return { data: Float32Array.from(project(x, p[`W${part}`]!.data, p[`b${part}`]?.data, dim, dim)), shape: [seq, dim] };
  };
  const [q, k, v] = [parts(rows.add(hidden).data, 'q'), parts(hidden.data, 'k'), parts(hidden.data, 'v')];
  const want = attention.forward(q, k, v, { layout: 'packed' });
  expect(largestDifference(layer.forward(hidden).data, want.data)).toBeLessThan(2e-6);
  for (const object of [layer, attention, deberta, rows]) object.dispose();
});

test('one by one with a cache is the whole; a context is read once', () => {
  const rope = posenc.rope({ headDim: 4 });
  const rows = posenc.sinusoidal({ dim });
  const layer = posenc.attentionLayer({ dim, heads, causal: true, encodings: [rope, rows] });
  const x = random([1, seq, dim], 1);
  const whole = layer.forward(x).data;
  const row = (at: number): TensorLike => ({ data: x.data.slice(at * dim, (at + 1) * dim), shape: [1, 1, dim] });
  const cache = layer.cache();
  for (let at = 0; at < seq; at++) {
    const out = layer.forward(row(at), { cache });
    expect(largestDifference(out.data, whole.slice(at * dim, (at + 1) * dim))).toBeLessThan(1e-6);
    expect(cache.length).toBe(at + 1);
  }
  const across = posenc.attentionLayer({ dim, heads, contextDim: 6 });
  const context = random([1, 4, 6], 2);
  const kept = across.cache();
  const want = across.forward(x, { context }).data;
  across.forward(row(0), { context, cache: kept });
  const next = across.forward(row(1), { context: { data: new Float32Array(0), shape: [1, 0, 6] }, cache: kept });
  expect(largestDifference(next.data, want.slice(dim, 2 * dim))).toBeLessThan(1e-6);
  expect(errorOf(() => across.forward(row(0), { context, cache }))).toMatchObject({ code: 'unsupported', parameter: 'cache' });
  for (const object of [cache, kept, layer, across, rope, rows]) object.dispose();
});

test('scores, lengths, masks, and places for results', () => {
  const layer = posenc.attentionLayer({ dim, heads, causal: true });
  const x = random([2, seq, dim], 1);
  const weights = layer.scores(x, 'weights', { keyLengths: [5, 3] });
  expect(weights.shape).toEqual([2, heads, seq, seq]);
  weights.data.forEach((weight, n) => {
    const [b, i, j] = [Math.floor(n / (heads * seq * seq)), Math.floor(n / seq) % seq, n % seq];
    if (j > i || j >= [5, 3][b]!) expect(weight).toBe(0);
    else expect(weight).toBeGreaterThan(0);
  });
  const heap = posenc.tensor([2, seq, dim], x);
  const into = posenc.tensor([2, seq, dim]);
  expect(layer.forward(heap, { into })).toBe(into);
  expect(into.view()).toEqual(layer.forward(x).data);
  expect(errorOf(() => layer.forward(heap, { into: heap }))).toMatchObject({ code: 'aliasing', parameter: 'into' });
  for (const object of [heap, into, layer]) object.dispose();
});

test('parameters change all together or not at all', () => {
  const alibi = posenc.alibi({ heads, trainable: true });
  const layer = posenc.attentionLayer({ dim, heads, encodings: [alibi] });
  const before = layer.parameters;
  expect(Object.keys(before)).toEqual(layer.trainable);
  const wrong: [object, string, string][] = [
    [{ Wq: numbers(64), bo: new Float32Array(7) }, 'shapeMismatch', 'weights.bo'],
    [{ Wq: numbers(64), Wk: new Float32Array(64).fill(NaN) }, 'outOfRange', 'weights.Wk'],
    [{ Wq: random([4, 16]) }, 'shapeMismatch', 'weights.Wq'],
    [{ Wx: numbers(64) }, 'unknownOption', 'weights.Wx'],
    [{ Wqkv: random([24, 8]) }, 'shapeMismatch', 'weights.Wqkv'],
    [{ Wqkv: random([8, 24]), Wk: random([8, 8]) }, 'unsupported', 'weights.Wk'],
    [{ Wq: numbers(64), 'alibi.slopes': numbers(3) }, 'shapeMismatch', 'weights.alibi.slopes'],
    [{ Wq: numbers(64), 'alibi.table': numbers(3) }, 'unknownOption', 'weights.alibi.table'],
    [{ Wq: 'x' }, 'invalidType', 'weights.Wq'],
  ];
  for (const [values, code, parameter] of wrong) {
    expect(errorOf(() => void (layer.parameters = values as LayerWeights))).toMatchObject({ code, parameter });
    expect(layer.parameters).toEqual(before);
  }
  layer.parameters = { Wq: numbers(64, 9), 'alibi.slopes': numbers(2, 9) };
  expect(layer.parameters['Wq']!.data).toEqual(numbers(64, 9));
  expect(alibi.slopes.data).toEqual(numbers(2, 9));
  for (const object of [layer, alibi]) object.dispose();
});

test.each<[string, object, string, string]>([
  ['no width', { heads }, 'missingOption', 'dim'],
  ['no heads', { dim }, 'missingOption', 'heads'],
  ['a width that heads do not divide', { dim: 9, heads }, 'outOfRange', 'dim'],
  ['a layout that is none', { dim, heads, weightLayout: 'inIn' }, 'outOfRange', 'weightLayout'],
  ['a bias of an output that is not projected', { dim, heads, outputProjection: false, outputBias: true }, 'unknownOption', 'outputBias'],
  ['an unknown option', { dim, heads, dropout: 0.1 }, 'unknownOption', 'dropout'],
  ['a seed that is none', { dim, heads, seed: -1 }, 'outOfRange', 'seed'],
  ['something that is no encoding', { dim, heads, encodings: [{}] }, 'invalidType', 'encodings[0]'],
  ['a weight of another shape', { dim, heads, weights: { Wq: random([8, 9]) } }, 'shapeMismatch', 'weights.Wq'],
  ['packed weights of two widths', { dim, heads, contextDim: 6, weights: { Wqkv: random([8, 24]) } }, 'unsupported', 'weights.Wqkv'],
])('refuses a layer with %s', (_, options, code, parameter) => {
  const { layers, attentions } = posenc.memory();
  expect(errorOf(() => posenc.attentionLayer(options as AttentionLayerConfig))).toMatchObject({ code, parameter });
  expect(posenc.memory()).toMatchObject({ layers, attentions });
});

const setup = random([seq, dim], 1);
test.each<[string, (layer: AttentionLayer) => unknown, string, string]>([
  ['width of x', (l) => l.forward(random([seq, dim + 1])), 'shapeMismatch', 'x'],
  ['kind of x', (l) => l.forward(3 as unknown as TensorLike), 'invalidType', 'x'],
  ['width of the context', (l) => l.forward(setup, { context: random([3, 6]) }), 'shapeMismatch', 'context'],
  ['batch of the context', (l) => l.forward(setup, { context: random([2, 3, dim]) }), 'shapeMismatch', 'context'],
  ['an unknown option', (l) => l.forward(setup, { layout: 'heads' } as object), 'unknownOption', 'layout'],
  ['length of positions', (l) => l.forward(setup, { positions: [0, 1] }), 'shapeMismatch', 'positions.q'],
  ['length of input positions', (l) => l.forward(setup, { inputPositions: [0, 1] }), 'shapeMismatch', 'inputPositions.q'],
  ['value of positions', (l) => l.forward(setup, { positions: [0, 1, 2, NaN, 4] }), 'outsideDomain', 'positions.q'],
  ['shape of the mask', (l) => l.forward(setup, { mask: random([2, 4]) }), 'shapeMismatch', 'mask'],
  ['number of keyLengths', (l) => l.forward(setup, { keyLengths: [1, 2] }), 'shapeMismatch', 'keyLengths'],
  ['shape of into', (l) => l.forward(setup, { into: new Float32Array(3) }), 'shapeMismatch', 'into'],
  ['stage', (l) => l.scores(setup, 'final' as 'raw'), 'outOfRange', 'stage'],
  ['a place for the gradient of no context', (l) => l.backward({ x: setup, attended: setup, lse: random([heads, seq]), dOut: setup, into: { dContext: setup } }), 'unknownOption', 'into.dContext'],
  ['shape of lse', (l) => l.backward({ x: setup, attended: setup, lse: random([seq]), dOut: setup }), 'shapeMismatch', 'lse'],
])('refuses wrong %s, and goes on', (_, call, code, parameter) => {
  const rows = posenc.sinusoidal({ dim });
  const layer = posenc.attentionLayer({ dim, heads, encodings: [rows] });
  expect(errorOf(() => call(layer))).toMatchObject({ code, parameter });
  const x = rows.add(setup).data;
  expect(largestDifference(layer.forward(setup).data, plain(layer, x, x))).toBeLessThan(2e-6);
  for (const object of [layer, rows]) object.dispose();
});

test('layers come and go without a trace, and a disposed encoding is an error', () => {
  const alibi = posenc.alibi({ heads });
  const before = posenc.memory();
  for (let round = 0; round < 100; round++) {
    const layer = posenc.attentionLayer({ dim, heads, encodings: [alibi] });
    layer.forward(setup);
    layer.dispose();
    expect(errorOf(() => layer.forward(setup))).toMatchObject({ code: 'disposed', parameter: 'layer' });
  }
  expect(posenc.memory()).toMatchObject({ layers: before.layers, attentions: before.attentions });
  const layer = posenc.attentionLayer({ dim, heads, encodings: [alibi] });
  expect(posenc.memory().layers).toBe(before.layers + 1);
  alibi.dispose();
  expect(errorOf(() => layer.forward(setup))).toMatchObject({ code: 'disposed', parameter: 'encodings[0]' });
  layer.dispose();
});
