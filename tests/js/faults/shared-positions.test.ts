// All encodings of an attention are given the same positions. Those that can share none are refused when the attention is
// made; where some positions suit all and the call's do not, the error says which encoding they do not suit.
import type { Encoding } from 'posenc';
import { describe, expect, test } from 'vitest';

import { errorOf, largestDifference, loadPosenc, random } from '../support/posenc.js';

const posenc = await loadPosenc();
const heads = 2;
const headDim = 16;
const make = {
  alibi: () => posenc.alibi({ heads }),
  cope: () => posenc.cope({ headDim, maxPositions: 4, weights: { table: random([4, headDim], 7).data } }),
  decomposed: () => posenc.decomposed({ headDim, height: 2, width: 2 }),
  layoutBias: () => posenc.layoutBias({ heads }),
  mrope: () => posenc.mrope({ headDim }),
  relation: () => posenc.relation({ heads, relations: 3 }),
  rope: () => posenc.rope({ headDim }),
  ropeNd: () => posenc.ropeNd({ headDim, grid: [2, 2] }),
  swin: () => posenc.swin({ heads, window: { height: 2, width: 2 } }),
} satisfies Record<string, () => Encoding<object>>;
type Name = keyof typeof make;
const attentionOf = (...names: Name[]) => posenc.attention({ heads, headDim, encodings: names.map((name) => make[name]()) });
const x = random([heads, 4, headDim], 1);
const token = (seed: number): ReturnType<typeof random> => random([1, heads, 2, headDim], seed);

test.each<[Name, Name]>([
  ['mrope', 'layoutBias'],
  ['mrope', 'decomposed'],
  ['decomposed', 'alibi'],
  ['rope', 'layoutBias'],
])('%s and %s can share no positions', (first, second) => {
  expect(errorOf(() => attentionOf(first, second))).toMatchObject({ code: 'unsupported', parameter: 'encodings[1]' });
});

test('the error names both encodings, and the place of the second among all of a layer', () => {
  const encodings = [posenc.learned({ dim: 32, maxLength: 4 }), make.mrope(), make.decomposed()];
  expect(errorOf(() => posenc.attentionLayer({ dim: 32, heads, encodings }))).toMatchObject({
    parameter: 'encodings[2]',
    received: 'decomposed, which reads 2 numbers per token',
    allowed: 'encodings of the same positions, beside mrope, which reads 3 or 1 numbers per token',
  });
});

test('input encodings of a layer share positions too', () => {
  const [rows, cells] = [posenc.learned({ dim: 4, maxLength: 9 }), posenc.gridLearned({ dim: 4, kind: 'axes', rows: 3, cols: 3 })];
  expect(errorOf(() => posenc.attentionLayer({ dim: 4, heads, encodings: [rows, cells] }))).toMatchObject({ code: 'unsupported', parameter: 'encodings[1]' });
  // Beside those in the attention they may differ: inputPositions are apart.
  const rope = posenc.rope({ headDim: 2 });
  const layer = posenc.attentionLayer({ dim: 4, heads, encodings: [cells, rope] });
  const inputPositions = [[0, 0], [2, 1], [1, 1]];
  expect(layer.forward(random([3, 4], 2), { positions: [4, 5, 9], inputPositions }).shape).toEqual([3, 4]);
});

describe('M-RoPE beside a bias of one number', () => {
  const places = { q: [0, 1, 5, 6], k: [0, 1, 5, 6] };

  test('takes text, where one number is the position on every axis', () => {
    const bias = make.alibi().bias(4, 4, { positions: places });
    const want = attentionOf('mrope').forward(x, x, x, { positions: places, mask: bias });
    expect(largestDifference(attentionOf('mrope', 'alibi').forward(x, x, x, { positions: places }).data, want.data)).toBeLessThan(1e-6);
  });

  test('names the bias where a picture comes', () => {
    const positions = posenc.mrope.positions({ data: [0, 0, 0, 1, 2, 2], shape: [2, 3] });
    expect(errorOf(() => attentionOf('mrope', 'alibi').forward(x, x, x, { positions: { q: positions, k: positions } }))).toMatchObject({
      code: 'shapeMismatch',
      parameter: 'positions.q',
      received: '3 per token',
      allowed: '1 per token, as alibi reads',
    });
  });

  test('a cache keeps places with gaps', () => {
    const [both, plain, alibi] = [attentionOf('mrope', 'alibi'), attentionOf('mrope'), make.alibi()];
    const [cache, bare] = [both.cache(), plain.cache()];
    const seen: number[] = [];
    for (const [seed, k] of [[3, [0, 5]], [4, [9, 10]]] as const) {
      seen.push(...k);
      const mask = alibi.bias(2, seen.length, { positions: { q: [...k], k: seen } });
      const want = plain.forward(token(seed), token(seed), token(seed), { cache: bare, positions: { k: [...k] }, mask });
      const got = both.forward(token(seed), token(seed), token(seed), { cache, positions: { k: [...k] } });
      expect(largestDifference(got.data, want.data)).toBeLessThan(1e-6);
    }
    expect(cache.length).toBe(4);
  });
});

test('a grid beside a bias of one number has no cache, which says so before any token comes', () => {
  expect(attentionOf('ropeNd', 'swin').forward(x, x, x).shape).toEqual([heads, 4, headDim]);
  expect(errorOf(() => attentionOf('ropeNd', 'swin').cache())).toMatchObject({ code: 'unsupported', parameter: 'encodings' });
  const positions = [[0, 0], [0, 1]];
  expect(attentionOf('ropeNd', 'decomposed').cache().append(token(1), token(2), { positions })).toBeUndefined();
});

test('encodings that do not look at positions take any: gates count, and relations are given', () => {
  const positions = posenc.mrope.positions({ data: [1, 0, 0, 1, 1, 3], shape: [2, 3] });
  const both = { q: positions, k: positions };
  const relations = { data: new Int32Array(16).fill(1), shape: [4, 4] };
  const rope = make.mrope();
  const turned = rope.apply(x, { positions });
  const contextual = attentionOf('cope').forward(turned, turned, x);
  expect(largestDifference(attentionOf('mrope', 'cope').forward(x, x, x, { positions: both }).data, contextual.data)).toBeLessThan(1e-6);
  const related = attentionOf('relation').forward(turned, turned, x, { relations });
  expect(largestDifference(attentionOf('mrope', 'relation').forward(x, x, x, { positions: both, relations }).data, related.data)).toBeLessThan(1e-6);
});

describe('positions of one axis may be [.., n, 1]', () => {
  const column = { data: [3, 1, 4, 1], shape: [4, 1] };

  test('for rows, rotations, biases and attention', () => {
    const rows = posenc.mlp({ dim: 3, axes: 1 });
    const y = random([2, 4, 3], 5);
    expect(rows.add(y, { positions: column }).data).toEqual(rows.add(y, { positions: column.data }).data);
    const apart = { data: [...column.data, 0, 1, 2, 3], shape: [2, 4, 1] };
    expect(rows.add(y, { positions: apart }).data).toEqual(rows.add(y, { positions: { ...apart, shape: [2, 4] } }).data);
    expect(make.rope().apply(x, { positions: column }).data).toEqual(make.rope().apply(x, { positions: column.data }).data);
    const one = attentionOf('rope', 'alibi').forward(x, x, x, { positions: { q: column, k: column } });
    expect(one.data).toEqual(attentionOf('rope', 'alibi').forward(x, x, x, { positions: { q: column.data, k: column.data } }).data);
  });

  test('so that what layoutBias.positions gives for text alone is taken', () => {
    const bias = posenc.layoutBias({ heads, parts: 'text' });
    const made = bias.positions({ data: new Float32Array(8), shape: [2, 4] }, [7, 3]);
    expect(made.shape).toEqual([2, 1]);
    expect(bias.bias(2, 2, { positions: { q: made, k: made } }).data).toEqual(bias.bias(2, 2, { positions: { q: [7, 3], k: [7, 3] } }).data);
  });

  test('one token in each row of a batch is still a row each', () => {
    const rope = make.rope();
    const z = random([4, heads, 1, headDim], 6);
    const each = rope.apply(z, { positions: column });
    const last = { data: z.data.slice(-heads * headDim), shape: [1, heads, 1, headDim] };
    expect(each.data.slice(0, heads * headDim)).not.toEqual(rope.apply(z, { positions: [1] }).data.slice(0, heads * headDim));
    expect(each.data.slice(-heads * headDim)).toEqual(rope.apply(last, { positions: [1] }).data);
  });
});
