// What describeConfig reads from the configs of released models: widths, scales, windows, bases and scalings.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { describeConfig, type EncodingChoice, type ModelConfig, type Tower } from '../../../bindings/js/config.js';

interface Entry {
  readonly model: string;
  readonly config: ModelConfig;
  readonly expect: readonly string[];
  readonly expectLayout?: string;
}

const { models } = JSON.parse(readFileSync(new URL('../../golden/model-configs.json', import.meta.url), 'utf8')) as {
  models: readonly Entry[];
};

function only(config: ModelConfig): Tower {
  const { towers } = describeConfig(config);
  expect(towers).toHaveLength(1);
  return towers[0] as Tower;
}

function choices(towers: readonly Tower[]): readonly EncodingChoice[] {
  return towers.flatMap((tower) => [...tower.input, ...tower.groups.flatMap((group) => group.encodings)]);
}

function released(name: string): ModelConfig {
  const entry = models.find(({ model }) => model.startsWith(name));
  if (!entry) throw new Error(`no model ${name}`);
  return entry.config;
}

describe('released models', () => {
  test.each(models.map((entry) => [entry.model, entry] as const))('%s', (_, entry) => {
    const { towers } = describeConfig(entry.config);
    const ids = new Set(choices(towers).map(({ id }) => id));
    for (const id of entry.expect) expect(ids).toContain(id);
    if (entry.expectLayout)
      expect(towers.flatMap(({ groups }) => groups.map(({ layout }) => layout))).toContain(entry.expectLayout);
  });

  test('a config is not changed', () => {
    for (const { config } of models) {
      const before = JSON.stringify(config);
      describeConfig(config);
      expect(JSON.stringify(config)).toBe(before);
    }
  });
});

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

describe('rotation', () => {
  const rope = (config: ModelConfig, group = 0) => only(config).groups[group]?.encodings[0]?.options;

  test.each([
    ['EleutherAI/gpt-neox-20b', { headDim: 96, rotaryDim: 24, base: 10000, layout: 'half' }],
    ['EleutherAI/gpt-j-6B', { headDim: 256, rotaryDim: 64, layout: 'interleaved' }],
    ['microsoft/phi-1', { headDim: 64, rotaryDim: 32 }],
    ['stabilityai/stablelm-2', { headDim: 64, rotaryDim: 16 }],
    ['THUDM/chatglm3-6b', { headDim: 128, rotaryDim: 64, layout: 'interleaved' }],
    ['CohereForAI/aya-23-8B', { layout: 'interleaved', base: 10000 }],
    ['deepseek-ai/DeepSeek-V3', { headDim: 192, rotaryDim: 64, layout: 'interleaved' }],
    ['allenai/OLMo-2-7B', { base: 500000, layout: 'half' }],
  ])('%s', (name, expected) => {
    expect(rope(released(name))).toMatchObject(expected);
  });

  test('scaling in the old and the new spelling gives the same', () => {
    const sizes = {
      model_type: 'llama',
      hidden_size: 256,
      num_attention_heads: 2,
      num_hidden_layers: 2,
      max_position_embeddings: 4096,
    };
    const block = { factor: 8, low_freq_factor: 1, high_freq_factor: 4, original_max_position_embeddings: 1024 };
    const old = rope({ ...sizes, rope_theta: 5e5, rope_scaling: { type: 'llama3', ...block } });
    const modern = rope({ ...sizes, rope_parameters: { rope_type: 'llama3', rope_theta: 5e5, ...block } });
    expect(old).toEqual(modern);
    expect(old).toMatchObject({ base: 5e5, scaling: { type: 'llama3', factor: 8, originalLength: 1024 } });
  });

  test("Phi's original length outside the block, and its early name for LongRoPE", () => {
    const config = released('microsoft/Phi-3-mini-128k');
    const scaling = { type: 'longrope', factor: 32, originalLength: 4096 };
    expect(rope(config)).toMatchObject({ scaling });
    const block = config['rope_scaling'] as object;
    expect(rope({ ...config, rope_scaling: { ...block, type: 'su' } })).toMatchObject({ scaling });
    const inside = {
      ...config,
      original_max_position_embeddings: undefined,
      rope_scaling: { ...block, original_max_position_embeddings: 4096 },
    };
    expect(rope(inside)).toMatchObject({ scaling });
  });

  test('local bases: Gemma 3 and ModernBERT', () => {
    const gemma = only(released('google/gemma-3-1b'));
    expect(
      gemma.groups.map(({ kind, encodings: [choice] }) => [kind, choice?.name, choice?.options?.['base']]),
    ).toEqual([
      ['sliding_attention', 'rope-sliding', 10000],
      ['full_attention', 'rope-full', 1000000],
    ]);
    const bert = only(released('answerdotai/ModernBERT-base'));
    expect(bert.groups[0]).toMatchObject({ kind: 'full_attention', layers: [0, 3, 6, 9, 12, 15, 18, 21] });
    expect(bert.groups[1]?.attention).toMatchObject({ causal: false, window: { left: 64, right: 64 } });
    expect(bert.groups[1]?.encodings[0]?.options).toMatchObject({ base: 10000 });
  });

  test("a global scaling does not reach Gemma 3's local layers", () => {
    const config = { model_type: 'gemma3_text', rope_scaling: { factor: 8, rope_type: 'linear' } };
    expect(rope(config, 0)).not.toHaveProperty('scaling');
    expect(rope(config, 1)).toMatchObject({ base: 1e6, scaling: { type: 'linear', factor: 8 } });
  });

  test("ChatGLM's rope_ratio stretches the base", () => {
    expect(rope({ ...released('THUDM/chatglm3-6b'), rope_ratio: 500 })).toMatchObject({ base: 5e6 });
  });

  test("Hunyuan's alpha is NTK whatever it is called", () => {
    const block = { type: 'dynamic', alpha: 1000, factor: 1 };
    const config = { model_type: 'hunyuan_v1_dense', hidden_size: 256, num_attention_heads: 2, rope_scaling: block };
    expect(rope(config)).toMatchObject({ scaling: { type: 'ntk', factor: 1000 } });
  });

  test("the first Qwen's NTK steps with the length", () => {
    const at = (length?: number) => describeConfig(released('Qwen/Qwen-7B'), length ? { length } : {}).towers[0];
    const scaling = (length: number) => at(length)?.groups[0]?.encodings[0]?.options?.['scaling'];
    expect(scaling(8192)).toBeUndefined();
    expect(scaling(8193)).toEqual({ type: 'ntk', factor: 3 });
    expect(scaling(20000)).toEqual({ type: 'ntk', factor: 7 });
    expect(at()?.warnings.join()).toMatch(/use_dynamic_ntk.*use_logn_attn/s);
  });

  test("Phi-3.5-MoE's own amplitude", () => {
    const config = released('microsoft/Phi-3.5-MoE');
    expect(rope(config)).toMatchObject({ scaling: { attentionFactor: 1.243163121016122 } });
    const block = { ...(config['rope_scaling'] as object), short_mscale: 1.1 };
    const at = (length: number) =>
      describeConfig({ ...config, rope_scaling: block }, { length }).towers[0]?.groups[0]?.encodings[0]?.options;
    expect(at(4096)).toMatchObject({ scaling: { attentionFactor: 1.1 } });
    expect(at(4097)).toMatchObject({ scaling: { attentionFactor: 1.243163121016122 } });
  });
});

describe('layers', () => {
  test('SmolLM3: every fourth layer without rotation, from a list that goes on', () => {
    const { groups, layers } = only(released('HuggingFaceTB/SmolLM3'));
    expect(layers).toBe(36);
    expect(groups.map(({ encodings }) => encodings[0]?.id)).toEqual(['rope', 'nope']);
    expect(groups[1]?.layers).toEqual([3, 7, 11, 15, 19, 23, 27, 31, 35]);
    expect(groups[1]).not.toHaveProperty('layout');
  });

  test('gpt-oss: alternating windows from a list that goes on, and sinks', () => {
    const { groups, warnings } = only(released('openai/gpt-oss-20b'));
    expect(groups.map(({ kind, layers }) => [kind, layers.length])).toEqual([
      ['sliding_attention', 18],
      ['full_attention', 18],
    ]);
    expect(groups[0]).toMatchObject({ sinks: true, attention: { window: { left: 127 } } });
    expect(warnings.join()).toMatch(/sink/);
  });

  test('Qwen-VL: sections of the text, rows and columns of the picture', () => {
    const second = describeConfig(released('Qwen/Qwen2-VL-7B'));
    expect(second.towers.map(({ groups }) => groups[0]?.encodings[0])).toMatchObject([
      { id: 'mrope', options: { headDim: 128, base: 1e6, sections: [16, 24, 24], order: 'chunked' } },
      { id: 'ropeNd', options: { headDim: 80 } },
    ]);
    const third = describeConfig(released('Qwen/Qwen3-VL-2B-Instruct'));
    expect(third.towers[0]?.groups[0]?.encodings[0]).toMatchObject({
      id: 'mrope',
      options: { base: 5e6, sections: [24, 20, 20], order: 'interleaved' },
    });
    expect(third.towers[1]?.groups[0]?.encodings[0]).toMatchObject({ id: 'ropeNd' });
  });

  test('Cohere2 and EXAONE 4 rotate where they slide', () => {
    const sizes = { hidden_size: 64, num_attention_heads: 4, num_hidden_layers: 8, sliding_window: 16 };
    const ids = (config: ModelConfig) =>
      only(config).groups.map(({ kind, encodings }) => `${kind} ${encodings[0]?.id}`);
    const expected = ['sliding_attention rope', 'full_attention nope'];
    expect(ids({ model_type: 'cohere2', ...sizes })).toEqual(expected);
    expect(ids({ model_type: 'exaone4', ...sizes, sliding_window_pattern: 'LLLG' })).toEqual(expected);
    expect(ids({ model_type: 'exaone4', ...sizes, sliding_window: null })).toEqual(['full_attention rope']);
  });

  test('Llama 4: chunks where it rotates', () => {
    const { towers } = describeConfig({ model_type: 'llama4', text_config: { num_hidden_layers: 8 } });
    expect(towers[0]?.groups.map(({ kind, layers, encodings }) => [kind, layers, encodings[0]?.id])).toEqual([
      ['chunked_attention', [0, 1, 2, 4, 5, 6], 'rope'],
      ['full_attention', [3, 7], 'nope'],
    ]);
    expect(towers[0]?.groups[0]?.attention).toMatchObject({ chunk: 8192 });
    expect(towers[0]?.groups[0]?.attention).not.toHaveProperty('temperature');
    expect(towers[0]?.groups[1]?.attention).toMatchObject({
      temperature: { type: 'llama4', floorScale: 8192, weight: 0.1 },
    });
  });

  test('hybrids list the layers that have attention', () => {
    const jamba = only({ model_type: 'jamba', num_hidden_layers: 16 });
    expect(jamba.groups).toMatchObject([{ layers: [4, 12], encodings: [{ id: 'nope' }] }]);
    const bamba = only({ model_type: 'bamba', num_hidden_layers: 12, attn_layer_indices: [9], hidden_size: 4096 });
    expect(bamba.groups).toMatchObject([{ layers: [9], encodings: [{ options: { rotaryDim: 64, headDim: 128 } }] }]);
    const granite = { model_type: 'granitemoehybrid', layer_types: ['mamba', 'attention'], num_hidden_layers: 2 };
    expect(only({ ...granite, position_embedding_type: 'nope' }).groups).toMatchObject([
      { layers: [1], encodings: [{ id: 'nope' }] },
    ]);
    expect(only({ ...granite, position_embedding_type: 'rope' }).groups).toMatchObject([
      { encodings: [{ id: 'rope' }] },
    ]);
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
    expect(inputs(distil)).toMatchObject([{ id: 'learned', options: null }]);
  });
});

describe('towers', () => {
  const llava = {
    model_type: 'llava',
    text_config: { model_type: 'mistral', hidden_size: 64, num_attention_heads: 4, num_key_value_heads: 2 },
    vision_config: { hidden_size: 64, num_attention_heads: 4, num_hidden_layers: 2 },
  };

  test('of a model with pictures, by their own types or by their class', () => {
    const { towers } = describeConfig(llava);
    expect(towers.map(({ name, modelType }) => [name, modelType])).toEqual([
      ['text', 'mistral'],
      ['vision', 'clip_vision_model'],
    ]);
    expect(choices(towers).map(({ id }) => id)).toEqual(['rope', 'gridLearned']);
  });

  test('chosen', () => {
    expect(describeConfig(llava, { towers: ['text'] }).towers.map(({ name }) => name)).toEqual(['text']);
    expect(() => describeConfig(llava, { towers: ['audio'] })).toThrow(/towers/);
  });
});

describe('what is refused', () => {
  const error = (config: unknown, options = {}) => {
    try {
      describeConfig(config as ModelConfig, options);
    } catch (thrown) {
      return thrown as { code: string; parameter: string; message: string };
    }
    throw new Error('nothing was thrown');
  };

  test('a model type that neither a table nor a field explains', () => {
    expect(error({ model_type: 'mystery', hidden_size: 8 })).toMatchObject({
      code: 'unsupported',
      parameter: 'model_type',
    });
    expect(error({ model_type: 'mystery' }).message).toContain('mystery');
    expect(error({})).toMatchObject({ code: 'unsupported', parameter: 'model_type' });
  });

  test('a scaling type that is not known, by its name', () => {
    const config = { model_type: 'llama', rope_scaling: { rope_type: 'spiral', factor: 2 } };
    expect(error(config)).toMatchObject({ code: 'unsupported', parameter: 'rope_scaling.type', received: '"spiral"' });
  });

  test('fields of a wrong kind, by their name', () => {
    expect(error(null)).toMatchObject({ code: 'invalidType', parameter: 'config' });
    expect(error([])).toMatchObject({ code: 'invalidType', parameter: 'config' });
    expect(error({ model_type: 'llama', rope_theta: '1e4' })).toMatchObject({
      code: 'invalidType',
      parameter: 'rope_theta',
    });
    expect(error({ model_type: 'llama', num_attention_heads: 0 })).toMatchObject({
      code: 'outOfRange',
      parameter: 'num_attention_heads',
    });
    expect(error({ model_type: 'llama', hidden_size: 100, num_attention_heads: 3 })).toMatchObject({
      parameter: 'hidden_size',
    });
    expect(error({ model_type: 'llama', num_attention_heads: 32, num_key_value_heads: 5 })).toMatchObject({
      parameter: 'num_key_value_heads',
    });
    expect(error({ model_type: 'llama', rope_scaling: 2 })).toMatchObject({
      code: 'invalidType',
      parameter: 'rope_scaling',
    });
    expect(error({ model_type: 'llama', rope_scaling: { type: 'linear' } })).toMatchObject({
      code: 'missingOption',
      parameter: 'rope_scaling.factor',
    });
    expect(error({ model_type: 'llama' }, { length: 0 })).toMatchObject({ parameter: 'length' });
  });
});

describe('unknown model types', () => {
  const sizes = { model_type: 'mystery', hidden_size: 64, num_attention_heads: 4 };

  test.each([
    [{ rope_theta: 5000 }, 'rope'],
    [{ rope_scaling: null, partial_rotary_factor: 0.5 }, 'rope'],
    [{ position_embedding_type: 'rope' }, 'rope'],
    [{ alibi: true }, 'alibi'],
    [{ position_embedding_type: 'alibi' }, 'alibi'],
    [{ relative_attention_num_buckets: 32 }, 't5'],
    [{ relative_attention: true, pos_att_type: ['c2p'], position_biased_input: false }, 'deberta'],
    [{ position_embedding_type: 'absolute' }, 'learned'],
  ])('%j is %s', (fields, id) => {
    const tower = only({ ...sizes, ...fields });
    expect(choices([tower]).map((choice) => choice.id)).toEqual([id]);
  });

  test('are said to be read by their fields alone', () => {
    expect(only({ ...sizes, rope_theta: 5000 }).warnings.join()).toMatch(/not known/);
  });
});
