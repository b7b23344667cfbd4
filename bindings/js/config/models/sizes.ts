// Defaults of the fields that every configuration class has, in one line per model type.
import type { ModelConfig } from '../types.js';

/** Sizes under the names of Hugging Face's Llama; null: the class has no default, or none of its own. */
export function sizes(
  hidden: number,
  layers: number,
  heads: number,
  kvHeads: number | null,
  headDim: number | null,
  maxPositions: number | null,
): ModelConfig {
  return {
    hidden_size: hidden,
    num_hidden_layers: layers,
    num_attention_heads: heads,
    ...(kvHeads === null ? {} : { num_key_value_heads: kvHeads }),
    ...(headDim === null ? {} : { head_dim: headDim }),
    ...(maxPositions === null ? {} : { max_position_embeddings: maxPositions }),
  };
}

/** Of Gemma 2, and of what has its modules as a part. */
export const gemma2Sizes: ModelConfig = {
  .../* @__PURE__ */ sizes(2304, 26, 8, 4, 256, 8192),
  query_pre_attn_scalar: 256,
  attn_logit_softcapping: 50,
  sliding_window: 4096,
};

/** The default scaling of classes that came after Llama 3. */
export function llama3(factor: number): ModelConfig {
  return { rope_type: 'llama3', factor, low_freq_factor: 1, high_freq_factor: 4, original_max_position_embeddings: 8192 };
}
