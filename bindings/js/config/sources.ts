// Where released checkpoints keep the tensors of encodings: endings of Hugging Face's names. {layer} is the layer's number;
// {stage} and {block} are those of Swin; {half} is the tower, "encoder" or "decoder".
import type { Floats } from './checkpoint.js';
import { firstLast, transposed } from './checkpoint.js';

/** Where one tensor is. */
export interface Source {
  /** Endings of names, the most telling first. */
  readonly names: readonly string[];
  /** From how the checkpoint has it to how the encoding has it. */
  readonly turn?: (tensor: Floats) => Floats;
  /** A model may lack it. */
  readonly optional?: boolean;
  /** Encodings with other options have no use for it. */
  readonly when?: (options: Readonly<Record<string, unknown>>) => boolean;
  /** A second tensor that goes into it: the factors of a weight norm, [the endings of its name]. */
  readonly norm?: readonly string[];
}

type Sources = Readonly<Record<string, Source>>;

const at = (...names: string[]): Source => ({ names });
const maybe = (...names: string[]): Source => ({ names, optional: true });

const forTerm = (term: string, ...names: string[]): Source => ({ names, when: ({ terms }) => terms === 'both' || terms === term });

const xlnet = 'layer.{layer}.rel_attn';
const xl = 'layers.{layer}.dec_attn';
const conformer = 'layers.{layer}.self_attn';
const ownConformer = 'encoder.layers.{layer}.self_attn';

/** By the encodings' ids. What a model has none of is not looked for. */
export const sources: Readonly<Record<string, Sources>> = {
  learned: {
    table: at(
      '{half}.embed_positions.weight',
      'embed_positions.weight',
      'embeddings.position_embedding.weight',
      'embeddings.position_embeddings.weight',
      'embeddings.position_embeddings',
      'position_embeddings.weight',
      'wpe.weight',
      'positions_embed.weight',
      'char_position_embeddings.weight',
    ),
  },
  gridLearned: {
    table: at(
      'embeddings.position_embeddings',
      'embeddings.position_embedding.weight',
      'embeddings.position_embedding',
      'embeddings.position_embeddings.weight',
      'pos_embed',
    ),
    timeTable: at('embeddings.time_embeddings', 'time_embed'),
  },
  box: Object.fromEntries(['x', 'y', 'h', 'w'].map((axis) => [axis, at(`embeddings.${axis}_position_embeddings.weight`)])),
  conv: {
    weight: {
      names: ['pos_conv_embed.conv.weight_v', 'pos_conv_embed.conv.parametrizations.weight.original1', 'pos_conv_embed.conv.weight'],
      norm: ['pos_conv_embed.conv.weight_g', 'pos_conv_embed.conv.parametrizations.weight.original0'],
    },
    biases: at('pos_conv_embed.conv.bias'),
  },
  t5: {
    table: at(
      '{half}.block.{layer}.layer.0.SelfAttention.relative_attention_bias.weight',
      '{half}.block.0.layer.0.SelfAttention.relative_attention_bias.weight',
      '{half}.block.0.layer.0.LocalSelfAttention.relative_attention_bias.weight',
      '{half}.block.0.layer.0.TransientGlobalSelfAttention.relative_attention_bias.weight',
      'encoder.relative_attention_bias.weight',
      'layers.0.attention.rel_attn_embed.weight',
    ),
    gateWeight: { names: ['layers.{layer}.attention.gru_rel_pos_linear.weight'], turn: transposed },
    gateBias: at('layers.{layer}.attention.gru_rel_pos_linear.bias'),
    gateScale: at('layers.{layer}.attention.gru_rel_pos_const'),
  },
  swin: { table: at('layers.{stage}.blocks.{block}.attention.self.relative_position_bias_table') },
  swinV2: {
    w1: at('layers.{stage}.blocks.{block}.attention.self.continuous_position_bias_mlp.0.weight'),
    b1: at('layers.{stage}.blocks.{block}.attention.self.continuous_position_bias_mlp.0.bias'),
    w2: at('layers.{stage}.blocks.{block}.attention.self.continuous_position_bias_mlp.2.weight'),
  },
  beit: {
    table: at(
      'layer.{layer}.attention.attention.relative_position_bias.relative_position_bias_table',
      'encoder.relative_position_bias.relative_position_bias_table',
    ),
  },
  layoutBias: {
    relPos: at('encoder.rel_pos_bias.weight'),
    relPosX: at('encoder.rel_pos_x_bias.weight'),
    relPosY: at('encoder.rel_pos_y_bias.weight'),
  },
  shaw: { keyTable: at('layer.{layer}.attention.self.distance_embedding.weight', `${conformer}.distance_embedding.weight`) },
  transformerXL: {
    contentBias: at(`${xlnet}.r_w_bias`, `${xl}.r_w_bias`, 'transformer.r_w_bias', `${ownConformer}.pos_bias_u`),
    positionBias: at(`${xlnet}.r_r_bias`, `${xl}.r_r_bias`, 'transformer.r_r_bias', `${ownConformer}.pos_bias_v`),
    projection: at(`${xlnet}.r`, `${xl}.r_net.weight`, `${ownConformer}.linear_pos.weight`),
    segmentBias: at(`${xlnet}.r_s_bias`),
    segmentTable: at(`${xlnet}.seg_embed`),
  },
  deberta: {
    relativeEmbeddings: at('encoder.rel_embeddings.weight'),
    keyWeight: forTerm('c2p', 'layer.{layer}.attention.self.pos_key_proj.weight', 'layer.{layer}.attention.self.pos_proj.weight', 'layer.{layer}.attention.self.key_proj.weight'),
    keyBias: maybe('layer.{layer}.attention.self.pos_key_proj.bias', 'layer.{layer}.attention.self.pos_proj.bias', 'layer.{layer}.attention.self.key_proj.bias'),
    queryWeight: forTerm('p2c', 'layer.{layer}.attention.self.pos_query_proj.weight', 'layer.{layer}.attention.self.pos_q_proj.weight', 'layer.{layer}.attention.self.query_proj.weight'),
    queryBias: maybe('layer.{layer}.attention.self.pos_query_proj.bias', 'layer.{layer}.attention.self.pos_q_proj.bias', 'layer.{layer}.attention.self.query_proj.bias'),
  },
  decomposed: { heightTable: at('layers.{layer}.attn.rel_pos_h'), widthTable: at('layers.{layer}.attn.rel_pos_w') },
};

/** XLNet's projection is [in, heads, headDim]; those of the others are [heads · headDim, in]. */
export function turned(name: string, source: Source, tensor: Floats): Floats {
  if (source.turn) return source.turn(tensor);
  return name.endsWith('rel_attn.r') ? firstLast(tensor) : tensor;
}

/** What calls of a layer take beside its encodings, by their names there. */
export const callSources: Readonly<Record<'sinks' | 'logitScale', Source>> = {
  sinks: at('layers.{layer}.self_attn.sinks'),
  logitScale: at('layers.{stage}.blocks.{block}.attention.self.logit_scale'),
};

/** Words in the names of a tower's tensors, where a model has several towers. */
export const towerHints: Readonly<Record<string, readonly string[]>> = {
  text: ['text', 'language', 'llm'],
  vision: ['vision', 'visual', 'image'],
  audio: ['audio', 'speech', 'sound'],
  encoder: ['encoder.'],
  decoder: ['decoder.'],
};
