// A pool gives the bits of one instance, whatever the encodings, layouts and masks; and ends as it should.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { Attention, AttentionCallOptions, Encoding, Pool, TensorLike } from 'posenc';

import { errorOf, loadPosenc, random } from './support/posenc.js';

const posenc = await loadPosenc();
const [batch, heads, kvHeads, headDim, qLen, kLen] = [3, 6, 3, 8, 70, 75];

let pool: Pool;
beforeAll(() => {
  pool = posenc.pool({ workers: 2 });
});
afterAll(() => pool.dispose());

interface Setup {
  readonly options?: object;
  readonly encodings?: () => Encoding<object>[];
  readonly call?: AttentionCallOptions;
}

const floats = (shape: number[], seed: number) => random(shape, seed);
const mask = (shape: number[]) => ({ data: floats(shape, 9).data.map((x) => (x > 0.7 ? -Infinity : x)), shape });
const ids = Int32Array.from({ length: qLen * kLen }, (_, i) => i % 4);

const setups: Record<string, Setup> = {
  plain: {},
  packed: { call: { layout: 'packed' }, options: { causal: true } },
  'rotary and biases': {
    options: { causal: true, window: { left: 40 }, softcap: 5 },
    encodings: () => [posenc.rope({ headDim }), posenc.alibi({ heads, trainable: true }), posenc.t5({ heads, numBuckets: 8, seed: 3 })],
    call: { positions: { q: { data: Float64Array.from({ length: batch * qLen }, (_, i) => (i * 7) % 50), shape: [batch, qLen] }, k: 3 } },
  },
  'content terms': { encodings: () => [posenc.shaw({ headDim, left: 5, right: 5, seed: 4 })] },
  'a mask for all': { call: { mask: mask([qLen, kLen]) } },
  'a mask for all queries': { call: { mask: mask([kLen]) }, options: { causal: true } },
  'a mask per head': { call: { mask: mask([heads, qLen, kLen]) } },
  'a mask per row': { call: { mask: mask([batch, 1, 1, kLen]) } },
  'a mask per row and head': { call: { mask: mask([batch, heads, qLen, kLen]), layout: 'packed' } },
  booleans: { call: { mask: { data: Uint8Array.from(ids, (id) => (id === 1 ? 0 : 1)), shape: [qLen, kLen] } } },
  'sinks, lengths and offsets': {
    options: { causal: true },
    call: { sinks: floats([heads], 5), keyLengths: [70, 75, 33], qOffset: [0, 5, 9] },
  },
  'segments and global tokens': {
    options: { window: { left: 9, right: 9 } },
    call: {
      segments: { q: Int32Array.from({ length: batch * qLen }, (_, i) => Math.floor(i / 50)), k: Int32Array.from({ length: batch * kLen }, (_, i) => Math.floor(i / 50)) },
      global: { q: Uint8Array.from({ length: qLen }, (_, i) => (i < 2 ? 1 : 0)) },
    },
  },
  cosine: { options: { logits: 'cosine' }, call: { logitScale: floats([heads], 6) } },
  gates: {
    options: { causal: true },
    encodings: () => [posenc.t5({ heads, numBuckets: 8, gate: 'input', headDim, seed: 5 })],
    call: { gateInput: floats([batch, heads, qLen, headDim], 7) },
  },
  'gates, packed': {
    encodings: () => [posenc.t5({ heads, numBuckets: 8, gate: 'input', headDim, seed: 5 })],
    call: { gateInput: floats([batch, qLen, heads * headDim], 7), layout: 'packed' },
  },
  relations: {
    encodings: () => [posenc.relation({ heads, relations: 4, seed: 2 })],
    call: { relations: { data: ids, shape: [qLen, kLen] } },
  },
};

function tensors(layout: string | undefined): Record<'q' | 'k' | 'v' | 'dOut', TensorLike> {
  const shape = (count: number, length: number) => (layout === 'packed' ? [batch, length, count * headDim] : [batch, count, length, headDim]);
  return {
    q: floats(shape(heads, qLen), 1),
    k: floats(shape(kvHeads, kLen), 2),
    v: floats(shape(kvHeads, kLen), 3),
    dOut: floats(shape(heads, qLen), 4),
  };
}

function make({ options, encodings }: Setup): { attention: Attention; dispose(): void } {
  const made = encodings?.() ?? [];
  const attention = posenc.attention({ heads, kvHeads, headDim, ...options, encodings: made });
  return { attention, dispose: () => [attention, ...made].forEach((object) => object.dispose()) };
}

describe.each(Object.entries(setups))('%s', (_, setup) => {
  test('forward and gradients have the bits of one instance', async () => {
    const { attention, dispose } = make(setup);
    const { q, k, v, dOut } = tensors(setup.call?.layout);
    const call = setup.call ?? {};
    const { out, lse } = attention.forwardForGrad(q, k, v, call);
    expect(await pool.forward(attention, q, k, v, call)).toEqual(attention.forward(q, k, v, call));
    expect(await pool.forwardForGrad(attention, q, k, v, call)).toEqual({ out, lse });
    const inputs = { q, k, v, out, lse, dOut, ...call };
    const want = attention.backward(inputs);
    expect(await pool.backward(attention, inputs)).toEqual(want);
    expect(Object.values(want.params).every(({ data }) => data.some((x) => x !== 0))).toBe(true);
    dispose();
  });
});

test('few queries, one row, more workers than heads', async () => {
  const { attention, dispose } = make({ options: { causal: true } });
  for (const [queries, keys] of [[1, 200], [0, 5], [5, 0]] as const) {
    const q = random([heads, queries, headDim], 1);
    const k = random([kvHeads, keys, headDim], 2);
    expect(await pool.forward(attention, q, k, k)).toEqual(attention.forward(q, k, k));
  }
  const none = { data: new Float32Array(0), shape: [0, heads, 4, headDim] };
  const noKeys = { data: new Float32Array(0), shape: [0, kvHeads, 4, headDim] };
  expect((await pool.forward(attention, none, noKeys, noKeys)).shape).toEqual([0, heads, 4, headDim]);
  dispose();
});

test('parameters that were changed count from the next call on', async () => {
  const alibi = posenc.alibi({ heads, trainable: true });
  const attention = posenc.attention({ heads, kvHeads, headDim, encodings: [alibi] });
  const { q, k, v } = tensors(undefined);
  const before = await pool.forward(attention, q, k, v);
  alibi.parameters = { slopes: new Float32Array(heads).fill(0.3) };
  const after = await pool.forward(attention, q, k, v);
  expect(after).toEqual(attention.forward(q, k, v));
  expect(after.data).not.toEqual(before.data);
  attention.dispose();
  alibi.dispose();
});

test('calls at the same time, into tensors of both kinds, with progress', async () => {
  const { attention, dispose } = make(setups['rotary and biases'] as Setup);
  const { q, k, v } = tensors(undefined);
  const want = attention.forward(q, k, v);
  const heap = posenc.tensor(want.shape);
  const array = new Float32Array(want.size);
  const progress: number[] = [];
  const onProgress = (done: number, total: number): void => {
    expect(total).toBe(batch * heads);
    progress.push(done);
  };
  const [first, second] = await Promise.all([
    pool.forward(attention, q, k, v, { into: heap, onProgress }),
    pool.forward(attention, q, k, v, { into: array }),
  ]);
  expect(first).toBe(heap);
  expect(second).toBe(array);
  expect(heap.view()).toEqual(want.data);
  expect(array).toEqual(want.data);
  expect(progress.at(-1)).toBe(batch * heads);
  expect(progress).toEqual([...progress].sort((a, b) => a - b));
  heap.dispose();
  dispose();
});

test('options that the caller changes after an attention was made are those of neither', async () => {
  const scaling: { type: 'linear'; factor: number } = { type: 'linear', factor: 2 };
  const window = { left: 5 };
  const rope = posenc.rope({ headDim, scaling });
  const attention = posenc.attention({ heads, kvHeads, headDim, causal: true, window, encodings: [rope] });
  scaling.factor = 8;
  window.left = 0;
  const { q, k, v } = tensors(undefined);
  expect(await pool.forward(attention, q, k, v)).toEqual(attention.forward(q, k, v));
  for (const each of [attention, rope]) each.dispose();
});

test('what a listener throws ends its call, and that alone', async () => {
  const { attention, dispose } = make({});
  const { q, k, v } = tensors(undefined);
  const fault = new Error('of the listener');
  const onProgress = (): void => {
    throw fault;
  };
  const [failed, other] = await Promise.allSettled([pool.forward(attention, q, k, v, { onProgress }), pool.forward(attention, q, k, v)]);
  expect(failed).toEqual({ status: 'rejected', reason: fault });
  expect(other).toEqual({ status: 'fulfilled', value: attention.forward(q, k, v) });
  dispose();
});

test('wrong input is the error of the attention itself, before anything is done', async () => {
  const { attention, dispose } = make({ options: { causal: true } });
  const { q, k, v } = tensors(undefined);
  const wrong: AttentionCallOptions[] = [
    { mask: mask([2, 2]) },
    { keyLengths: [1, 2, 1000] },
    { positions: { q: [1, 2] } },
    { sinks: new Float32Array(2) },
    { segments: [1] },
    { cache: 1 } as object,
    { nonsense: 1 } as object,
  ];
  for (const call of wrong) {
    const { code, parameter, received, allowed } = errorOf(() => attention.forward(q, k, v, call));
    await expect(pool.forward(attention, q, k, v, call)).rejects.toMatchObject('cache' in call || 'nonsense' in call ? { name: 'PosencError' } : { code, parameter, received, allowed });
  }
  await expect(pool.forward(attention, k, k, v)).rejects.toMatchObject({ code: 'shapeMismatch', parameter: 'q' });
  await expect(pool.forward(attention, q, k, v, { into: new Float32Array(3) })).rejects.toMatchObject({ code: 'shapeMismatch', parameter: 'into' });
  await expect(pool.forward(attention, q, k, v, { onProgress: 3 as never })).rejects.toMatchObject({ code: 'invalidType', parameter: 'onProgress' });
  await expect(pool.forward(attention, q, k, v, { signal: 3 as never })).rejects.toMatchObject({ code: 'invalidType', parameter: 'signal' });
  await expect(pool.forward({} as Attention, q, k, v)).rejects.toMatchObject({ code: 'invalidType', parameter: 'attention' });
  for (const options of [null, 3, 'x'] as never[]) {
    await expect(pool.forward(attention, q, k, v, options)).rejects.toMatchObject({ code: 'invalidType', parameter: 'options' });
    await expect(pool.forwardForGrad(attention, q, k, v, options)).rejects.toMatchObject({ code: 'invalidType', parameter: 'options' });
  }
  await expect(pool.backward(attention, undefined as never)).rejects.toMatchObject({ code: 'invalidType', parameter: 'inputs' });
  expect(await pool.forward(attention, q, k, v)).toEqual(attention.forward(q, k, v));
  dispose();
});

test.each([0, -1, 65, 1.5, NaN, '2', null])('%s workers are refused', (workers) => {
  expect(errorOf(() => posenc.pool({ workers: workers as number })).parameter).toBe('workers');
});

test('a signal ends a call between heads, and the pool goes on', async () => {
  const attention = posenc.attention({ heads: 32, headDim: 64 });
  const x = random([32, 256, 64], 1);
  const controller = new AbortController();
  let done = 0;
  const onProgress = (heads: number): void => {
    done = heads;
    controller.abort(new Error('enough'));
  };
  await expect(pool.forward(attention, x, x, x, { signal: controller.signal, onProgress })).rejects.toThrow('enough');
  expect(done).toBeLessThan(32);
  await expect(pool.forward(attention, x, x, x, { signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' });
  const { data } = await pool.forward(attention, x, x, x);
  const want = attention.forward(x, x, x).data;
  expect(data.every((value, i) => Object.is(value, want[i]))).toBe(true);
  attention.dispose();
});

test('dispose() rejects what is under way and what comes after', async () => {
  const attention = posenc.attention({ heads: 2, headDim });
  const x = random([2, 4, headDim], 1);
  const own = posenc.pool({ workers: 1 });
  const running = own.forward(attention, x, x, x);
  own.dispose();
  await expect(running).rejects.toMatchObject({ code: 'disposed' });
  await expect(own.forward(attention, x, x, x)).rejects.toMatchObject({ code: 'disposed' });
  expect(errorOf(() => own.dispose()).code).toBe('disposed');
  attention.dispose();
});
