// Decoders whose layers differ: windows and local bases, layers without rotation, state-space layers, latent attention.
import type { Describe } from '../context.js';
import { rotary, type RotaryModel } from '../rotary.js';
import { gemma2Sizes, llama3, sizes } from './sizes.js';

const hybrid = { rule: 'hybrid' } as const;
const latent = { latent: true, scale: 'yarnMscale', layout: 'interleaved' } as const;

/** Layers alternate from a sliding one, scores are capped, and the scale is given apart from the width. */
const gemma2: RotaryModel = {
  defaults: gemma2Sizes,
  sliding: { rule: 'exceptLastOf', period: 2 },
  scale: 'queryPreAttnScalar',
};

const deepseek: RotaryModel = {
  defaults: { ...sizes(7168, 61, 128, null, null, 4096), qk_rope_head_dim: 64, qk_nope_head_dim: 128, v_head_dim: 128 },
  ...latent,
};

export const patterned: Readonly<Record<string, Describe>> = {
  gemma2: rotary(gemma2),
  vaultgemma: rotary(gemma2),
  gemma3_text: rotary({
    defaults: { ...sizes(2304, 26, 8, 4, 256, 131072), query_pre_attn_scalar: 256, sliding_window: 4096 },
    sliding: { rule: 'exceptLastOf', period: 6, field: 'sliding_window_pattern' },
    base: 1e6,
    slidingBase: 1e4,
    scalesSliding: false,
    scale: 'queryPreAttnScalar',
    window: 'twoSided',
  }),
  gemma3n_text: rotary({
    defaults: { ...sizes(2048, 35, 8, 2, 256, 32768), sliding_window: 512 },
    sliding: { rule: 'exceptLastOf', period: 5 },
    base: 1e6,
    slidingBase: 1e4,
    scalesSliding: false,
    scale: 'one',
  }),
  gpt_oss: rotary({
    defaults: {
      ...sizes(2880, 36, 64, 8, 64, 131072),
      sliding_window: 128,
      rope_scaling: {
        rope_type: 'yarn',
        factor: 32,
        beta_fast: 32,
        beta_slow: 1,
        truncate: false,
        original_max_position_embeddings: 4096,
      },
    },
    sliding: { rule: 'exceptLastOf', period: 2 },
    base: 150000,
    sinks: true,
  }),
  olmo3: rotary({
    defaults: { ...sizes(4096, 32, 32, null, null, 2048), sliding_window: 4096 },
    sliding: { rule: 'exceptLastOf', period: 4 },
    base: 5e5,
    scalesSliding: false,
  }),
  cwm: rotary({
    defaults: { ...sizes(6144, 64, 48, 8, 128, 131072), sliding_window: 8192, rope_scaling: llama3(16) },
    sliding: { rule: 'exceptFirstOf', period: 4 },
    base: 1e6,
  }),
  cohere2: rotary({
    defaults: { ...sizes(8192, 40, 64, null, null, 8192), sliding_window: 4096 },
    sliding: { rule: 'exceptLastOf', period: 4, field: 'sliding_window_pattern' },
    rotates: 'sliding',
    layout: 'interleaved',
  }),
  exaone4: rotary({
    defaults: { ...sizes(4096, 32, 32, 32, null, 2048), sliding_window: 4096 },
    sliding: { rule: 'exceptLastOf', period: 4, field: 'sliding_window_pattern' },
    rotates: 'sliding',
  }),
  exaone_moe: rotary({
    defaults: { ...sizes(4096, 32, 32, 32, null, 2048), sliding_window: 4096 },
    sliding: { rule: 'exceptLastOf', period: 4, field: 'sliding_window_pattern' },
    rotates: 'sliding',
  }),
  afmoe: rotary({
    defaults: { ...sizes(2048, 32, 16, null, 128, 16384), sliding_window: 1024 },
    sliding: { rule: 'exceptLastOf', period: 4, field: 'global_attn_every_n_layers' },
    rotates: 'sliding',
  }),
  smollm3: rotary({ defaults: sizes(2048, 36, 16, 4, null, 32768), base: 2e6, rotates: 'noRopeLayers' }),
  llama4_text: rotary({
    defaults: { ...sizes(5120, 48, 40, 8, 128, 131072), attention_chunk_size: 8192, attn_temperature_tuning: true },
    sliding: { rule: 'chunkedIfRotated' },
    rotates: 'noRopeLayers',
    base: 5e5,
    layout: 'interleaved',
  }),

  deepseek_v2: rotary({ ...deepseek, defaults: { ...deepseek.defaults, ...sizes(4096, 32, 32, null, null, 2048) } }),
  deepseek_v3: rotary(deepseek),
  deepseek_v32: rotary({ ...deepseek, defaults: { ...deepseek.defaults, max_position_embeddings: 163840 } }),
  kimi_k2: rotary(deepseek),
  youtu: rotary({ ...deepseek, defaults: { ...deepseek.defaults, ...sizes(2048, 32, 16, null, null, 131072) } }),
  minicpm3: rotary({
    defaults: { ...sizes(2560, 62, 40, null, null, 32768), qk_rope_head_dim: 32, qk_nope_head_dim: 64, v_head_dim: 64 },
    ...latent,
    layout: 'half',
  }),
  longcat_flash: rotary({
    ...deepseek,
    defaults: { ...deepseek.defaults, ...sizes(6144, 28, 64, null, null, 131072) },
    base: 1e7,
    warnings: ['queries and keys are multiplied by sqrt(hidden_size / lora rank) first: do so before the call'],
  }),

  granitemoehybrid: rotary({
    defaults: { ...sizes(4096, 32, 32, null, null, 2048), attention_multiplier: 1 },
    sliding: hybrid,
    rotates: 'positionEmbeddingType',
    scale: 'attentionMultiplier',
  }),
  jamba: rotary({
    defaults: { ...sizes(4096, 32, 32, 8, null, 262144), attn_layer_period: 8, attn_layer_offset: 4 },
    sliding: hybrid,
    rotates: 'none',
  }),
  nemotron_h: rotary({ defaults: sizes(4096, 52, 32, 8, 128, 4096), sliding: hybrid, rotates: 'none' }),
  bamba: rotary({ defaults: sizes(4096, 32, 32, 8, null, 262144), sliding: hybrid, partial: 0.5 }),
  zamba2: rotary({ defaults: sizes(2560, 54, 32, null, null, 4096), rotates: 'useMemRope' }),
  falcon_h1: rotary({ defaults: sizes(4096, 32, 32, 8, null, 8192) }),
  recurrent_gemma: rotary({
    defaults: {
      ...sizes(2560, 26, 10, null, null, null),
      block_types: ['recurrent', 'recurrent', 'attention'],
      attention_window_size: 2048,
    },
    sliding: { ...hybrid, local: true },
    partial: 0.5,
  }),
  lfm2: rotary({ defaults: sizes(2560, 32, 32, 8, null, 128000), sliding: hybrid, base: 1e6 }),
  lfm2_moe: rotary({ defaults: sizes(2048, 32, 32, 8, null, 128000), sliding: hybrid, base: 1e6 }),
  qwen3_next: rotary({
    defaults: sizes(2048, 48, 16, 2, 256, 32768),
    sliding: { ...hybrid, period: 4 },
    partial: 0.25,
  }),
};
