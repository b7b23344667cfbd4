// Operators of onnxruntime that no published file here has, against plain loops: what the conformance program makes of them.
import { describeConfig, fromConfig } from 'posenc/config';
import { describe, expect, test } from 'vitest';
import { loadPosenc, numbers } from '../support/posenc.js';
import { attended, noisy, packed, type Rows } from '../support/attended-rows.js';
import { type Api, Case, type StoredTensor, relativeBound, runCase } from '../../../scripts/conformance/api.mjs';

const api: Api = { posenc: await loadPosenc(), describeConfig, fromConfig };
type Given = { data: ArrayBufferView; shape: readonly number[] };
const dtypes: Readonly<Record<string, string>> = { Float32Array: 'F32', Int32Array: 'I32', BigInt64Array: 'I64' };

function run(id: string, params: object, tensors: Record<string, Given>): string[] {
  const stored = Object.entries(tensors).map(([name, { data, shape }]) => {
    return [name, { dtype: dtypes[data.constructor.name] ?? '', shape: [...shape], data }] as [string, StoredTensor];
  });
  const boundsOf = () => [relativeBound({ rtol: 2e-6, atol: 2e-6 })];
  return runCase(new Case({ name: id, ids: [`com.microsoft.${id}`], params, tensors: new Map(stored), boundsOf }), api).failures;
}
const ints = (data: number[], shape: number[] = [data.length]): Given => ({ data: Int32Array.from(data), shape });

describe('MultiHeadAttention', () => {
  const [batch, heads, queries, keys, dim, width] = [2, 3, 4, 6, 5, 7];
  const q = noisy([batch, heads, queries, dim], 1);
  const k = noisy([batch, heads, keys, dim], 2);
  const v = noisy([batch, heads, keys, width], 3);
  const params = { num_heads: heads };

  test('queries, keys and values apart, with a scale; an attribute that is not known', () => {
    const out = packed(attended(q, k, v, { scale: 0.3 }));
    const tensors = { query: packed(q), key: packed(k), value: packed(v), output: out };
    expect(run('MultiHeadAttention', { ...params, scale: 0.3 }, tensors)).toEqual([]);
    expect(run('MultiHeadAttention', { ...params, scale: 0.2 }, tensors)[0]).toMatch(/^output: element/);
    expect(run('MultiHeadAttention', { ...params, scale: 0.3, tilt: 1 }, tensors)).toEqual(['parameter tilt: nothing here reads it']);
  });

  test('biases of the projections', () => {
    const bias = numbers(heads * (2 * dim + width), 4);
    const plus = (x: Rows, first: number): Rows => {
      const each = x.shape[3];
      const at = (n: number) => (Math.floor(n / (each * x.shape[2])) % heads) * each + (n % each);
      return { data: x.data.map((value, n) => value + (bias[first + at(n)] ?? 0)), shape: x.shape };
    };
    const out = packed(attended(plus(q, 0), plus(k, heads * dim), plus(v, 2 * heads * dim)));
    const tensors = { query: packed(q), key: packed(k), value: packed(v), bias: { data: bias, shape: [bias.length] }, output: out };
    expect(run('MultiHeadAttention', params, tensors)).toEqual([]);
    // Keys and values in heads come from elsewhere, with theirs.
    const crossed = packed(attended(plus(q, 0), k, v));
    expect(run('MultiHeadAttention', params, { ...tensors, key: k, value: v, output: crossed })).toEqual([]);
  });

  test('queries, keys and values packed; keys and values packed', () => {
    const same = noisy([batch, heads, queries, dim], 5);
    const other = noisy([batch, heads, queries, dim], 6);
    const interleave = (parts: Rows[], seq: number): Given => {
      const data = Float32Array.from({ length: batch * seq * heads * parts.length * dim }, (_, n) => {
        const [c, part] = [n % dim, Math.floor(n / dim) % parts.length];
        const [h, s, b] = [
          Math.floor(n / (dim * parts.length)) % heads,
          Math.floor(n / (dim * parts.length * heads)) % seq,
          Math.floor(n / (dim * parts.length * heads * seq)),
        ];
        return parts[part]?.data[((b * heads + h) * seq + s) * dim + c] ?? 0;
      });
      return { data, shape: [batch, seq, heads, parts.length, dim] };
    };
    const all = { query: interleave([q, same, other], queries), output: packed(attended(q, same, other)) };
    expect(run('MultiHeadAttention', params, all)).toEqual([]);
    const two = { query: packed(q), key: interleave([same, other], queries), output: all.output };
    expect(run('MultiHeadAttention', params, two)).toEqual([]);
  });

  test('padding by length, by offsets and by flags; a bias of the scores; a row without a valid key', () => {
    const lengths = [6, 2];
    const hidden = (b: number, j: number) => (j < (lengths[b] ?? 0) ? 0 : -10000);
    const base = { query: packed(q), key: packed(k), value: packed(v) };
    const output = packed(attended(q, k, v, { bias: (b, _h, _i, j) => hidden(b, j) }));
    const masks = [
      ints(lengths),
      ints([...lengths, 0, 4, 8, 0, 6, 8], [8]),
      ints(Array.from({ length: 12 }, (_, n) => (hidden(Math.floor(n / 6), n % 6) === 0 ? 1 : 0)), [2, 6]),
    ];
    for (const mask of masks) expect(run('MultiHeadAttention', params, { ...base, key_padding_mask: mask, output })).toEqual([]);
    const added = numbers(heads * queries * keys, 7);
    const both = packed(attended(q, k, v, { bias: (b, h, i, j) => hidden(b, j) + (added[(h * queries + i) * keys + j] ?? 0) }));
    const attention_bias = { data: added, shape: [1, heads, queries, keys] };
    expect(run('MultiHeadAttention', params, { ...base, key_padding_mask: ints(lengths), attention_bias, output: both })).toEqual([]);
    const none = packed(attended(q, k, v, { bias: (b) => (b === 0 ? 0 : -50) }));
    const filtered = { ...params, mask_filter_value: -50 };
    expect(run('MultiHeadAttention', filtered, { ...base, key_padding_mask: ints([6, 0]), output: none })).toEqual([]);
  });

  test('a past, seen by a causal mask', () => {
    const past = { k: noisy([batch, heads, 2, dim], 8), v: noisy([batch, heads, 2, width], 9) };
    const join = (a: Rows, b: Rows): Rows => {
      const rows = Array.from({ length: batch * heads }, (_, n) => {
        const part = (x: Rows) => [...x.data.subarray(n * x.shape[2] * x.shape[3], (n + 1) * x.shape[2] * x.shape[3])];
        return [...part(a), ...part(b)];
      });
      return { data: Float32Array.from(rows.flat()), shape: [batch, heads, a.shape[2] + b.shape[2], a.shape[3]] };
    };
    const fresh = { k: noisy([batch, heads, queries, dim], 10), v: noisy([batch, heads, queries, width], 11) };
    const [present_key, present_value] = [join(past.k, fresh.k), join(past.v, fresh.v)];
    const output = packed(attended(q, present_key, present_value, { bias: (_b, _h, i, j) => (j <= i + 2 ? 0 : -Infinity) }));
    const tensors = {
      query: packed(q), key: packed(fresh.k), value: packed(fresh.v), past_key: past.k, past_value: past.v, output, present_key, present_value,
    };
    expect(run('MultiHeadAttention', { ...params, unidirectional: 1 }, tensors)).toEqual([]);
  });
});

describe('GroupQueryAttention', () => {
  const [batch, heads, kvHeads, dim] = [2, 4, 2, 6];

  /** Pairs c and c + 3 turned by tables [places, 3]. */
  function turned(x: Rows, cos: Float32Array, sin: Float32Array, offsets: number[]): Rows {
    const [, count, seq] = x.shape;
    const data = x.data.map((value, n) => {
      const [c, s, b] = [n % dim, Math.floor(n / dim) % seq, Math.floor(n / (dim * seq * count))];
      const [at, sign] = [((offsets[b] ?? 0) + s) * 3 + (c % 3), c < 3 ? -1 : 1];
      return value * (cos[at] ?? 0) + sign * (x.data[n - sign * 3] ?? 0) * (sin[at] ?? 0);
    });
    return { data, shape: x.shape };
  }

  test('a padded prompt, packed, with tables, a window, a cap and a smooth softmax', () => {
    const seq = 5;
    const lengths = [5, 3];
    const parts = [noisy([batch, heads, seq, dim], 1), noisy([batch, kvHeads, seq, dim], 2), noisy([batch, kvHeads, seq, dim], 3)] as const;
    const angles = numbers(8 * 3, 4);
    const [cos, sin] = [angles.map(Math.cos), angles.map(Math.sin)];
    const [q, k] = [turned(parts[0], cos, sin, [0, 0]), turned(parts[1], cos, sin, [0, 0])];
    const hidden = (b: number, i: number, j: number) => (j <= i && j > i - 3 && j < (lengths[b] ?? 0) ? 0 : -Infinity);
    // A key of score 0 and value 0 more is what smooths.
    const more = (x: Rows): Rows => {
      const rows = Array.from({ length: batch * kvHeads }, (_, n) => [...x.data.subarray(n * seq * dim, (n + 1) * seq * dim), ...new Array<number>(dim).fill(0)]);
      return { data: Float32Array.from(rows.flat()), shape: [batch, kvHeads, seq + 1, dim] };
    };
    const bias = (b: number, _h: number, i: number, j: number) => (j === seq ? 0 : hidden(b, i, j));
    const output = packed(attended(q, more(k), more(parts[2]), { softcap: 2, bias }));
    const flat = parts.map(packed);
    const width = (heads + 2 * kvHeads) * dim;
    const query = Float32Array.from({ length: batch * seq * width }, (_, n) => {
      const [row, c] = [Math.floor(n / width), n % width];
      if (c < heads * dim) return flat[0]?.data[row * heads * dim + c] ?? 0;
      const part = c < (heads + kvHeads) * dim ? 1 : 2;
      return flat[part]?.data[row * kvHeads * dim + ((c - heads * dim) % (kvHeads * dim))] ?? 0;
    });
    const params = { num_heads: heads, kv_num_heads: kvHeads, do_rotary: 1, local_window_size: 3, softcap: 2, smooth_softmax: 1 };
    const tensors = {
      query: { data: query, shape: [batch, seq, width] },
      seqlens_k: ints(lengths.map((length) => length - 1)),
      total_sequence_length: ints([seq]),
      cos_cache: { data: cos, shape: [8, 3] },
      sin_cache: { data: sin, shape: [8, 3] },
      output,
      present_key: k,
      present_value: parts[2],
    };
    expect(run('GroupQueryAttention', params, tensors)).toEqual([]);
    expect(run('GroupQueryAttention', { ...params, local_window_size: 2 }, tensors)[0]).toMatch(/^output/);
  });

  test('one more token for rows of different lengths', () => {
    const lengths = [4, 2];
    const past = { k: noisy([batch, kvHeads, 6, dim], 5), v: noisy([batch, kvHeads, 6, dim], 6) };
    const [q, k, v] = [noisy([batch, heads, 1, dim], 7), noisy([batch, kvHeads, 1, dim], 8), noisy([batch, kvHeads, 1, dim], 9)];
    const put = (into: Rows, x: Rows): Rows => {
      const data = into.data.slice();
      for (let n = 0; n < batch * kvHeads; n++) {
        const place = (lengths[Math.floor(n / kvHeads)] ?? 1) - 1;
        data.set(x.data.subarray(n * dim, (n + 1) * dim), (n * 6 + place) * dim);
      }
      return { data, shape: into.shape };
    };
    const [present_key, present_value] = [put(past.k, k), put(past.v, v)];
    const bias = (b: number, _h: number, _i: number, j: number) => (j < (lengths[b] ?? 0) ? 0 : -Infinity);
    const output = packed(attended(q, present_key, present_value, { bias }));
    const tensors = {
      query: packed(q), key: packed(k), value: packed(v), past_key: past.k, past_value: past.v,
      seqlens_k: ints(lengths.map((length) => length - 1)), total_sequence_length: ints([4]), output, present_key, present_value,
    };
    expect(run('GroupQueryAttention', { num_heads: heads, kv_num_heads: kvHeads }, tensors)).toEqual([]);
  });
});

describe('Attention', () => {
  const [batch, heads, seq, dim, each] = [2, 2, 4, 6, 3];
  const width = heads * each;
  const x = noisy([1, 1, batch * seq, dim], 1).data;
  const weights = numbers(dim * 3 * width, 2);
  const bias = numbers(3 * width, 3);
  const params = { num_heads: heads };
  const given = {
    input: { data: x, shape: [batch, seq, dim] },
    weights: { data: weights, shape: [dim, 3 * width] },
    bias: { data: bias, shape: [3 * width] },
  };

  /** Part 0, 1 or 2 of the projection, [batch, heads, seq, each]. */
  function projected(part: number): Rows {
    const data = Float32Array.from({ length: batch * heads * seq * each }, (_, n) => {
      const [c, s, h, b] = [n % each, Math.floor(n / each) % seq, Math.floor(n / (each * seq)) % heads, Math.floor(n / (each * seq * heads))];
      const column = part * width + h * each + c;
      let sum = bias[column] ?? 0;
      for (let i = 0; i < dim; i++) sum += (x[(b * seq + s) * dim + i] ?? 0) * (weights[i * 3 * width + column] ?? 0);
      return sum;
    });
    return { data, shape: [batch, heads, seq, each] };
  }
  const [q, k, v] = [projected(0), projected(1), projected(2)];
  const outOf = (seen: (b: number, i: number, j: number) => boolean): Given =>
    packed(attended(q, k, v, { bias: (b, _h, i, j) => (seen(b, i, j) ? 0 : -10000) }));

  test('every form of mask_index', () => {
    const ends = [9, 2]; // beyond the keys, all count
    const forms: [Given, (b: number, i: number, j: number) => boolean][] = [
      [ints(ends), (b, _i, j) => j < (ends[b] ?? 0)],
      [ints([4, 3, 1, -1]), (b, _i, j) => (b === 0 ? j >= 1 : j < 3)],
      [ints([1, 1], [batch, 1]), () => true],
      [ints([0, 1, 1, 1, 1, 1, 0, 1], [batch, seq]), (b, _i, j) => j !== (b === 0 ? 0 : 2)],
      [ints(Array.from({ length: 32 }, (_, n) => (n % 3 === 1 ? 0 : 1)), [batch, seq, seq]), (b, i, j) => ((b * seq + i) * seq + j) % 3 !== 1],
      // A square of six, of which the last four lines are the queries'.
      [ints(Array.from({ length: 72 }, (_, n) => (n % 5 === 2 ? 0 : 1)), [batch, 1, 6, 6]), (b, i, j) => ((b * 6 + i) * 6 + j) % 5 !== 2],
    ];
    forms.forEach(([mask_index, seen], form) => {
      expect(run('Attention', params, { ...given, mask_index, output: outOf(seen) }), `form ${form}`).toEqual([]);
    });
  });

  test('attributes: causal, a scale, turned, and one that is not known', () => {
    const causal = outOf((_b, i, j) => j <= i);
    expect(run('Attention', { ...params, unidirectional: 1 }, { ...given, output: causal })).toEqual([]);
    const scaled = packed(attended(q, k, v, { scale: 0.2 }));
    expect(run('Attention', { ...params, scale: 0.2 }, { ...given, output: scaled })).toEqual([]);
    expect(run('Attention', { ...params, scale: 0.2, tilt: 2 }, { ...given, output: scaled })).toEqual(['parameter tilt: nothing here reads it']);
    const turn = (part: Rows): Rows => {
      const data = part.data.slice();
      for (let row = 0; row < data.length / each; row++) {
        const [a, b, angle] = [data[row * each] ?? 0, data[row * each + 1] ?? 0, row % seq];
        data[row * each] = a * Math.cos(angle) - b * Math.sin(angle);
        data[row * each + 1] = b * Math.cos(angle) + a * Math.sin(angle);
      }
      return { data, shape: part.shape };
    };
    const rotated = packed(attended(turn(q), turn(k), v));
    expect(run('Attention', { ...params, do_rotary: 1, rotary_embedding_dim: 2 }, { ...given, output: rotated })).toEqual([]);
  });
});
