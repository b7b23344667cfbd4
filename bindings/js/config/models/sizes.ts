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
