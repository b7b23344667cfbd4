// Memory of attention grows with queries + keys, never with their product: with every encoding, forward and backward
// over 32,768 queries and keys stay within a stated heap, where a matrix of scores alone would be 4 GiB.
import { type Posenc, load } from 'posenc';
import { catalog } from 'posenc/catalog';
import { expect, test } from 'vitest';

import { random, variant } from './support/posenc.js';
import { type Sample, completed, make, places } from './support/samples.js';

const tokens = 32768;
const [heads, headDim] = [2, 8];
const mebi = 2 ** 20;
/**
 * What may be taken beside tensors that the caller gave or got: packed rows, positions, rows of distances, gradients.
 * 32,768 · 65,536 numbers of half a byte would not go in.
 */
const stated = 64 * mebi;

/** Options with which an encoding has a place for so many tokens. */
const room: Readonly<Record<string, Record<string, number | readonly number[]>>> = {
  ropeNd: { grid: [128, 256] },
  swin: { 'window.height': 128, 'window.width': 256 },
  swinV2: { 'window.height': 128, 'window.width': 256, hidden: 8 },
  beit: { 'window.height': 128, 'window.width': 256 },
  decomposed: { height: 128, width: 256 },
};
/** Encodings whose own input is a number for every query and key. */
const quadratic: Readonly<Record<string, string>> = { relation: 'an id for every pair is what it is given' };

const attended = catalog.encodings.filter(({ family, id }) => family !== 'input' && !(id in quadratic));

async function fresh(): Promise<Posenc> {
  return load(variant === undefined ? {} : { simd: variant });
}

test.each(attended.map((info): [string, Sample] => [info.id, { id: info.id, info, title: info.id, values: completed(info, { heads, headDim, ...room[info.id] }) }]))(
  '%s: 32,768 queries and keys, forward and backward',
  async (_, sample) => {
    const posenc = await fresh();
    const known = new Set(sample.info.fields.map(({ name }) => name));
    const values = Object.fromEntries(Object.entries(sample.values).filter(([name]) => known.has(name)));
    const encoding = make(posenc, { ...sample, values });
    const attention = posenc.attention({ heads, headDim, causal: true, window: { left: 24 }, encodings: [encoding] });
    const count = sample.id === 'beit' ? tokens + 1 : tokens;
    const [q, k, v, dOut] = [1, 2, 3, 4].map((seed) => random([heads, count, headDim], seed)) as [ReturnType<typeof random>, ReturnType<typeof random>, ReturnType<typeof random>, ReturnType<typeof random>];
    const positions = encoding.axes > 2 && sample.id !== 'mrope' ? { positions: { q: places(encoding.axes, 0, count), k: places(encoding.axes, 0, count) } } : {};
    // Given and got: q, k, v, out, dOut, dq, dk, dv of equal size, and lse.
    const before = posenc.memory().heapBytes + 4 * (8 * heads * count * headDim + heads * count);
    const { out, lse } = attention.forwardForGrad(q, k, v, positions);
    expect(out.data.every(Number.isFinite)).toBe(true);
    const { dq } = attention.backward({ q, k, v, out, lse, dOut, ...positions });
    expect(dq.data.every(Number.isFinite)).toBe(true);
    const taken = posenc.memory().heapBytes - before;
    expect(taken / mebi).toBeLessThan(stated / mebi);
  },
);

test('few queries and 32,768 keys without a window: less than a row of scores per query and head', async () => {
  for (const info of attended) {
    const posenc = await fresh();
    const encoding = make(posenc, { id: info.id, info, title: info.id, values: completed(info, { ...Object.fromEntries(Object.entries({ heads, headDim }).filter(([name]) => info.fields.some((field) => field.name === name))), ...room[info.id] }) });
    const attention = posenc.attention({ heads, headDim, encodings: [encoding] });
    const [q, k, v] = [random([heads, 256, headDim], 1), random([heads, tokens, headDim], 2), random([heads, tokens, headDim], 3)];
    const axes = encoding.axes;
    const options = axes > 2 && info.id !== 'mrope' ? { positions: { q: places(axes, 0, 256), k: places(axes, 0, tokens) } } : {};
    const before = posenc.memory().heapBytes + 4 * heads * headDim * (2 * 256 + 2 * tokens);
    attention.forward(q, k, v, options);
    // 256 x 32,768 scores of one head are 32 MiB.
    expect((posenc.memory().heapBytes - before) / mebi, info.id).toBeLessThan(16);
  }
});
