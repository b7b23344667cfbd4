// Values that no caller should give, where hostile.test.ts does not go: layers, tensors, half floats, pools, configs and
// needs; and numbers that are not numbers, too large or too small, where rows have to stay apart.
import { inspect } from 'node:util';

import { type AttentionLayer, type Encoding, PosencError } from 'posenc';
import { describeConfig, fromConfig } from 'posenc/config';
import { recommend } from 'posenc/recommend';
import { afterAll, afterEach, describe, expect, test } from 'vitest';

import { loadPosenc, numbers, random } from './support/posenc.js';
import { type Sample, attentionOptions, headDim, heads, make, places, relationsOf, samplesIn } from './support/samples.js';

const posenc = await loadPosenc();
const canary = posenc.sinusoidal({ dim: 6 });
const expected = canary.encode(5).data;
const count = (): object => {
  const { encodings, attentions, caches, tensors, layers } = posenc.memory();
  return { encodings, attentions, caches, tensors, layers };
};
let before = count();
afterEach(() => {
  expect(canary.encode(5).data).toEqual(expected);
  const now = count();
  const was = before;
  before = now;
  expect(now).toEqual(was);
});

const circular: { self?: object } = {};
circular.self = circular;
const values: readonly unknown[] = [
  NaN, -1, -0, 1.5, Infinity, -Infinity, 2 ** 31 - 1, 2 ** 31, 2 ** 32 + 1, 2 ** 53, 1e300, 5e-324,
  '', '8', 'toString', '__proto__', true, null, 7n, 2n ** 70n, Symbol('8'), () => 8,
  {}, new Date(0), new Map(), circular, [], [NaN], [-1, 2], [[1]], [null], Float32Array.of(1), new BigInt64Array(2), new ArrayBuffer(8),
];

/** A result, or a PosencError with a parameter: anything else fails. */
function survive<Result>(what: string, value: unknown, call: () => Result): Result | undefined {
  try {
    return call();
  } catch (error) {
    if (error instanceof PosencError && error.parameter.length > 0) return undefined;
    throw new Error(`${what} = ${inspect(value)}: ${String(error)}`, { cause: error });
  }
}

describe('layers', () => {
  const dim = 8;
  const x = random([3, dim]);
  test('options and weights', () => {
    const names = ['dim', 'heads', 'kvHeads', 'headDim', 'valueDim', 'contextDim', 'qkvBias', 'outputProjection', 'outputBias', 'weightLayout', 'addTo',
      'causal', 'scale', 'softcap', 'window', 'chunk', 'logits', 'encodings', 'weights', 'seed', 'wrong'];
    for (const value of values) {
      for (const name of names) {
        for (const given of [value, [value], { left: value }, { Wq: value }, { Wq: { data: value, shape: [dim, dim] } }, { Wq: { data: numbers(64), shape: value } }]) {
          const layer = survive(name, given, () => posenc.attentionLayer({ dim, heads: 2, [name]: given } as never));
          if (layer === undefined) continue;
          survive(name, given, () => layer.forward(x));
          layer.dispose();
        }
      }
      survive('options', value, () => posenc.attentionLayer(value as never))?.dispose();
    }
  });

  test('calls', () => {
    const rows = posenc.sinusoidal({ dim });
    const alibi = posenc.alibi({ heads: 2, trainable: true });
    const layer = posenc.attentionLayer({ dim, heads: 2, encodings: [rows, alibi] });
    const out = layer.forward(x);
    const grad = layer.forwardForGrad(x);
    const names = ['context', 'positions', 'inputPositions', 'grid', 'mask', 'keyLengths', 'qOffset', 'segments', 'sinks', 'global', 'relations', 'logitScale', 'cache', 'into', 'wrong'];
    for (const value of values) {
      for (const name of names) {
        for (const given of [value, [value], { q: value, k: value }, { data: value, shape: [3] }, { data: numbers(24), shape: value }]) {
          survive(name, given, () => layer.forward(x, { [name]: given } as never));
          survive(name, given, () => layer.backward({ x, attended: grad.attended, lse: grad.lse, dOut: x, [name]: given } as never));
        }
      }
      for (const bad of [value, { data: value, shape: [3, dim] }, { data: x.data, shape: value }, { data: x.data, shape: [value, dim] }]) {
        survive('x', bad, () => layer.forward(bad as never));
        survive('attended', bad, () => layer.backward({ x, attended: bad as never, lse: grad.lse, dOut: x }));
        survive('dOut', bad, () => layer.backward({ x, attended: grad.attended, lse: grad.lse, dOut: bad as never }));
        survive('inputs', bad, () => layer.backward(bad as never));
        survive('parameters', bad, () => (layer.parameters = { bo: bad } as never));
        survive('parameters', bad, () => (layer.parameters = bad as never));
      }
      survive('cache', value, () => layer.cache(value as never))?.dispose();
      survive('cache', value, () => layer.cache({ capacity: value } as never))?.dispose();
    }
    layer.parameters = { bo: new Float32Array(dim) };
    expect(layer.forward(x)).toEqual(out);
    for (const each of [layer, alibi, rows]) each.dispose();
  });
});

test('tensors and half floats', () => {
  for (const value of values) {
    for (const shape of [value, [value], [2, value], [value, value]]) {
      // Gigabytes are made where they are asked for, and there is room: not asked for here.
      const large = Array.isArray(shape) && shape.includes(2 ** 31 - 1);
      if (!large) survive('shape', shape, () => posenc.tensor(shape as never))?.dispose();
      survive('shape', shape, () => posenc.fromHalf(new Uint16Array(4), shape as never, 'f16'));
      survive('shape', shape, () => posenc.toHalf({ data: new Float32Array(4), shape: shape as never }, 'f16'));
    }
    survive('data', value, () => posenc.tensor([2], value as never))?.dispose();
    survive('data', value, () => posenc.tensor([2], [value, value] as never))?.dispose();
    survive('bits', value, () => posenc.fromHalf(value as never, [2], 'f16'));
    survive('format', value, () => posenc.fromHalf(new Uint16Array(2), [2], value as never));
    survive('options', value, () => posenc.fromHalf(new Uint16Array(2), [2], 'f16', value as never));
    survive('into', value, () => posenc.fromHalf(new Uint16Array(2), [2], 'f16', { into: value as never }));
    survive('tensor', value, () => posenc.toHalf(value as never, 'f16'));
    survive('format', value, () => posenc.toHalf({ data: new Float32Array(2), shape: [2] }, value as never));
  }
});

describe('pools', () => {
  const pool = posenc.pool({ workers: 1 });
  afterAll(() => pool.dispose());

  test('arguments and options', async () => {
    const attention = posenc.attention({ heads: 2, headDim: 4 });
    const q = random([2, 3, 4]);
    const want = attention.forward(q, q, q);
    const tries: Promise<void>[] = [];
    const add = (what: string, value: unknown, call: () => Promise<unknown>): void => {
      tries.push(call().then(() => undefined, (error: unknown) => void survive(what, value, () => { throw error; })));
    };
    for (const value of values) {
      add('attention', value, () => pool.forward(value as never, q, q, q));
      add('q', value, () => pool.forward(attention, value as never, q, q));
      add('inputs', value, () => pool.backward(attention, value as never));
      for (const name of ['mask', 'keyLengths', 'sinks', 'positions', 'segments', 'into', 'layout', 'signal', 'onProgress', 'wrong', 'cache']) {
        add(name, value, () => pool.forward(attention, q, q, q, { [name]: value } as never));
        add(name, value, () => pool.forwardForGrad(attention, q, q, q, { [name]: value } as never));
      }
    }
    await Promise.all(tries);
    expect(await pool.forward(attention, q, q, q)).toEqual(want);
    attention.dispose();
  });
});

const configs: readonly Record<string, unknown>[] = [
  { model_type: 'llama', hidden_size: 32, num_attention_heads: 4, num_key_value_heads: 2, num_hidden_layers: 3, rope_theta: 1e4, rope_scaling: { rope_type: 'llama3', factor: 8, low_freq_factor: 1, high_freq_factor: 4, original_max_position_embeddings: 64 } },
  { model_type: 'gemma3_text', hidden_size: 32, num_attention_heads: 4, num_hidden_layers: 7, sliding_window: 8, layer_types: ['sliding_attention', 'full_attention', 'sliding_attention', 'sliding_attention', 'full_attention', 'sliding_attention', 'full_attention'] },
  { model_type: 'gpt_oss', num_hidden_layers: 2, sliding_window: 8 },
  { model_type: 'bert', hidden_size: 32, num_attention_heads: 4, num_hidden_layers: 2, max_position_embeddings: 16, position_embedding_type: 'relative_key' },
  { model_type: 't5', d_model: 32, num_heads: 4, num_layers: 2, relative_attention_num_buckets: 8, relative_attention_max_distance: 16 },
  { model_type: 'bloom', hidden_size: 32, n_head: 4, n_layer: 2 },
  { model_type: 'swinv2', image_size: 32, patch_size: 4, embed_dim: 12, depths: [2, 2], num_heads: [2, 4], window_size: 4 },
  { model_type: 'vit', hidden_size: 32, num_attention_heads: 4, num_hidden_layers: 2, image_size: 32, patch_size: 8 },
  { model_type: 'qwen2_vl', hidden_size: 32, num_attention_heads: 4, num_hidden_layers: 2, rope_scaling: { type: 'mrope', mrope_section: [1, 1, 2] } },
  { model_type: 'deberta-v2', hidden_size: 32, num_attention_heads: 4, num_hidden_layers: 2, position_buckets: 8, max_relative_positions: 16, relative_attention: true, pos_att_type: ['p2c', 'c2p'] },
  { model_type: 'phi3', hidden_size: 32, num_attention_heads: 4, num_hidden_layers: 2, original_max_position_embeddings: 16, max_position_embeddings: 64, rope_scaling: { type: 'longrope', short_factor: [1, 1, 1, 1], long_factor: [2, 2, 2, 2] } },
];

describe('configs', () => {
  const paths = (value: unknown): string[][] =>
    typeof value === 'object' && value !== null ? Object.entries(value).flatMap(([key, inner]) => [[key], ...paths(inner).map((rest) => [key, ...rest])]) : [];
  const changed = (value: unknown, [key, ...rest]: string[], to: unknown): unknown => {
    if (key === undefined) return to;
    const copy = Array.isArray(value) ? [...(value as unknown[])] : { ...(value as object) };
    (copy as Record<string, unknown>)[key] = changed((value as Record<string, unknown>)[key], rest, to);
    return copy;
  };

  test.each(configs.map((config): [string, Record<string, unknown>] => [String(config['model_type']), config]))('%s with any field changed', (_, config) => {
    expect(describeConfig(config).towers.length).toBeGreaterThan(0);
    for (const path of [[], ...paths(config)]) {
      for (const value of values) {
        const given = changed(config, path, value) as never;
        const described = survive(path.join('.'), value, () => describeConfig(given));
        // Tables of gigabytes would be made where the config asks for them.
        if (described === undefined || (typeof value === 'number' && value > 2 ** 20)) continue;
        survive(path.join('.'), value, () => fromConfig(posenc, given))?.dispose();
      }
    }
  });

  test('options', () => {
    for (const value of values) {
      survive('options', value, () => fromConfig(posenc, configs[0] as never, value as never))?.dispose();
      for (const name of ['length', 'towers', 'weights', 'wrong']) survive(name, value, () => fromConfig(posenc, configs[3] as never, { [name]: value } as never))?.dispose();
      for (const weights of [{ 'learned.table': value }, { 'embeddings.position_embeddings.weight': value }, { 'embeddings.position_embeddings.weight': { data: value, shape: [16, 32] } }, { 'embeddings.position_embeddings.weight': { data: numbers(512), shape: value } }, { 'embeddings.position_embeddings.weight': { data: numbers(512), shape: [16, 32], dtype: value } }]) {
        survive('weights', weights, () => fromConfig(posenc, { ...configs[3], position_embedding_type: 'absolute' } as never, { weights } as never))?.dispose();
      }
    }
  });
});

test('needs', () => {
  expect(recommend({ task: 'code' }).length).toBeGreaterThan(0);
  for (const value of values) {
    survive('needs', value, () => recommend(value as never));
    for (const name of ['task', 'causal', 'trainedLength', 'longestLength', 'variableSize', 'absolute', 'parameters', 'cache', 'wrong']) {
      survive(name, value, () => recommend({ task: 'code', [name]: value } as never));
    }
  }
});

/** Denormal numbers, huge ones, and those that are none. */
const odd = [NaN, Infinity, -Infinity, 1e-45, -1e-40, 3e38, -0];

describe('numbers that are none', () => {
  test('stay in their row of a sum, of a rotation, of a layer', () => {
    const rope = posenc.rope({ headDim: 8 });
    const layer = posenc.attentionLayer({ dim: 6, heads: 2, causal: true, encodings: [canary] }) as AttentionLayer;
    for (const value of odd) {
      const x = random([4, 6]);
      const sum = canary.add(x).data;
      const [clean] = [layer.forward(x).data];
      x.data[2 * 6 + 1] = value;
      const row = canary.encode(4).data[2 * 6 + 1]!;
      expect(canary.add(x).data).toEqual(sum.map((each, at) => (at === 13 ? Math.fround(value + row) : each)));
      // A causal layer: tokens before it do not see it.
      expect(layer.forward(x).data.slice(0, 12)).toEqual(clean.slice(0, 12));
      const q = random([3, 8]);
      const turned = rope.apply(q, { positions: 5 }).data;
      q.data[8] = value;
      const got = rope.apply(q, { positions: 5 }).data;
      got.forEach((each, at) => at === 8 || at === 12 || expect(each).toBe(turned[at]));
      expect(Number.isFinite(got[8]!) && Number.isFinite(got[12]!)).toBe(Number.isFinite(value));
    }
    for (const each of [layer, rope]) each.dispose();
  });

  test.each(samplesIn('rotary', 'bias', 'relative', 'none').map((sample): [string, Sample] => [sample.title, sample]))('hidden keys and values do not show with %s', (_, sample) => {
    const encoding = make<Encoding<object>>(posenc, sample);
    const attention = posenc.attention({ ...attentionOptions, encodings: [encoding] });
    const [q, k, v] = [random([heads, 3, headDim], 1), random([2, 6, headDim], 2), random([2, 6, headDim], 3)];
    const axes = sample.id === 'mrope' ? 1 : encoding.axes;
    const options = { keyLengths: [4], positions: { q: places(axes, 1, 3), k: places(axes, 0, 6) }, ...relationsOf(encoding, 1, 3, 6) };
    const want = attention.forwardForGrad(q, k, v, options);
    expect(want.out.data.every(Number.isFinite)).toBe(true);
    const dOut = random([heads, 3, headDim], 4);
    const wanted = attention.backward({ q, k, v, ...want, dOut, ...options });
    for (const value of odd) {
      // Keys 4 and 5 are not there.
      for (const tensor of [k, v]) tensor.data.forEach((__, at) => Math.floor(at / headDim) % 6 >= 4 && (tensor.data[at] = value));
      const got = attention.forwardForGrad(q, k, v, options);
      expect(got).toEqual(want);
      expect(attention.backward({ q, k, v, ...got, dOut, ...options })).toEqual(wanted);
    }
    for (const each of [attention, encoding]) each.dispose();
  });
});
before = count();
