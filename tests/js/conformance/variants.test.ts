// Cases of the golden format with parameters that no file here has, made by plain loops.
import { describeConfig, fromConfig } from 'posenc/config';
import { describe, expect, test } from 'vitest';
import { loadPosenc, numbers } from '../support/posenc.js';
import { attended, noisy, type Rows } from '../support/attended-rows.js';
import { type Api, Case, goldenBounds, idsOfGolden, runCase, type StoredTensor } from '../../../scripts/conformance/api.mjs';

const api: Api = { posenc: await loadPosenc(), describeConfig, fromConfig };
type Given = { data: Float32Array | Int32Array; shape: readonly number[] };

function run(encoding: string, params: object, tensors: Record<string, Given>): string[] {
  const stored = Object.entries(tensors).map(([name, { data, shape }]): [string, StoredTensor] => {
    return [name, { dtype: data instanceof Int32Array ? 'I32' : 'F32', shape: [...shape], data }];
  });
  const boundsOf = () => goldenBounds(2e-6);
  return runCase(new Case({ name: encoding, ids: [encoding, ...idsOfGolden(encoding)], params, tensors: new Map(stored), boundsOf }), api).failures;
}

/** [1, ...] as the golden files have it. */
const flat = ({ data, shape }: Rows): Given => ({ data, shape: shape.slice(1) });
const ints = (data: number[]): Given => ({ data: Int32Array.from(data), shape: [data.length] });

/** Turns pair m of each row by angle(m, token): channels m and m + pairs, or 2m and 2m + 1. */
function turned({ data, shape }: Rows, pairs: number, interleaved: boolean, angle: (pair: number, token: number) => number): Rows {
  const [, , seq, dim] = shape;
  const out = data.slice();
  for (let row = 0; row < data.length / dim; row++) {
    for (let m = 0; m < pairs; m++) {
      const [a, b] = interleaved ? [row * dim + 2 * m, row * dim + 2 * m + 1] : [row * dim + m, row * dim + m + pairs];
      const [x, y, turn] = [data[a] ?? 0, data[b] ?? 0, angle(m, row % seq)];
      out[a] = x * Math.cos(turn) - y * Math.sin(turn);
      out[b] = y * Math.cos(turn) + x * Math.sin(turn);
    }
  }
  return { data: out, shape };
}

describe('attention', () => {
  const [heads, kvHeads, queries, keys, dim] = [4, 2, 3, 7, 10];
  const q = noisy([1, heads, queries, dim], 1);
  const k = noisy([1, kvHeads, keys, dim], 2);
  const v = noisy([1, kvHeads, keys, 5], 3);
  const params = { heads, kv_heads: kvHeads, q_len: queries, k_len: keys, head_dim: dim, scale: 0.3 };

  test('partial interleaved rotation at positions of queries and keys apart, a mask and a bias together, values of another width', () => {
    const [qAt, kAt] = [[9, -2, 40], [0, 3, 1, 8, 8, 100, 5]];
    const frequency = (m: number) => 500 ** (-2 * m / 6);
    const [tq, tk] = [[q, qAt], [k, kAt]].map(([x, at]) => turned(x as Rows, 3, true, (m, token) => ((at as number[])[token] ?? 0) * frequency(m))) as [Rows, Rows];
    const visible = Array.from({ length: queries * keys }, (_, n) => (n % 4 === 1 ? 0 : 1));
    const added = numbers(queries * keys, 4);
    const bias = (_b: number, _h: number, i: number, j: number) => (visible[i * keys + j] === 1 ? (added[i * keys + j] ?? 0) : -Infinity);
    const tensors = {
      q: flat(q), k: flat(k), v: flat(v), out: flat(attended(tq, tk, v, { scale: 0.3, bias })),
      q_positions: ints(qAt), k_positions: ints(kAt),
      mask: { data: Int32Array.from(visible), shape: [queries, keys] },
      bias: { data: added, shape: [1, queries, keys] },
    };
    const rope = { layout: 'interleaved', theta: 500, rotary_dim: 6 };
    expect(run('attention', { ...params, causal: false, bias_heads: 1, rope }, tensors)).toEqual([]);
    expect(run('attention', { ...params, causal: false, bias_heads: 4, rope }, tensors)).toEqual(['parameter bias_heads: 4, expected 1 by the rest of the file']);
    expect(run('attention', { ...params, causal: false, rope: { ...rope, scaling: 2 } }, tensors)).toEqual(['parameters of rope that nothing here reads: scaling']);
  });

  test('causal at the bottom right, and alignments that are not known', () => {
    const bias = (_b: number, _h: number, i: number, j: number) => (j <= i + keys - queries ? 0 : -Infinity);
    const tensors = { q: flat(q), k: flat(k), v: flat(v), out: flat(attended(q, k, v, { scale: 0.3, bias })) };
    expect(run('attention', { ...params, causal: true, causal_alignment: 'bottom-right' }, tensors)).toEqual([]);
    expect(run('attention', { ...params, causal: true, causal_alignment: 'middle' }, tensors)[0]).toMatch(/causal_alignment is "middle"/);
  });
});

test('T5 with queries that stand further on', () => {
  const [heads, queries, keys, dim] = [2, 3, 9, 4];
  const [q, k, v] = [noisy([1, heads, queries, dim], 1), noisy([1, heads, keys, dim], 2), noisy([1, heads, keys, dim], 3)];
  const table = numbers(8 * heads, 4);
  // One side, 8 buckets, distances to 16: 0 to 3 each their own, then by the logarithm.
  const bucket = (behind: number) => (behind < 0 ? 0 : behind < 4 ? behind : Math.min(7, 4 + Math.floor((4 * Math.log(behind / 4)) / Math.log(4))));
  const value = (h: number, i: number, j: number) => table[bucket(i + 6 - j) * heads + h] ?? 0;
  const bias = (_b: number, h: number, i: number, j: number) => (j <= i + 6 ? value(h, i, j) : -Infinity);
  const written = Float32Array.from({ length: heads * queries * keys }, (_, n) => value(Math.floor(n / (queries * keys)), Math.floor(n / keys) % queries, n % keys));
  const params = {
    kind: 'attention', heads, q_len: queries, k_len: keys, query_offset: 6, bidirectional: false, num_buckets: 8, max_distance: 16, head_dim: dim, scale: 1, causal_mask: true,
  };
  const tensors = {
    q: flat(q), k: flat(k), v: flat(v), table: { data: table, shape: [8, heads] }, bias: { data: written, shape: [heads, queries, keys] },
    out: flat(attended(q, k, v, { scale: 1, bias })),
  };
  expect(run('t5-bias', params, tensors)).toEqual([]);
});

test('Pixtral: patches of two pictures, one after the other', () => {
  const sizes = [[2, 3], [1, 2]];
  const places = sizes.flatMap(([rows = 0, cols = 0]) => Array.from({ length: rows * cols }, (_, n) => [Math.floor(n / cols), n % cols] as const));
  const q = noisy([1, 2, places.length, 8], 1);
  // Frequencies 0 and 2 of four go to rows, 1 and 3 to columns.
  const angle = (m: number, token: number) => (places[token]?.[m < 2 ? 0 : 1] ?? 0) * 10000 ** (-2 * (m < 2 ? 2 * m : 2 * (m - 2) + 1) / 8);
  const params = { variant: 'pixtral', layout: 'half', heads: 2, head_dim: 8, theta: 10000, max_side: 16, sizes };
  const tensors = {
    q: flat(q), q_out: flat(turned(q, 4, false, angle)),
    rows: ints(places.map(([row]) => row)), cols: ints(places.map(([, col]) => col)), position_ids: ints(places.map(([row, col]) => 16 * row + col)),
  };
  expect(run('rope-2d', params, tensors)).toEqual([]);
  expect(run('rope-2d', { ...params, max_side: 20 }, tensors)[0]).toMatch(/^position_ids/);
});
