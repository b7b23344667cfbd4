// Head counts, widths, scale and softcap of a model.
import type { ConfigReader } from './reader.js';

/** Widths that all layers of a tower share. */
export interface Heads {
  readonly heads: number;
  readonly kvHeads: number;
  readonly headDim: number;
  readonly valueDim: number;
}

export const names = {
  hidden: ['hidden_size', 'n_embd', 'n_embed', 'd_model', 'dim', 'embed_dim', 'emb_dim'],
  heads: ['num_attention_heads', 'n_head', 'n_heads', 'num_heads', 'attention_heads', 'encoder_attention_heads'],
  kvHeads: ['num_key_value_heads', 'num_kv_heads', 'n_head_kv', 'multi_query_group_num'],
  headDim: ['head_dim', 'kv_channels', 'd_kv', 'attention_head_dim', 'd_head'],
  layers: ['num_hidden_layers', 'n_layer', 'n_layers', 'num_layers', 'encoder_layers', 'decoder_layers', 'depth'],
  maxPositions: [
    'max_position_embeddings',
    'n_positions',
    'max_sequence_length',
    'max_seq_len',
    'seq_length',
    'n_ctx',
    'max_source_positions',
    'model_max_length',
  ],
} as const;

/** Heads of the usual kind: groups by num_key_value_heads, width by head_dim or hidden / heads. */
export function readHeads(config: ConfigReader, headFields: readonly string[] = names.heads): Heads {
  const heads = config.size(...headFields);
  const kvHeads = keyValueHeads(config, heads);
  if (heads % kvHeads !== 0) {
    throw config.refuse(names.kvHeads[0], kvHeads, `a divisor of the ${heads} query heads`);
  }
  const headDim = config.integer(...names.headDim) ?? perHead(config, heads);
  return { heads, kvHeads, headDim, valueDim: config.integer('v_head_dim') ?? headDim };
}

function perHead(config: ConfigReader, heads: number): number {
  const hidden = config.size(...names.hidden);
  if (hidden % heads !== 0) throw config.refuse(names.hidden[0], hidden, `a multiple of the ${heads} query heads`);
  return hidden / heads;
}

function keyValueHeads(config: ConfigReader, heads: number): number {
  // Falcon: one shared head unless the new architecture counts them; ChatGLM counts only where this is set.
  if (config.boolean('new_decoder_architecture') !== true && config.boolean('multi_query') === true) return 1;
  if (config.boolean('multi_query_attention') === false) return heads;
  const nested = config.object('attn_config');
  if (nested?.text('attn_type') === 'multiquery_attention') return 1;
  const given = nested?.integer('kv_n_heads') ?? config.integer(...names.kvHeads) ?? heads;
  // A class default that does not fit the heads of this config was not meant for it.
  return !config.sets(...names.kvHeads) && heads % given !== 0 ? heads : given;
}

/** Multi-head latent attention (DeepSeek): a part of each head is rotated, and values have a width of their own. */
export function readLatentHeads(config: ConfigReader): Heads & { readonly rotaryDim: number } {
  const heads = config.size(...names.heads);
  const rotaryDim = config.size('qk_rope_head_dim');
  const headDim = rotaryDim + config.size('qk_nope_head_dim');
  return { heads, kvHeads: heads, headDim, valueDim: config.integer('v_head_dim') ?? headDim, rotaryDim };
}

/** Where the factor on q·k comes from. */
export type ScaleRule = 'headDim' | 'queryPreAttnScalar' | 'attentionMultiplier' | 'yarnMscale' | 'one';

/** The factor on q·k. `block` is the rope block, which DeepSeek's rule looks at. */
export function readScale(
  rule: ScaleRule,
  config: ConfigReader,
  headDim: number,
  block: ConfigReader | undefined,
): number {
  const usual = 1 / Math.sqrt(headDim);
  switch (rule) {
    case 'headDim':
      return usual;
    case 'one':
      return 1;
    case 'queryPreAttnScalar': {
      const scalar = config.number('query_pre_attn_scalar');
      return scalar === undefined ? usual : 1 / Math.sqrt(scalar);
    }
    case 'attentionMultiplier':
      return config.number('attention_multiplier') ?? usual;
    case 'yarnMscale':
      return usual * latentMscale(block) ** 2;
  }
}

/** 0.1·mscale_all_dim·ln(factor) + 1: DeepSeek's softmax factor, apart from the amplitude inside the rotation. */
function latentMscale(block: ConfigReader | undefined): number {
  const type = block?.text('rope_type', 'type') ?? 'default';
  const allDim = block?.number('mscale_all_dim') ?? 0;
  const factor = block?.number('factor') ?? 1;
  return type === 'default' || allDim === 0 || factor <= 1 ? 1 : 0.1 * allDim * Math.log(factor) + 1;
}
