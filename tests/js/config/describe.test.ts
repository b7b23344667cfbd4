// What describeConfig reads from the configs of released models: towers, layers, and what it refuses.
import { describe, expect, test } from 'vitest';
import { describeConfig, type ModelConfig } from '../../../bindings/js/config.js';
import { choices, models, only, released } from './models.js';

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
    expect(error(config)).toMatchObject({ code: 'unsupported', parameter: 'rope_scaling.rope_type', received: '"spiral"' });
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
