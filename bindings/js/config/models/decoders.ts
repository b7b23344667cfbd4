// Decoders with rotary attention in every layer: defaults of their Hugging Face classes and what differs from Llama.
// Facts from transformers 5.18 and, for types that it does not hold, from the code beside their checkpoints.
import { either, type Describe } from '../context.js';
import { rotary, type RotaryModel } from '../rotary.js';
import { alibi } from '../alibi.js';
import { learned, notMade } from './learned.js';
import { llama3, sizes } from './sizes.js';

const llama: RotaryModel = { defaults: sizes(4096, 32, 32, null, null, 2048) };
const everyLayerSlides = { rule: 'all' } as const;
const phi3: RotaryModel = {
  defaults: { ...sizes(3072, 32, 32, null, null, 4096), original_max_position_embeddings: 4096 },
  sliding: everyLayerSlides,
};
const granite: RotaryModel = {
  defaults: { ...sizes(4096, 32, 32, null, null, 2048), attention_multiplier: 1 },
  scale: 'attentionMultiplier',
};
const qwenWindow = { use_sliding_window: false, sliding_window: 4096, max_window_layers: 28 };
const fromMaxWindowLayers = { rule: 'fromMaxWindowLayers' } as const;

/** RoPE or ALiBi by the checkpoint: Baichuan has one of its sizes with each. */
const baichuan = either(
  (config) => config.integer('hidden_size') === 4096,
  rotary({ defaults: sizes(4096, 32, 32, null, null, 4096), fixedBase: true }),
  alibi({ defaults: sizes(5120, 40, 40, null, null, 4096) }),
);

const falconDefaults = { ...sizes(4544, 32, 71, null, null, 2048), multi_query: true, alibi: false };
const falcon = either(
  (config) => config.boolean('alibi') === true,
  alibi({ defaults: falconDefaults, scaled: true }),
  rotary({ defaults: falconDefaults }),
);

/** MPT chooses in its attn_config; without a word there, ALiBi. */
const mpt = either(
  (config) => config.object('attn_config')?.boolean('alibi') === false,
  either(
    (config) => config.object('attn_config')?.boolean('rope') === true,
    rotary({}),
    learned({}),
  ),
  alibi({
    defaults: { d_model: 2048, n_heads: 16, n_layers: 24, max_seq_len: 2048 },
    order: 'mpt',
    scale: (config, headDim) => config.object('attn_config')?.number('softmax_scale') ?? 1 / Math.sqrt(headDim),
  }),
);

/** ChatGLM's first version has two position coordinates per token. */
const chatglm = either(
  (config) => config.boolean('position_encoding_2d') === true,
  notMade('ropeNd', 'two rotary coordinates per token (position and block)'),
  rotary({
    defaults: { ...sizes(4096, 28, 32, null, null, null), kv_channels: 128, seq_length: 2048 },
    partial: 0.5,
    layout: 'interleaved',
    fixedBase: true,
  }),
);

export const decoders: Readonly<Record<string, Describe>> = {
  llama: rotary(llama),
  mistral: rotary({
    defaults: { ...sizes(4096, 32, 32, 8, null, 131072), sliding_window: 4096 },
    sliding: everyLayerSlides,
  }),
  mixtral: rotary({ defaults: sizes(4096, 32, 32, 8, null, 131072), base: 1e6, sliding: everyLayerSlides }),
  ministral: rotary({
    defaults: { ...sizes(4096, 32, 32, 8, null, 131072), sliding_window: 4096 },
    sliding: everyLayerSlides,
  }),
  ministral3: rotary({
    defaults: { ...sizes(4096, 34, 32, 8, 128, 262144), rope_scaling: { type: 'yarn', factor: 16, original_max_position_embeddings: 16384, mscale: 1, mscale_all_dim: 1 } },
    base: 1e6,
    sliding: everyLayerSlides,
  }),
  qwen: rotary({ defaults: sizes(4096, 32, 32, null, null, 8192) }),
  qwen2: rotary({ defaults: { ...sizes(4096, 32, 32, 32, null, 32768), ...qwenWindow }, sliding: fromMaxWindowLayers }),
  qwen2_moe: rotary({
    defaults: { ...sizes(2048, 24, 16, 16, null, 32768), ...qwenWindow },
    sliding: fromMaxWindowLayers,
  }),
  qwen3: rotary({ defaults: { ...sizes(4096, 32, 32, 32, 128, 32768), ...qwenWindow }, sliding: fromMaxWindowLayers }),
  qwen3_moe: rotary({ defaults: sizes(2048, 24, 32, 4, null, 32768), sliding: { rule: 'none' } }),
  dots1: rotary({
    defaults: { ...sizes(4608, 62, 32, 32, null, 2048), sliding_window: 4096, max_window_layers: 62 },
    sliding: fromMaxWindowLayers,
  }),
  phi: rotary({ defaults: sizes(2048, 24, 32, null, null, 2048), partial: 0.5 }),
  'phi-msft': rotary({ defaults: sizes(1024, 20, 16, null, null, 2048), fixedBase: true }),
  phi3: rotary(phi3),
  phi4_multimodal: rotary({
    ...phi3,
    defaults: { ...sizes(3072, 32, 32, 8, null, 131072), original_max_position_embeddings: 4096 },
  }),
  phimoe: rotary({ defaults: sizes(4096, 32, 32, 8, null, 131072), base: 1e6, sliding: everyLayerSlides }),
  gemma: rotary({ defaults: sizes(3072, 28, 16, 16, 256, 8192) }),
  olmo: rotary(llama),
  olmo2: rotary(llama),
  olmoe: rotary({ defaults: sizes(2048, 16, 16, null, null, 4096) }),
  flex_olmo: rotary({ defaults: sizes(4096, 32, 32, null, null, 4096), base: 5e5 }),
  starcoder2: rotary({ defaults: sizes(3072, 30, 24, 2, null, 4096), sliding: everyLayerSlides }),
  stablelm: rotary({ defaults: sizes(2560, 32, 32, 32, null, 4096), partial: 0.25 }),
  stablelm_epoch: rotary({ defaults: sizes(2560, 32, 32, 32, null, 4096), partial: 0.25 }),
  persimmon: rotary({ defaults: sizes(4096, 36, 64, null, null, 16384), partial: 0.5 }),
  gpt_neox: rotary({ defaults: sizes(6144, 44, 64, null, null, 2048), partial: 0.25 }),
  gpt_neox_japanese: rotary({ defaults: sizes(2560, 32, 32, null, null, 2048) }),
  gptj: rotary({
    defaults: { ...sizes(4096, 28, 16, null, null, 2048), rotary_dim: 64 },
    layout: 'interleaved',
    fixedBase: true,
  }),
  codegen: rotary({
    defaults: { ...sizes(4096, 28, 16, null, null, 2048), rotary_dim: 64 },
    layout: 'interleaved',
    fixedBase: true,
  }),
  falcon,
  RefinedWeb: falcon,
  RefinedWebModel: falcon,
  cohere: rotary({ defaults: sizes(8192, 40, 64, null, null, 8192), base: 5e5, layout: 'interleaved' }),
  internlm: rotary(llama),
  internlm2: rotary(llama),
  internlm3: rotary(llama),
  baichuan,
  chatglm,
  glm: rotary({ defaults: sizes(4096, 40, 32, 2, 128, 131072), partial: 0.5, layout: 'interleaved' }),
  glm4: rotary({ defaults: sizes(4096, 40, 32, 2, 128, 131072), partial: 0.5, layout: 'interleaved' }),
  glm4_moe: rotary({ defaults: sizes(4096, 46, 96, 8, null, 131072), partial: 0.5 }),
  minicpm: rotary(llama),
  granite: rotary(granite),
  granitemoe: rotary(granite),
  granitemoeshared: rotary(granite),
  nemotron: rotary({ defaults: sizes(6144, 32, 48, null, null, 4096), partial: 0.5 }),
  dbrx: rotary({
    defaults: { d_model: 2048, n_heads: 16, n_layers: 24, max_seq_len: 2048, attn_config: { kv_n_heads: 1 } },
  }),
  mpt,
  exaone: rotary(llama),
  helium: rotary({ defaults: sizes(2560, 24, 20, 20, 128, 4096), base: 1e5, layout: 'interleaved' }),
  ernie4_5: rotary({ defaults: sizes(1024, 18, 16, 2, 128, 131072), base: 5e5, layout: 'interleaved' }),
  ernie4_5_moe: rotary({ defaults: sizes(2560, 28, 20, 4, null, 131072), base: 5e5, layout: 'interleaved' }),
  hunyuan_v1_dense: rotary(llama),
  hunyuan_v1_moe: rotary(llama),
  hunyuan: rotary(llama),
  arcee: rotary({ defaults: sizes(2560, 32, 32, null, null, 4096) }),
  apertus: rotary({ defaults: { ...sizes(4096, 32, 32, null, null, 65536), rope_scaling: llama3(8) }, base: 1.2e7 }),
  seed_oss: rotary({ defaults: sizes(4096, 64, 80, 8, 128, 524288) }),
  bitnet: rotary({ defaults: sizes(2560, 30, 20, 5, null, 2048), base: 5e5 }),
  doge: rotary({ defaults: sizes(1024, 32, 8, null, null, 2048), sliding: everyLayerSlides }),
  solar_open: rotary({ defaults: sizes(4096, 48, 64, 8, 128, 131072), base: 1e6 }),
  hyperclovax: rotary({ ...llama, scale: 'attentionMultiplier' }),
  nanochat: rotary({ defaults: sizes(768, 12, 6, null, null, 2048) }),
  jais2: rotary({ defaults: sizes(3328, 32, 26, null, null, 8192) }),
  minimax_m2: rotary({ defaults: sizes(3072, 62, 48, 8, 128, 196608), base: 5e6 }),
  csm: rotary({ defaults: sizes(2048, 16, 32, 8, null, 2048), base: 5e5 }),
  chameleon: rotary({ defaults: sizes(4096, 32, 32, 32, null, 4096) }),
  emu3_text_model: rotary({ defaults: sizes(4096, 32, 32, 8, null, 9216), base: 1e6 }),
  aria_text: rotary(llama),
  mllama_text_model: rotary({
    defaults: sizes(4096, 40, 32, 8, null, 131072),
    base: 5e5,
    warnings: ['layers in cross_attention_layers look at image features without any position'],
  }),
  aquila: rotary(llama),
  orion: rotary(llama),
  xverse: rotary(llama),
  Yi: rotary(llama),
  deepseek: rotary(llama),
  bailing_moe: rotary(llama),
};
