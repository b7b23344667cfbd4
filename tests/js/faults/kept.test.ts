// What a caller changes after a call has taken it: lists and groups of options, lists of encodings, shapes. And what calls
// are given as lists that are none, or have holes.
import { type Encoding, PosencError } from 'posenc';
import { fromConfig } from 'posenc/config';
import { fromJSON, toJSON, toSafetensors } from 'posenc/state';
import { describe, expect, test } from 'vitest';

import { errorOf, loadPosenc, random } from '../support/posenc.js';

const posenc = await loadPosenc();

describe('options stay as they were given', () => {
  test('a group', () => {
    const scaling: { type: 'linear'; factor: number } = { type: 'linear', factor: 2 };
    const rope = posenc.rope({ headDim: 4, scaling });
    scaling.factor = 8;
    expect(rope.options).toEqual({ headDim: 4, scaling: { type: 'linear', factor: 2 } });
    const again = fromJSON(posenc, toJSON(rope)) as typeof rope;
    expect(again.frequencies().data).toEqual(rope.frequencies().data);
    for (const each of [rope, again]) each.dispose();
  });

  test.each([['an array', [0, 3, 5]], ['a typed array', Float64Array.of(0, 3, 5)]])('%s', (_, boundaries) => {
    const block = posenc.block({ dim: 2, blockSize: 3, boundaries });
    boundaries[1] = 2;
    const again = fromJSON(posenc, toJSON(block)) as typeof block;
    expect(again.encode(6).data).toEqual(block.encode(6).data);
    for (const each of [block, again]) each.dispose();
  });

  test('a getter is asked once', () => {
    let asked = 0;
    const rows = posenc.sinusoidal({
      get dim() {
        return 2 * ++asked;
      },
    });
    expect([rows.width, (rows.options as { dim: number }).dim]).toEqual([2, 2]);
    rows.dispose();
  });

  test('of a layer, and its list of encodings', () => {
    const alibi = posenc.alibi({ heads: 2, trainable: true });
    const [encodings, window] = [[alibi] as Encoding<object>[], { left: 2 }];
    const layer = posenc.attentionLayer({ dim: 8, heads: 2, causal: true, window, encodings });
    encodings.pop();
    window.left = 0;
    expect(layer.options).toMatchObject({ window: { left: 2 } });
    expect(layer.trainable).toContain('alibi.slopes');
    const x = random([5, 8], 1);
    const { out, attended, lse } = layer.forwardForGrad(x);
    const { params } = layer.backward({ x, attended, lse, dOut: out });
    expect(params['alibi.slopes']?.data.some((slope) => slope !== 0)).toBe(true);
    layer.dispose();
    alibi.dispose();
  });
});

test('the shape of a heap tensor is fixed: calls go by it', () => {
  const tensor = posenc.tensor([2, 3, 4]);
  expect(() => ((tensor.shape as number[])[1] = 5000)).toThrow(TypeError);
  expect(() => ((tensor as unknown as { shape: number[] }).shape = [2, 5000, 4])).toThrow(TypeError);
  expect(tensor.shape).toEqual([2, 3, 4]);
  tensor.dispose();
});

describe('rows and lengths of a cache', () => {
  const attention = posenc.attention({ heads: 2, headDim: 4 });
  const filled = (): ReturnType<typeof attention.cache> => {
    const cache = attention.cache({ batch: 2 });
    cache.append(random([2, 2, 3, 4], 1), random([2, 2, 3, 4], 2), { counts: [3, 2] });
    return cache;
  };

  test('numbers with a shape are read like a list', () => {
    const cache = filled();
    cache.reorder({ data: [1, 0], shape: [2] } as never);
    expect([...cache.lengths]).toEqual([2, 3]);
    const rows = posenc.tensor([2], [1, 0]);
    cache.reorder(rows as never);
    expect([...cache.lengths]).toEqual([3, 2]);
    cache.truncate({ data: [1, 2], shape: [2] } as never);
    expect([...cache.lengths]).toEqual([1, 2]);
    rows.dispose();
    cache.dispose();
  });

  test('nothing is refused by name', () => {
    const cache = filled();
    expect(errorOf(() => cache.reorder(undefined as never)).parameter).toBe('rows');
    expect(errorOf(() => cache.truncate(undefined as never)).parameter).toBe('length');
    expect([...cache.lengths]).toEqual([3, 2]);
    cache.dispose();
  });

  test('counts of new keys in any form, where segments of all keys are asked for', () => {
    for (const keyLengths of [[1, 2], { data: [1, 2], shape: [2] }, [1n, 2n]] as const) {
      const cache = filled();
      const [q, k] = [random([2, 2, 2, 4], 3), random([2, 2, 2, 4], 4)];
      const segments = { q: [0, 0], k: [0, 0, 0, 0] }; // 3 + 1 and 2 + 2 keys
      expect(attention.forward(q, k, k, { cache, keyLengths: keyLengths as never, segments }).shape).toEqual([2, 2, 2, 4]);
      cache.dispose();
    }
    const cache = filled();
    const call = (): unknown => attention.forward(random([2, 2, 1, 4], 3), random([2, 2, 1, 4], 4), random([2, 2, 1, 4], 5), { cache, keyLengths: [Symbol('1'), 1] as never });
    expect(errorOf(call).parameter).toBe('keyLengths[0]');
    cache.dispose();
  });
});

test('holes in lists are no items', () => {
  const rope = posenc.rope({ headDim: 4 });
  // eslint-disable-next-line no-sparse-arrays
  const holed = [, rope] as unknown as Encoding<object>[];
  expect(errorOf(() => posenc.attention({ heads: 1, headDim: 4, encodings: holed })).parameter).toBe('encodings[0]');
  expect(errorOf(() => posenc.attentionLayer({ dim: 4, heads: 1, encodings: holed })).parameter).toBe('encodings[0]');
  const numbers = Object.assign(new Array<number>(3), { 0: 1, 2: 3 });
  expect(errorOf(() => posenc.tensor([3], numbers)).parameter).toBe('data');
  expect(errorOf(() => posenc.block({ dim: 2, blockSize: 3, boundaries: numbers })).parameter).toBe('boundaries');
  const attention = posenc.attention({ heads: 1, headDim: 4 });
  const x = random([1, 3, 4], 1);
  const booleans = Object.assign(new Array<boolean>(3), { 0: true, 2: true });
  expect(errorOf(() => attention.forward(x, x, x, { mask: { data: booleans, shape: [3] } })).parameter).toBe('mask.data');
  for (const each of [attention, rope]) each.dispose();
});

test('a count may be a bigint, as every number of positions', () => {
  const rows = posenc.sinusoidal({ dim: 4 });
  expect(rows.encode(3n)).toEqual(rows.encode(3));
  expect(errorOf(() => rows.encode(2n ** 60n)).parameter).toBe('count');
  rows.dispose();
});

test('lists and maps are no options, and what is saved or read is named', () => {
  const attention = posenc.attention({ heads: 1, headDim: 4 });
  const x = random([1, 2, 4], 1);
  for (const positions of [[], new Map([['q', [5, 6]]]), new Set([1]), new Date(0), new Float32Array()] as never[]) {
    const error = errorOf(() => attention.forward(x, x, x, { positions }));
    expect([error.code, error.parameter]).toEqual(['invalidType', 'positions']);
  }
  for (const object of [null, undefined, 3, attention, {}] as never[]) {
    for (const save of [toJSON, toSafetensors]) expect(errorOf(() => save(object)).parameter).toBe('object');
  }
  const rope = posenc.rope({ headDim: 4 });
  expect(errorOf(() => fromJSON(null as never, toJSON(rope))).parameter).toBe('posenc');
  expect(errorOf(() => fromConfig(null as never, { model_type: 'llama' })).parameter).toBe('posenc');
  for (const each of [attention, rope]) each.dispose();
});

test("a model's encodings are all freed, though one was before", () => {
  const before = posenc.memory().encodings;
  const model = fromConfig(posenc, { model_type: 'gemma3_text', num_hidden_layers: 6, sliding_window_pattern: 6 });
  expect(model.encodings.length).toBeGreaterThan(1);
  model.encodings[0]?.dispose();
  model.dispose();
  expect(posenc.memory().encodings).toBe(before);
  expect(errorOf(() => model.dispose()).code).toBe('disposed');
});

describe('outputs over options of the call', () => {
  const heads = 2;
  const attention = posenc.attention({ heads, headDim: 4, logits: 'cosine' });
  const layer = posenc.attentionLayer({ dim: 8, heads });
  const x = random([heads, 70, 4], 1);
  const tokens = random([8, 8], 2);
  const bias = posenc.tensor([heads, 70, 70], random([heads, 70, 70], 3));
  const square = posenc.tensor([8, 8], random([8, 8], 4));
  const [sinks, logitScale] = [posenc.tensor([heads], [0.1, 0.3]), posenc.tensor([heads], [1, 2])];
  const given = { mask: bias, sinks, logitScale };
  const { out, lse } = attention.forwardForGrad(x, x, x, given);
  const inputs = { q: x, k: x, v: x, out, lse, dOut: out, ...given };
  const made = layer.forwardForGrad(tokens, { mask: square });
  const ofLayer = { x: tokens, attended: made.attended, lse: made.lse, dOut: made.out, mask: square };

  test.each<[string, string, () => unknown]>([
    ['scores over the mask', 'into', () => attention.scores(x, x, 'biased', { ...given, into: bias })],
    ['dMask over the mask', 'into.dMask', () => attention.backward({ ...inputs, into: { dMask: bias } })],
    ['dSinks over the sinks', 'into.dSinks', () => attention.backward({ ...inputs, into: { dSinks: sinks } })],
    ['dSinks over the logit scales', 'into.dSinks', () => attention.backward({ ...inputs, into: { dSinks: logitScale } })],
    ["a layer's output over its mask", 'into', () => layer.forward(tokens, { mask: square, into: square })],
    ["a layer's gradient over its mask", 'into.dx', () => layer.backward({ ...ofLayer, into: { dx: square } })],
  ])('%s is refused', (_, parameter, call) => {
    const before = [bias, sinks, logitScale, square].map((tensor) => tensor.view().slice());
    const error = errorOf(call);
    expect(error).toBeInstanceOf(PosencError);
    expect([error.code, error.parameter]).toEqual(['aliasing', parameter]);
    expect([bias, sinks, logitScale, square].map((tensor) => tensor.view().slice())).toEqual(before);
  });
});
