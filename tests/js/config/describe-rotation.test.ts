// What describeConfig says of rotation: widths, bases and scalings, in old and new spellings.
import { describe, expect, test } from 'vitest';
import { describeConfig, type ModelConfig } from '../../../bindings/js/config.js';
import { only, released } from './models.js';

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

  test("Phi-3.5-MoE's own amplitudes, one for each list of factors", () => {
    const config = released('microsoft/Phi-3.5-MoE');
    expect(rope(config)).toMatchObject({ scaling: { shortMscale: 1.243163121016122, longMscale: 1.243163121016122 } });
    const block = { ...(config['rope_scaling'] as object), short_mscale: 1.1 };
    expect(rope({ ...config, rope_scaling: block })).toMatchObject({ scaling: { shortMscale: 1.1, longMscale: 1.243163121016122 } });
    const given = { ...block, attention_factor: 1.3 };
    expect(rope({ ...config, rope_scaling: given })).toMatchObject({ scaling: { attentionFactor: 1.3 } });
    expect(rope({ ...config, rope_scaling: given })).not.toHaveProperty('scaling.shortMscale');
  });
});
