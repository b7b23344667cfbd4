// What describeConfig says of attention: scales, windows, biases, and encodings that do not rotate.
import { describe, expect, test } from 'vitest';
import { describeConfig, type ModelConfig } from '../../../bindings/js/config.js';
import { choices, only, released } from './models.js';

describe('attention options', () => {
  const options = (name: string, group = 0) => only(released(name)).groups[group]?.attention;

  test.each([
    [
      'meta-llama/Meta-Llama-3-70B',
      { heads: 64, kvHeads: 8, headDim: 128, causal: true, scale: 128 ** -0.5, softcap: 0 },
    ],
    ['tiiuae/falcon-7b', { heads: 71, kvHeads: 1, headDim: 64 }],
    ['THUDM/chatglm3-6b', { heads: 32, kvHeads: 2, headDim: 128 }],
    ['Qwen/Qwen3-4B', { heads: 32, kvHeads: 8, headDim: 128, scale: 128 ** -0.5 }],
    ['google/gemma-2-9b', { heads: 16, kvHeads: 8, headDim: 256, scale: 1 / 16, softcap: 50 }],
    ['mistralai/Mistral-7B', { window: { left: 4095 } }],
    ['facebook/esm2', { causal: false, headDim: 16 }],
    ['deepseek-ai/DeepSeek-V2-Lite', { headDim: 192, valueDim: 128, kvHeads: 16 }],
  ])('%s', (name, expected) => {
    expect(options(name)).toMatchObject(expected);
  });

  test('a window that is off, or only for some layers', () => {
    expect(options('Qwen/Qwen2-7B')).not.toHaveProperty('window');
    const tower = only({
      ...released('Qwen/Qwen2-7B'),
      use_sliding_window: true,
      num_hidden_layers: 30,
      sliding_window: 64,
    });
    expect(tower.groups.map(({ kind, layers }) => [kind, layers.length])).toEqual([
      ['full_attention', 28],
      ['sliding_attention', 2],
    ]);
    expect(tower.groups[1]?.attention.window).toEqual({ left: 63 });
  });

  test('an explicit null is no window, whatever the class has', () => {
    const { groups } = only({
      model_type: 'mistral',
      hidden_size: 64,
      num_attention_heads: 4,
      num_key_value_heads: 4,
      sliding_window: null,
    });
    expect(groups[0]?.attention).not.toHaveProperty('window');
  });

  test("DeepSeek's softmax factor stands apart from the amplitude", () => {
    const mscale = 0.1 * Math.log(40) + 1;
    expect(options('deepseek-ai/DeepSeek-V3')?.scale).toBeCloseTo(mscale ** 2 / Math.sqrt(192), 12);
    const scaling = only(released('deepseek-ai/DeepSeek-V3')).groups[0]?.encodings[0]?.options?.['scaling'];
    expect(scaling).toMatchObject({ type: 'yarn', mscale: 1, mscaleAllDim: 1 });
  });

  test('Granite and Gemma 3 give the scale themselves', () => {
    const sizes = { hidden_size: 64, num_attention_heads: 4, num_hidden_layers: 2 };
    expect(only({ model_type: 'granite', ...sizes, attention_multiplier: 0.015625 }).groups[0]?.attention.scale).toBe(
      0.015625,
    );
    expect(only({ model_type: 'gemma3_text', ...sizes, query_pre_attn_scalar: 168 }).groups[0]?.attention.scale).toBe(
      168 ** -0.5,
    );
  });

  test('T5 does not scale', () => {
    for (const { groups } of describeConfig(released('google-t5/t5-small')).towers)
      expect(groups[0]?.attention.scale).toBe(1);
  });
});

describe('biases', () => {
  const first = (config: ModelConfig, tower = 0, group = 0) =>
    describeConfig(config).towers[tower]?.groups[group]?.encodings[0];

  test("T5's two halves", () => {
    const config = { model_type: 't5', relative_attention_num_buckets: 16, relative_attention_max_distance: 64 };
    const options = { heads: 8, numBuckets: 16, maxDistance: 64 };
    expect(first(config)).toMatchObject({ id: 't5', name: 't5', options: { ...options, bidirectional: true } });
    expect(first(config, 1)?.options).toEqual({ ...options, bidirectional: false });
    expect(first({ model_type: 'umt5' }, 1, 7)?.name).toBe('t5-7');
  });

  test('MPNet has a table of positions as well, and scales', () => {
    const tower = only({ model_type: 'mpnet' });
    expect(choices([tower]).map(({ id }) => id)).toEqual(['learned', 't5']);
    expect(tower.groups[0]?.attention.scale).toBe(1 / 8);
  });

  test("Swin's stages and Swin v2's windows, no larger than the picture", () => {
    expect(first({ model_type: 'swin' }, 0, 2)).toMatchObject({
      name: 'swin-2',
      options: { heads: 6, window: { height: 7, width: 7 } },
    });
    const second = { model_type: 'swinv2', image_size: 256, window_size: 16, pretrained_window_sizes: [12, 12, 12, 6] };
    expect(first(second)?.options).toEqual({
      heads: 3,
      window: { height: 16, width: 16 },
      pretrainedWindow: { height: 12, width: 12 },
    });
    expect(first(second, 0, 11)?.options).toEqual({
      heads: 24,
      window: { height: 8, width: 8 },
      pretrainedWindow: { height: 6, width: 6 },
    });
    expect(only(second).groups[0]?.attention.logits).toBe('cosine');
  });

  test("BEiT's bias is there only where the config has it", () => {
    expect(first({ model_type: 'beit' })).toBeUndefined();
    const wide = { model_type: 'beit', use_relative_position_bias: true, image_size: [224, 448], num_hidden_layers: 2 };
    expect(first(wide, 0, 1)).toMatchObject({ name: 'beit-1', options: { window: { height: 14, width: 28 } } });
  });

  test('LayoutLMv3 divides its biases', () => {
    expect(first({ model_type: 'layoutlmv2' })?.options).toMatchObject({ parts: 'both', factor: 1 });
    expect(first({ model_type: 'layoutlmv3' })?.options).toMatchObject({ numBuckets2d: 64, factor: 1 / 8 });
    expect(first({ model_type: 'layoutlmv3', has_spatial_attention_bias: false })?.options).toEqual({
      heads: 12,
      parts: 'text',
      numBuckets: 32,
      maxDistance: 128,
      factor: 1 / 8,
    });
  });
});

describe('other encodings', () => {
  test('ALiBi: BLOOM, MPT, Falcon, Baichuan and JinaBERT', () => {
    const alibi = (config: ModelConfig) => only(config).groups[0];
    expect(alibi(released('bigscience/bloom'))?.encodings[0]?.options).toEqual({
      heads: 16,
      sides: 'causal',
      slopeRule: 'press',
      biasMax: 8,
    });
    expect(alibi(released('mosaicml/mpt'))?.encodings[0]?.options).toMatchObject({ heads: 32, slopeRule: 'mpt' });
    const falcon = { model_type: 'falcon', hidden_size: 64, num_attention_heads: 4, alibi: true, multi_query: false };
    expect(alibi(falcon)).toMatchObject({
      attention: { kvHeads: 4 },
      encodings: [{ id: 'alibi', scaled: { slopes: 0.25 } }],
    });
    const baichuan = { model_type: 'baichuan', num_attention_heads: 40, hidden_size: 5120 };
    expect(alibi(baichuan)?.encodings[0]?.id).toBe('alibi');
    expect(alibi({ ...baichuan, num_attention_heads: 32, hidden_size: 4096 })?.encodings[0]?.id).toBe('rope');
    const jina = { model_type: 'bert', position_embedding_type: 'alibi', hidden_size: 64, num_attention_heads: 4 };
    expect(alibi(jina)).toMatchObject({
      attention: { causal: false },
      encodings: [{ options: { sides: 'symmetric' } }],
    });
  });

  test('sines: Whisper, Marian, M2M100, XGLM and DistilBERT', () => {
    const inputs = (config: ModelConfig) => describeConfig(config).towers.map(({ input: [choice] }) => choice);
    expect(inputs(released('openai/whisper-tiny'))).toMatchObject([
      { id: 'sinusoidal', options: { dim: 384, layout: 'concat', exponent: 'tensor2tensor', scaleInput: false } },
      { id: 'learned', options: { dim: 384, maxLength: 448 } },
    ]);
    const marian = { options: { dim: 512, layout: 'concat', exponent: 'paper', scaleInput: true } };
    expect(inputs({ model_type: 'marian', d_model: 512, scale_embedding: true })).toMatchObject([marian, marian]);
    const m2m = { options: { exponent: 'tensor2tensor', paddingIndex: 1, scaleInput: true }, offset: 2 };
    expect(inputs({ model_type: 'm2m_100', d_model: 512 })).toMatchObject([m2m, m2m]);
    expect(inputs({ model_type: 'xglm', d_model: 512 })).toMatchObject([{ offset: 2, options: { dim: 512 } }]);
    const distil = { model_type: 'distilbert', dim: 64, n_heads: 4 };
    expect(inputs({ ...distil, sinusoidal_pos_embds: true })).toMatchObject([
      { options: { layout: 'interleaved', exponent: 'paper' } },
    ]);
    expect(inputs(distil)).toMatchObject([{ id: 'learned', options: { maxLength: 512 } }]);
  });
});
