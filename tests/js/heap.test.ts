// Memory of attention grows with queries + keys, never with their product: with every encoding, forward and backward
// over 32,768 queries and keys stay within a stated heap, where a matrix of scores alone would be 4 GiB.
import { type Encoding, type Posenc, load } from 'posenc';
import { type CatalogEncoding, catalog } from 'posenc/catalog';
import { expect, test } from 'vitest';

import { random, variant } from './support/posenc.js';
import { completed, make, places } from './support/samples.js';

type Places = ReturnType<typeof places>;
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

/** An encoding that has room for all tokens. */
function roomy(posenc: Posenc, info: CatalogEncoding): Encoding<object> {
  const always = info.fields.filter(({ condition }) => condition === undefined).map(({ name }) => name);
  const fitting = Object.fromEntries(Object.entries({ heads, headDim }).filter(([name]) => always.includes(name)));
  return make(posenc, { id: info.id, info, title: info.id, values: completed(info, { ...fitting, ...room[info.id] }) });
}

/** Positions of those that cannot be counted: cells of a grid of 128 x 256, or boxes. */
function given(encoding: Encoding<object>, queries: number): { positions?: { q: Places; k: Places } } {
  const { axes, id } = encoding;
  if (axes < 2 || ['ropeNd', 'mrope', 'swin', 'swinV2', 'beit'].includes(id)) return {};
  const cells = (count: number): number[][] => Array.from({ length: count }, (_, p) => [Math.floor(p / 256), p % 256]);
  const rows = (count: number): Places => (id === 'decomposed' ? cells(count) : places(axes, 0, count));
  return { positions: { q: rows(queries), k: rows(tokens) } };
}

/** Encodings whose own input is a number for every query and key. */
const quadratic: Readonly<Record<string, string>> = { relation: 'an id for every pair is what it is given' };

const attended = catalog.encodings.filter(({ family, id }) => family !== 'input' && !(id in quadratic));

async function fresh(): Promise<Posenc> {
  return load(variant === undefined ? {} : { simd: variant });
}

test.each(attended.map((info): [string, CatalogEncoding] => [info.id, info]))(
  '%s: 32,768 queries and keys, forward and backward',
  async (id, info) => {
    const posenc = await fresh();
    const encoding = roomy(posenc, info);
    const attention = posenc.attention({ heads, headDim, causal: true, window: { left: 24 }, encodings: [encoding] });
    const count = id === 'beit' ? tokens + 1 : tokens;
    const rows = (seed: number): ReturnType<typeof random> => random([heads, count, headDim], seed);
    const [q, k, v, dOut] = [rows(1), rows(2), rows(3), rows(4)];
    const options = given(encoding, count);
    // Given and got: q, k, v, out, dOut, dq, dk, dv of equal size, and lse.
    const before = posenc.memory().heapBytes + 4 * (8 * heads * count * headDim + heads * count);
    const { out, lse } = attention.forwardForGrad(q, k, v, options);
    expect(out.data.every(Number.isFinite)).toBe(true);
    const { dq } = attention.backward({ q, k, v, out, lse, dOut, ...options });
    expect(dq.data.every(Number.isFinite)).toBe(true);
    const taken = posenc.memory().heapBytes - before;
    expect(taken / mebi).toBeLessThan(stated / mebi);
  },
);

test('few queries and 32,768 keys without a window: less than a row of scores per query and head', async () => {
  for (const info of attended) {
    const posenc = await fresh();
    const encoding = roomy(posenc, info);
    const attention = posenc.attention({ heads, headDim, encodings: [encoding] });
    const [q, k, v] = [random([heads, 256, headDim], 1), random([heads, tokens, headDim], 2), random([heads, tokens, headDim], 3)];
    const before = posenc.memory().heapBytes + 4 * heads * headDim * (2 * 256 + 2 * tokens);
    attention.forward(q, k, v, given(encoding, 256));
    // 256 x 32,768 scores of one head are 32 MiB.
    expect((posenc.memory().heapBytes - before) / mebi, info.id).toBeLessThan(16);
  }
});
