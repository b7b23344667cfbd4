// Text models with learned tables, T5's bias or terms of the content.
import { type BucketModel, bucketed, layout } from '../buckets.js';
import type { Describe } from '../context.js';
import { disentangled, transformerXL, xlnet } from '../relative.js';
import { stack, type Stack, stacks, type StackContext } from '../stack.js';
import { boxConcat, boxSum, learnedTable, type TableForm } from '../tables.js';
import type { EncodingChoice, ModelConfig } from '../types.js';
import { learned, notMade } from './learned.js';
import { sizes } from './sizes.js';
import { gpt2Layer, gptNeoLayer, longformerLayer, scaled } from './uneven.js';

/** BigBird: blocks of neighbours, of random places and of the ends. */
const blocks = (context: StackContext): readonly EncodingChoice[] => {
  const { config, warn } = context;
  if (config.text('attention_type') !== 'original_full') {
    const [size, random] = [config.integer('block_size') ?? 64, config.integer('num_random_blocks') ?? 3];
    warn(`block_sparse: give attention blocks: { size: ${size}, random: ${random} }, which draws others than the released code does`);
  }
  return learnedTable()(context);
};

/** BERT-like encoders: width, layers, heads, positions of their classes. */
function encoder(hidden = 768, layers = 12, heads = 12, positions = 512, form: TableForm = {}, more: ModelConfig = {}): Describe {
  return learned({ causal: false, defaults: { ...sizes(hidden, layers, heads, null, null, positions), ...more } }, form);
}

/** RoBERTa-like: the first rows are for padding. Released models have 514 positions, their classes 512. */
function paddedEncoder(hidden = 768, layers = 12, heads = 12, more: ModelConfig = {}): Describe {
  return encoder(hidden, layers, heads, 512, { padded: true }, more);
}

function decoder(hidden = 768, layers = 12, heads = 12, positions = 1024, model: Partial<Stack> = {}): Describe {
  return learned({ ...model, defaults: { ...sizes(hidden, layers, heads, null, null, positions), ...model.defaults } });
}

/** BART-like: a table for each half. */
function pair(hidden: number, layers: readonly [number, number], heads: number, more: ModelConfig, offset = 0, own: Partial<Stack> = {}): Describe {
  const [encoderLayers, decoderLayers] = layers;
  const defaults: ModelConfig = {
    ...more,
    d_model: hidden,
    encoder_layers: encoderLayers,
    decoder_layers: decoderLayers,
    encoder_attention_heads: heads,
    decoder_attention_heads: heads,
  };
  const form = offset === 0 ? {} : { offset };
  return stacks(
    learned({ half: 'encoder', causal: false, defaults, ...own }, form),
    learned({ half: 'decoder', defaults }, form),
  );
}

/** T5-like: no factor on q·k. */
function t5(hidden = 512, layers = 6, heads = 8, model: BucketModel = {}): Describe {
  const defaults: ModelConfig = { d_model: hidden, d_kv: 64, num_layers: layers, num_heads: heads };
  const half = (name: 'encoder' | 'decoder') =>
    bucketed({ ...model, half: name, causal: name === 'decoder', scale: () => 1, defaults });
  return stacks(half('encoder'), half('decoder'));
}

const longInput = 'the encoder attends to blocks of its surroundings (and sums of them): give masks for those';
const pageTerms = "the model's biases of places on the page are not described here";

const layoutSizes: ModelConfig = {
  ...sizes(768, 12, 12, null, null, 512),
  rel_pos_bins: 32,
  max_rel_pos: 128,
  rel_2d_pos_bins: 64,
  max_rel_2d_pos: 256,
};

/** A learned table of places in the text, and tables of the coordinates of a box. */
const page = (form: TableForm, boxes: (context: StackContext) => readonly EncodingChoice[]) => (context: StackContext) =>
  [...learnedTable(form)(context), ...boxes(context)];

export const text: Readonly<Record<string, Describe>> = {
  roberta: paddedEncoder(),
  'roberta-prelayernorm': paddedEncoder(),
  'xlm-roberta': paddedEncoder(),
  'xlm-roberta-xl': paddedEncoder(2560, 36, 32, { max_position_embeddings: 514 }),
  camembert: paddedEncoder(),
  albert: encoder(4096, 12, 64, 512, {}, { embedding_size: 128 }),
  electra: encoder(256, 12, 4, 512, {}, { embedding_size: 128 }),
  mobilebert: encoder(512, 24, 4, 512, { width: 'hidden_size' }),
  'megatron-bert': encoder(1024, 24, 16),
  'bert-generation': encoder(1024, 24, 16),
  rembert: encoder(1152, 32, 18, 512, { width: 'input_embedding_size' }, { input_embedding_size: 256 }),
  ernie: encoder(),
  nezha: notMade('shaw', 'fixed sines of the distance, clipped at max_relative_position, added to keys and values', { causal: false, defaults: sizes(768, 12, 12, null, null, 512) }),
  big_bird: learned({ causal: false, defaults: sizes(768, 12, 12, null, null, 4096), input: blocks }),
  longformer: learned(
    { causal: false, defaults: { ...sizes(768, 12, 12, null, null, 512), attention_window: 512 }, layer: longformerLayer },
    { padded: true },
  ),
  nystromformer: encoder(768, 12, 12, 510, { offset: 2 }),
  yoso: encoder(768, 12, 12, 4096, { offset: 2 }),
  canine: encoder(768, 12, 12, 16384),
  convbert: encoder(),
  squeezebert: encoder(),
  splinter: encoder(),
  luke: paddedEncoder(),
  ibert: paddedEncoder(),
  mra: encoder(768, 12, 12, 512, { offset: 2 }),
  xmod: paddedEncoder(),
  'data2vec-text': paddedEncoder(),
  layoutlm: stack({ causal: false, defaults: sizes(768, 12, 12, null, null, 512), input: page({}, boxSum) }),
  markuplm: paddedEncoder(768, 12, 12, { pad_token_id: 0 }),
  lilt: paddedEncoder(768, 12, 12, { pad_token_id: 0 }),
  clip_text_model: decoder(512, 12, 8, 77),
  siglip_text_model: encoder(768, 12, 12, 64),
  gpt2: decoder(768, 12, 12, 1024, { layer: gpt2Layer }),
  gpt_bigcode: decoder(768, 12, 12, 1024, { layer: scaled, defaults: { multi_query: true } }),
  'openai-gpt': decoder(768, 12, 12, 512),
  gpt_neo: decoder(2048, 24, 16, 2048, {
    scale: () => 1,
    layer: gptNeoLayer,
    defaults: { attention_types: [[['global', 'local'], 12]], window_size: 256 },
  }),
  opt: learned({ defaults: sizes(768, 12, 12, null, null, 2048) }, { offset: 2 }),
  biogpt: learned({ defaults: sizes(1024, 24, 16, null, null, 1024) }, { offset: 2 }),
  bart: pair(1024, [12, 12], 16, { max_position_embeddings: 1024 }, 2),
  mbart: pair(1024, [12, 12], 16, { max_position_embeddings: 1024 }, 2),
  mvp: pair(1024, [12, 12], 16, { max_position_embeddings: 1024 }, 2),
  plbart: pair(768, [6, 6], 12, { max_position_embeddings: 1024 }, 2),
  blenderbot: pair(2560, [2, 24], 32, { max_position_embeddings: 128 }),
  'blenderbot-small': pair(512, [8, 8], 16, { max_position_embeddings: 512 }),
  led: pair(1024, [12, 12], 16, { max_encoder_position_embeddings: 16384, max_decoder_position_embeddings: 1024, attention_window: 512 }, 0, { layer: longformerLayer }),
  bigbird_pegasus: pair(1024, [16, 16], 16, { max_position_embeddings: 4096 }, 0, { input: blocks }),
  t5: t5(),
  mt5: t5(512, 8, 6),
  umt5: t5(512, 8, 6, { perLayer: true }),
  longt5: t5(512, 6, 8, { warnings: [longInput] }),
  byt5: t5(),
  pop2piano: t5(),
  switch_transformers: t5(768, 12, 12),
  udop: t5(1024, 24, 16, { warnings: [pageTerms] }),
  deberta: disentangled({ defaults: sizes(768, 12, 12, null, null, 512) }),
  'deberta-v2': disentangled({ defaults: sizes(1536, 24, 24, null, null, 512) }),
  mpnet: bucketed({
    defaults: sizes(768, 12, 12, null, null, 512),
    input: learnedTable({ padded: true }),
  }),
  layoutlmv2: layout({ defaults: layoutSizes, input: page({}, boxConcat) }, false),
  layoutlmv3: layout({ defaults: layoutSizes, input: page({ padded: true }, boxConcat) }, true),
  xlnet: xlnet({ defaults: sizes(1024, 24, 16, null, null, null) }),
  'transfo-xl': transformerXL({
    defaults: { ...sizes(1024, 18, 16, null, null, null), clamp_len: 1000, same_length: true },
  }),
};
