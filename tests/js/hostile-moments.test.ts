// Memory, places and objects that go while a call is under way, or between two.
import type { Encoding, PosencError } from 'posenc';
import { expect, test } from 'vitest';

import { type Resizable, filled, resizable } from './support/memory-kinds.js';
import { errorOf, loadPosenc, numbers } from './support/posenc.js';

const posenc = await loadPosenc();
const [heads, headDim, seq] = [2, 4, 3];
const headShape = [heads, seq, headDim];
const rows = (seed: number): Float32Array<ArrayBuffer> => new Float32Array(numbers(heads * seq * headDim, seed));
const x = rows(1);
const q = { data: rows(2), shape: headShape };
const rope = posenc.rope({ headDim });
const alibi = posenc.alibi({ heads, trainable: true });
const attention = posenc.attention({ heads, headDim, encodings: [rope, alibi] });
const backward = { q, k: q, v: q, ...attention.forwardForGrad(q, q, q), dOut: q };

test('memory that shrinks or is given away while a call reads its arguments', () => {
  // A field that is asked for late takes memory away that was looked at before.
  const late = (act: () => void): object => ({ get data() { act(); return rows(3); }, shape: headShape });
  for (const away of [(buffer: Resizable) => buffer.resize(0), (buffer: Resizable) => void structuredClone(buffer, { transfer: [buffer] })]) {
    const taken = (): [Float32Array, () => void] => {
      const buffer = resizable(4 * x.length);
      return [filled(x, buffer, 0, true), () => away(buffer)];
    };
    const [first, takeFirst] = taken();
    expect(errorOf(() => attention.forward({ data: first, shape: headShape }, late(takeFirst) as never, q)).code).toMatch(/detached|shapeMismatch/);
    const [place, takePlace] = taken();
    expect(errorOf(() => rope.apply(q, { into: place, get positions() { takePlace(); return [0, 1, 2]; } } as never)).code).toMatch(/detached|shapeMismatch/);
  }
});

test('a place is taken away while a pool computes', async () => {
  const pool = posenc.pool({ workers: 1 });
  try {
    const want = attention.forward(q, q, q);
    const rejection = async (promise: Promise<unknown>, meanwhile: () => void): Promise<PosencError> => {
      meanwhile();
      return promise.then(() => Promise.reject(new Error('nothing was thrown')), (error: unknown) => error as PosencError);
    };
    const buffer = resizable(4 * x.length);
    const shrunk = await rejection(pool.forward(attention, q, q, q, { into: filled(x, buffer, 0, true) }), () => buffer.resize(4));
    expect(shrunk).toMatchObject({ name: 'PosencError', code: 'shapeMismatch', parameter: 'into' });
    const away = rows(5);
    const detached = await rejection(pool.forward(attention, q, q, q, { into: away }), () => void structuredClone(away.buffer, { transfer: [away.buffer] }));
    expect(detached).toMatchObject({ name: 'PosencError', code: 'detached', parameter: 'into' });
    // A freed place may be another tensor's by then: nothing is written.
    const heap = posenc.tensor(headShape);
    const next: { tensor?: ReturnType<typeof posenc.tensor> } = {};
    const freed = await rejection(pool.forward(attention, q, q, q, { into: heap }), () => {
      heap.dispose();
      next.tensor = posenc.tensor(headShape);
    });
    expect(freed).toMatchObject({ name: 'PosencError', code: 'disposed', parameter: 'into' });
    expect(next.tensor?.view()).toEqual(new Float32Array(x.length));
    const kept = posenc.tensor(headShape);
    expect(await rejection(pool.forward(attention, q, q, q, { into: kept.view() }), () => undefined)).toMatchObject({ code: 'unsupported', parameter: 'into' });
    // Inputs are copied at once.
    const input = rows(2);
    const result = pool.forward(attention, { data: input, shape: headShape }, q, q);
    input.fill(NaN);
    expect(await result).toEqual(want);
    expect(await pool.forward(attention, q, q, q, { into: kept })).toBe(kept);
    expect(kept.view()).toEqual(want.data);
    kept.dispose();
    next.tensor?.dispose();
  } finally {
    pool.dispose();
  }
});

test('an encoding that is disposed of under its attention, its layer, its cache', () => {
  const inner = posenc.alibi({ heads }) as Encoding<object>;
  const held = posenc.attention({ heads, headDim, encodings: [inner] });
  const cache = held.cache();
  inner.dispose();
  for (const call of [() => held.forward(q, q, q), () => held.forward(q, q, q, { cache }), () => held.scores(q, q, 'raw'), () => held.backward(backward)]) {
    expect(errorOf(call)).toMatchObject({ code: 'disposed' });
  }
  held.dispose();
  for (const call of [() => held.forward(q, q, q), () => held.cache(), () => cache.append(q, q)]) expect(errorOf(call)).toMatchObject({ code: 'disposed' });
  cache.dispose();
  for (const call of [() => cache.append(q, q), () => cache.truncate(0), () => cache.clone(), () => attention.forward(q, q, q, { cache })]) {
    expect(errorOf(call)).toMatchObject({ code: 'disposed' });
  }
});
