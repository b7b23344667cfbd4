// What the configuration and model classes of Hugging Face transformers settle where a config.json says nothing, or says it
// in a way of its own. Values: of transformers 4.57 and 5.18.
import { describe, expect, test } from 'vitest';
import { describeConfig, type ModelConfig } from '../../../bindings/js/config.js';
import { only } from './models.js';

const input = (config: ModelConfig) => only(config).input[0];
const tower = (config: ModelConfig, name: string) => describeConfig(config).towers.find((each) => each.name === name);

describe('rows of learned tables', () => {
  test.each([
    ['albert', { dim: 128, maxLength: 512 }],
    ['electra', { dim: 128, maxLength: 512 }],
    ['mobilebert', { dim: 512, maxLength: 512 }],
    ['rembert', { dim: 256, maxLength: 512 }],
    ['distilbert', { dim: 768, maxLength: 512 }],
    ['xlm', { dim: 2048, maxLength: 512 }],
    ['roberta', { dim: 768, maxLength: 512, paddingIndex: 1 }],
    ['lilt', { dim: 768, maxLength: 512, paddingIndex: 0 }],
    ['nystromformer', { dim: 768, maxLength: 510, offset: 2 }],
    ['yoso', { dim: 768, maxLength: 4096, offset: 2 }],
    ['mra', { dim: 768, maxLength: 512, offset: 2 }],
    ['trocr', { dim: 1024, maxLength: 512, offset: 2 }],
  ])('%s', (model_type, options) => {
    expect(input({ model_type })?.options).toEqual(options);
  });

  test.each([
    ['bart', 1024, 1024, 2],
    ['plbart', 768, 1024, 2],
    ['blenderbot', 2560, 128, undefined],
    ['bigbird_pegasus', 1024, 4096, undefined],
  ])('%s, both halves', (model_type, dim, maxLength, offset) => {
    const { towers } = describeConfig({ model_type });
    const options = { dim, maxLength, ...(offset ? { offset } : {}) };
    expect(towers.map((each) => each.input[0]?.options)).toEqual([options, options]);
  });

  test('LED: its halves have lengths under names of their own', () => {
    const config = { model_type: 'led', max_encoder_position_embeddings: 4096, max_decoder_position_embeddings: 256 };
    expect(describeConfig(config).towers.map((each) => each.input[0]?.options)).toMatchObject([{ maxLength: 4096 }, { maxLength: 256 }]);
    expect(tower({ model_type: 'led' }, 'encoder')?.input[0]?.options).toMatchObject({ maxLength: 16384 });
  });

  test("MobileBERT's embedding_size is that of words alone", () => {
    expect(input({ model_type: 'mobilebert', embedding_size: 128, hidden_size: 512 })?.options).toMatchObject({ dim: 512 });
  });

  test('ESM-1b counts from the row after that of padding', () => {
    const esm = { model_type: 'esm', position_embedding_type: 'absolute', pad_token_id: 1, max_position_embeddings: 1026 };
    expect(input(esm)).toMatchObject({ offset: 2, options: { maxLength: 1026, paddingIndex: 1 } });
  });

  test('pictures: sizes of the classes', () => {
    const patches = (model_type: string) => (input({ model_type })?.options as { rows: number }).rows;
    expect(['clip_vision_model', 'dinov2', 'blip_vision_model', 'internvl_vision', 'dpt'].map(patches)).toEqual([7, 16, 24, 32, 24]);
  });

  test('BEiT may have a table of places too', () => {
    const beit = { model_type: 'beit', use_relative_position_bias: true };
    expect(only(beit).input).toEqual([]);
    expect(input({ ...beit, use_absolute_position_embeddings: true })?.options).toEqual({ dim: 768, kind: 'grid', rows: 14, cols: 14, prefix: 1 });
    expect(only({ ...beit, image_size: 230 }).groups[0]?.encodings[0]?.options).toMatchObject({ window: { height: 14, width: 14 } });
  });
});

describe('layers', () => {
  test('GPT-Neo: every other layer sees 256 keys', () => {
    const { groups } = only({ model_type: 'gpt_neo', num_layers: 4, attention_types: [[['global', 'local'], 2]], window_size: 256 });
    expect(groups.map(({ layers, kind, attention }) => [layers, kind, attention.window, attention.scale])).toEqual([
      [[0, 2], 'full_attention', undefined, 1],
      [[1, 3], 'sliding_attention', { left: 255 }, 1],
    ]);
    const listed = only({ model_type: 'gpt_neo', num_layers: 2, attention_layers: ['local', 'local'], window_size: 8 });
    expect(listed.groups.map(({ layers, attention }) => [layers, attention.window])).toEqual([[[0, 1], { left: 7 }]]);
    expect(() => only({ model_type: 'gpt_neo', attention_types: [['global', 1e300]] })).toThrow(/attention_types/);
  });

  test('Longformer and the encoder of LED: windows, of all layers or of each', () => {
    const windows = (config: ModelConfig) => describeConfig(config).towers[0]?.groups.map(({ layers, attention }) => [layers, attention.window]);
    expect(windows({ model_type: 'longformer', num_hidden_layers: 3, attention_window: [4, 4, 8] })).toEqual([[[0, 1], { left: 2, right: 2 }], [[2], { left: 4, right: 4 }]]);
    expect(windows({ model_type: 'led', encoder_layers: 2 })).toEqual([[[0, 1], { left: 256, right: 256 }]]);
    expect(tower({ model_type: 'led' }, 'decoder')?.groups[0]?.attention.window).toBeUndefined();
    expect(() => windows({ model_type: 'longformer', attention_window: [4] })).toThrow(/attention_window/);
  });

  test("GPT-2's factors: none, or divided by the number of the layer", () => {
    const scales = (config: ModelConfig) => only({ model_type: 'gpt2', n_layer: 3, ...config }).groups.map(({ attention }) => attention.scale);
    expect(scales({})).toEqual([0.125]);
    expect(scales({ scale_attn_weights: false })).toEqual([1]);
    expect(scales({ scale_attn_by_inverse_layer_idx: true })).toEqual([0.125, 0.0625, 0.125 / 3]);
    expect(only({ model_type: 'gpt_bigcode', scale_attn_weights: false }).groups[0]?.attention).toMatchObject({ scale: 1, kvHeads: 1 });
  });

  test('RecurrentGemma: attention slides', () => {
    const { groups } = only({ model_type: 'recurrent_gemma', num_hidden_layers: 6, attention_window_size: 2048 });
    expect(groups).toMatchObject([{ kind: 'sliding_attention', layers: [2, 5], attention: { window: { left: 2047 } } }]);
  });

  test('EmbeddingGemma: Gemma 3 that sees both sides, half a window on each', () => {
    const config = { model_type: 'gemma3_text', num_hidden_layers: 6, sliding_window: 512, use_bidirectional_attention: true };
    expect(only(config).groups.map(({ attention }) => [attention.causal, attention.window])).toEqual([
      [false, { left: 256, right: 256 }],
      [false, undefined],
    ]);
    expect(only({ ...config, use_bidirectional_attention: false }).groups[0]?.attention).toMatchObject({ causal: true, window: { left: 511 } });
  });

  test('an empty list of kinds says nothing of them', () => {
    expect(only({ model_type: 'llama', num_hidden_layers: 3, layer_types: [] }).groups).toMatchObject([{ layers: [0, 1, 2], kind: 'full_attention' }]);
  });

  test('Llama 4 writes 4 where it means true', () => {
    const { groups } = only({ model_type: 'llama4_text', num_hidden_layers: 4, attn_temperature_tuning: 4, floor_scale: 8192, attn_scale: 0.1 });
    expect(groups[1]?.attention.temperature).toEqual({ type: 'llama4', floorScale: 8192, weight: 0.1 });
  });

  test('ModernBERT: a null gives sliding layers the base of the others', () => {
    const bases = (config: ModelConfig) => only({ model_type: 'modernbert', ...config }).groups.map(({ encodings }) => encodings[0]?.options?.base);
    expect(bases({ global_rope_theta: 80000, local_rope_theta: null })).toEqual([80000, 80000]);
    expect(bases({ global_rope_theta: 80000 })).toEqual([80000, 10000]);
  });

  test('what is not described is said', () => {
    const warnings = (config: ModelConfig) => describeConfig(config).towers[0]?.warnings.join();
    expect(warnings({ model_type: 'longformer' })).toMatch(/`global`/);
    expect(warnings({ model_type: 'big_bird', block_size: 16 })).toMatch(/blocks: { size: 16, random: 3 }/);
    expect(warnings({ model_type: 'bigbird_pegasus' })).toMatch(/block_sparse/);
    expect(warnings({ model_type: 'big_bird', attention_type: 'original_full' })).toBe('');
    const beta = { rope_type: 'yarn', factor: 16, original_max_position_embeddings: 16384, llama_4_scaling_beta: 0.1 };
    expect(warnings({ model_type: 'ministral3', rope_parameters: beta })).toMatch(/1 \+ 0\.1 · ln\(1 \+ floor/);
    expect(() => describeConfig({ model_type: 'nezha' })).not.toThrow();
    expect(only({ model_type: 'nezha' })).toMatchObject({ input: [], groups: [{ encodings: [{ id: 'shaw', options: null }] }] });
  });
});

describe('rotation', () => {
  test.each([
    ['apertus', 1.2e7, { type: 'llama3', factor: 8, originalLength: 8192, lowFreqFactor: 1, highFreqFactor: 4 }],
    ['cwm', 1e6, { type: 'llama3', factor: 16, originalLength: 8192, lowFreqFactor: 1, highFreqFactor: 4 }],
    ['ministral3', 1e6, { type: 'yarn', factor: 16, originalLength: 16384, mscale: 1, mscaleAllDim: 1 }],
  ])('%s: scaling of the class', (model_type, base, scaling) => {
    expect(only({ model_type }).groups[0]?.encodings[0]?.options).toMatchObject({ base, scaling });
    expect(only({ model_type, rope_scaling: null }).groups[0]?.encodings[0]?.options).not.toHaveProperty('scaling');
  });

  test("Nomic's dynamic NTK, by fields of its own", () => {
    const nomic = { model_type: 'nomic_bert', n_embd: 768, n_head: 12, n_layer: 12, n_positions: 8192, max_trained_positions: 2048 };
    const made = (config: ModelConfig) => only({ ...nomic, ...config }).groups[0]?.encodings[0]?.options;
    expect(made({ rotary_scaling_factor: 2 })).toMatchObject({ base: 1000, scaling: { type: 'dynamic', factor: 2, originalLength: 2048 } });
    expect(made({ rotary_scaling_factor: null })).not.toHaveProperty('scaling');
  });

  test("Qwen's picture towers by themselves", () => {
    const old = { model_type: 'qwen2_vl_vision', embed_dim: 1280, hidden_size: 3584, num_heads: 16, depth: 32 };
    expect(only(old)).toMatchObject({ hiddenSize: 1280, layers: 32, groups: [{ attention: { headDim: 80 } }] });
    const later = { model_type: 'qwen2_5_vl_vision', hidden_size: 1280, num_heads: 16, depth: 32, fullatt_block_indexes: [7, 15, 23, 31] };
    expect(only(later)).toMatchObject({ hiddenSize: 1280, groups: [{ attention: { headDim: 80 } }] });
    expect(only(later).warnings.join()).toMatch(/fullatt_block_indexes/);
  });
});

describe('decoders made of encoders', () => {
  test.each(['bert', 'roberta', 'electra', 'roformer', 'big_bird'])('%s with is_decoder', (model_type) => {
    const causal = (config: ModelConfig) => only({ model_type, ...config }).groups[0]?.attention.causal;
    expect([causal({}), causal({ is_decoder: false }), causal({ is_decoder: true })]).toEqual([false, false, true]);
  });

  test('a part of an encoder-decoder has one half alone', () => {
    const donut = { model_type: 'vision-encoder-decoder', encoder: { model_type: 'donut-swin' }, decoder: { model_type: 'mbart', is_decoder: true } };
    expect(describeConfig(donut).towers.map(({ name, modelType }) => [name, modelType])).toEqual([['vision', 'donut-swin'], ['decoder', 'mbart']]);
    const bert = { model_type: 'encoder-decoder', encoder: { model_type: 'bert' }, decoder: { model_type: 'bert', is_decoder: true } };
    expect(describeConfig(bert).towers.map(({ name, groups }) => [name, groups[0]?.attention.causal])).toEqual([['encoder', false], ['decoder', true]]);
  });
});

test('speech: null is no positions', () => {
  for (const model_type of ['wav2vec2-bert', 'wav2vec2-conformer']) {
    expect(only({ model_type, position_embeddings_type: null }).groups[0]?.encodings).toEqual([]);
    expect(only({ model_type }).groups[0]?.encodings).toHaveLength(1);
  }
});

test('a kind of scaling that is not offered is named where it stands', () => {
  const parameter = (config: ModelConfig): unknown => {
    try {
      describeConfig({ model_type: 'llama', ...config });
    } catch (error) {
      return (error as { parameter?: unknown }).parameter;
    }
    return undefined;
  };
  expect(parameter({ rope_scaling: { type: 'spiral', factor: 2 } })).toBe('rope_scaling.type');
  expect(parameter({ rope_parameters: { rope_type: 'spiral' } })).toBe('rope_parameters.rope_type');
  expect(parameter({ rope_parameters: { full_attention: { rope_type: 'spiral' } } })).toBe('rope_parameters.full_attention.rope_type');
});
