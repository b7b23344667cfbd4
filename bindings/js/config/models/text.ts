// Text models with learned tables, T5's bias or terms of the content.
import { type BucketModel, bucketed, layout } from '../buckets.js';
import type { Describe } from '../context.js';
import { disentangled, transformerXL, xlnet } from '../relative.js';
import { stack, stacks, type StackContext } from '../stack.js';
import { boxConcat, boxSum, learnedTable, type TableForm } from '../tables.js';
import type { EncodingChoice, ModelConfig } from '../types.js';
import { learned } from './learned.js';
import { sizes } from './sizes.js';

/** BERT-like encoders: width, layers, heads, positions of their classes. */
function encoder(hidden = 768, layers = 12, heads = 12, positions: number | null = 512): Describe {
  return learned({ causal: false, defaults: sizes(hidden, layers, heads, null, null, positions) });
}

/** RoBERTa-like: the first rows are for padding. */
function paddedEncoder(hidden = 768, layers = 12, heads = 12, positions = 514): Describe {
  return learned({ causal: false, defaults: sizes(hidden, layers, heads, null, null, positions) }, { padded: true });
}

function decoder(hidden = 768, layers = 12, heads = 12, positions: number | null = 1024): Describe {
  return learned({ defaults: sizes(hidden, layers, heads, null, null, positions) });
}

/** BART-like: a table for each half. */
function pair(hidden: number, layers: readonly [number, number], heads: number, offset = 0): Describe {
  const [encoderLayers, decoderLayers] = layers;
  const defaults: ModelConfig = {
    d_model: hidden,
    encoder_layers: encoderLayers,
    decoder_layers: decoderLayers,
    encoder_attention_heads: heads,
    decoder_attention_heads: heads,
  };
  const form = offset === 0 ? {} : { offset };
  return stacks(
    learned({ half: 'encoder', causal: false, defaults }, form),
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
  'xlm-roberta-xl': paddedEncoder(2560, 36, 32, 514),
  camembert: paddedEncoder(),
  albert: encoder(4096, 12, 64),
  electra: encoder(256, 12, 4),
  mobilebert: encoder(512, 24, 4),
  'megatron-bert': encoder(1024, 24, 16),
  'bert-generation': encoder(1024, 24, 16),
  rembert: encoder(1152, 32, 18),
  ernie: encoder(),
  nezha: encoder(),
  big_bird: encoder(768, 12, 12, 4096),
  longformer: paddedEncoder(),
  nystromformer: encoder(768, 12, 12, 510),
  yoso: encoder(768, 12, 12, 4096),
  canine: encoder(768, 12, 12, 16384),
  convbert: encoder(),
  squeezebert: encoder(),
  splinter: encoder(),
  luke: paddedEncoder(),
  ibert: paddedEncoder(),
  mra: encoder(),
  xmod: paddedEncoder(),
  'data2vec-text': paddedEncoder(),
  layoutlm: stack({ causal: false, defaults: sizes(768, 12, 12, null, null, 512), input: page({}, boxSum) }),
  markuplm: paddedEncoder(),
  lilt: paddedEncoder(),
  clip_text_model: decoder(512, 12, 8, 77),
  siglip_text_model: encoder(768, 12, 12, 64),
  gpt2: decoder(),
  gpt_bigcode: decoder(),
  'openai-gpt': decoder(768, 12, 12, 512),
  gpt_neo: learned({ defaults: sizes(2048, 24, 16, null, null, 2048), scale: () => 1 }),
  opt: learned({ defaults: sizes(768, 12, 12, null, null, 2048) }, { offset: 2 }),
  biogpt: learned({ defaults: sizes(1024, 24, 16, null, null, 1024) }, { offset: 2 }),
  bart: pair(1024, [12, 12], 16, 2),
  mbart: pair(1024, [12, 12], 16, 2),
  mvp: pair(1024, [12, 12], 16, 2),
  plbart: pair(768, [6, 6], 12, 2),
  blenderbot: pair(2560, [2, 24], 32),
  'blenderbot-small': pair(512, [8, 8], 16),
  led: pair(1024, [12, 12], 16),
  bigbird_pegasus: pair(1024, [16, 16], 16),
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
