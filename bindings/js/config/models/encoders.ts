// Encoders, encoder-decoders and speech models with rotary, sinusoidal or ALiBi positions.
import { alibi } from '../alibi.js';
import { either, type Describe } from '../context.js';
import { bertKeys, clippedKeys, conformerTerms } from '../relative.js';
import type { ConfigReader } from '../reader.js';
import { rotary, type RotaryModel } from '../rotary.js';
import { forms, sinusoidal, type SinusoidalForm } from '../sinusoidal.js';
import { learnedTable } from '../tables.js';
import { stack, stacks, type Stack } from '../stack.js';
import { learned } from './learned.js';
import { gemma2Sizes, sizes } from './sizes.js';

const bertSizes = sizes(768, 12, 12, null, null, 512);

/** A stack with sine rows at its input. */
function sines(form: SinusoidalForm, model: Partial<Stack> = {}): Describe {
  return stack({ causal: true, ...model, input: sinusoidal(form) });
}

/** Encoder and decoder with the same sines. */
function sinePair(form: SinusoidalForm, defaults: Stack['defaults'] = {}): Describe {
  const common = {
    d_model: 1024,
    encoder_layers: 12,
    decoder_layers: 12,
    encoder_attention_heads: 16,
    decoder_attention_heads: 16,
    max_position_embeddings: 1024,
  };
  const merged = { ...common, ...defaults };
  return stacks(
    sines(form, { half: 'encoder', causal: false, defaults: merged }),
    sines(form, { half: 'decoder', defaults: merged }),
  );
}

const xlmSizes = { emb_dim: 2048, n_heads: 16, n_layers: 12, max_position_embeddings: 512 };
const type = (value: string) => (config: ConfigReader) =>
  config.text('position_embedding_type', 'position_embeddings_type') === value;

const rotaryEncoder = rotary({ causal: false, defaults: bertSizes });
const learnedBert = learned({ causal: false, defaults: bertSizes });
/** These models add no table at the input. */
const keyTerms = stack({ causal: false, defaults: bertSizes, encodings: bertKeys });

/** BERT and what was built on it: the field says which positions. */
const bert = either(
  (config) => type('alibi')(config) || config.sets('alibi_starting_size'),
  alibi({ sides: 'symmetric', defaults: bertSizes }),
  either(
    (config) => type('rope')(config) || type('rotary')(config),
    rotaryEncoder,
    either((config) => type('relative_key')(config) || type('relative_key_query')(config), keyTerms, learnedBert),
  ),
);

/** A null here: no positions but those that convolutions see. */
const unplaced = (config: ConfigReader): boolean => config.isNone('position_embeddings_type');
const speechSizes = sizes(1024, 24, 16, null, null, null);

/** Conformers: rotation of the hidden states, or Transformer-XL's terms. */
const conformer = either(
  type('rotary'),
  rotary({
    causal: false,
    defaults: sizes(768, 12, 12, null, null, null),
    warnings: [
      'the released code rotates the hidden states in front of the query and key projections, not their results',
    ],
  }),
  stack({ causal: false, defaults: bertSizes, encodings: conformerTerms }),
);

const moonshineHalf =
  (half: 'encoder' | 'decoder'): Describe =>
  (part) => {
    const rename = (name: string) => part.config.value(`${half}_${name}`);
    const fields = {
      ...part.config.fields,
      num_hidden_layers: rename('num_hidden_layers') ?? 6,
      num_attention_heads: rename('num_attention_heads') ?? 8,
      num_key_value_heads: rename('num_key_value_heads') ?? null,
    };
    const describe = rotary({
      causal: half === 'decoder',
      partial: 0.9,
      layout: 'interleaved',
      defaults: { hidden_size: 288, max_position_embeddings: 512 },
    });
    return describe({ ...part, tower: half, config: part.config.over(fields) });
  };

const gemmaModule: RotaryModel = {
  defaults: gemma2Sizes,
  sliding: { rule: 'exceptLastOf', period: 2 },
  scale: 'queryPreAttnScalar',
};

export const encoders: Readonly<Record<string, Describe>> = {
  bert,
  esm: either(
    type('rotary'),
    rotary({ causal: false, defaults: sizes(768, 12, 12, null, null, 1026), fixedBase: true }),
    learned({ causal: false, defaults: sizes(768, 12, 12, null, null, 1026) }, { padded: true }),
  ),
  roformer: rotary({
    causal: false,
    defaults: sizes(768, 12, 12, null, null, 1536),
    layout: 'interleaved',
    fixedBase: true,
  }),
  modernbert: rotary({
    causal: false,
    defaults: { ...sizes(768, 22, 12, null, null, 8192), local_attention: 128 },
    sliding: { rule: 'exceptFirstOf', period: 3, field: 'global_attn_every_n_layers' },
    base: 160000,
    slidingBase: 10000,
    window: 'halfEachSide',
  }),
  'modernbert-decoder': rotary({
    defaults: { ...sizes(768, 22, 12, null, null, 8192), local_attention: 128 },
    sliding: { rule: 'exceptFirstOf', period: 3, field: 'global_attn_every_n_layers' },
    base: 160000,
    slidingBase: 10000,
    window: 'halfBehind',
  }),
  nomic_bert: rotary({ causal: false, defaults: sizes(768, 12, 12, null, null, 2048), base: 1000 }),
  eurobert: rotary({ causal: false, defaults: sizes(768, 12, 12, null, null, 8192) }),
  new: bert,
  t5_gemma_module: rotary(gemmaModule),
  t5_gemma_encoder: rotary({ ...gemmaModule, causal: false, window: 'eachSide' }),

  distilbert: either(
    (config) => config.boolean('sinusoidal_pos_embds') === true,
    sines(forms.interleaved, {
      causal: false,
      defaults: { dim: 768, n_heads: 12, n_layers: 6, max_position_embeddings: 512 },
    }),
    learned({ causal: false, defaults: { dim: 768, n_heads: 12, n_layers: 6, max_position_embeddings: 512 } }),
  ),
  xlm: either(
    (config) => config.boolean('sinusoidal_embeddings') === true,
    sines(forms.interleaved, { causal: false, defaults: xlmSizes }),
    learned({ causal: false, defaults: xlmSizes }),
  ),
  flaubert: either(
    (config) => config.boolean('sinusoidal_embeddings') === true,
    sines(forms.interleaved, { causal: false, defaults: xlmSizes }),
    learned({ causal: false, defaults: xlmSizes }),
  ),
  ctrl: sines(forms.ctrl, { defaults: { n_embd: 1280, n_head: 16, n_layer: 48, n_positions: 256 } }),
  xglm: sines(forms.xglm, {
    defaults: {
      d_model: 1024,
      attention_heads: 16,
      num_layers: 24,
      max_position_embeddings: 2048,
      scale_embedding: true,
    },
  }),
  marian: sinePair(forms.marian),
  pegasus: sinePair(forms.marian),
  pegasus_x: sinePair(forms.tensor2tensor, { encoder_layers: 16, decoder_layers: 16, max_position_embeddings: 16384, scale_embedding: true }),
  m2m_100: sinePair(forms.fairseq, { scale_embedding: true, pad_token_id: 1 }),
  'nllb-moe': sinePair(forms.fairseq, { scale_embedding: true, pad_token_id: 1 }),
  fsmt: sinePair(forms.fairseq, { scale_embedding: true, pad_token_id: 1 }),
  speech_to_text: sinePair(forms.fairseq, {
    d_model: 256,
    decoder_layers: 6,
    encoder_attention_heads: 4,
    decoder_attention_heads: 4,
    max_source_positions: 6000,
    max_target_positions: 1024,
    scale_embedding: true,
    pad_token_id: 1,
  }),
  trocr: either(
    (config) => config.boolean('use_learned_position_embeddings') === false,
    sines(forms.fairseq, {
      half: 'decoder',
      defaults: { d_model: 1024, decoder_layers: 12, decoder_attention_heads: 16, pad_token_id: 1 },
    }),
    learned(
      { half: 'decoder', defaults: { d_model: 1024, decoder_layers: 12, decoder_attention_heads: 16, max_position_embeddings: 512 } },
      { offset: 2 },
    ),
  ),
  whisper: stacks(
    stack({
      half: 'encoder',
      causal: false,
      defaults: { d_model: 384, encoder_layers: 4, encoder_attention_heads: 6, max_source_positions: 1500 },
      input: sinusoidal(forms.whisper),
    }),
    stack({
      half: 'decoder',
      causal: true,
      defaults: { d_model: 384, decoder_layers: 4, decoder_attention_heads: 6, max_target_positions: 448 },
      input: learnedTable(),
    }),
  ),
  moonshine: stacks(moonshineHalf('encoder'), moonshineHalf('decoder')),
  'wav2vec2-conformer': either(unplaced, stack({ causal: false, defaults: bertSizes }), conformer),
  'wav2vec2-bert': either(
    unplaced,
    stack({ causal: false, defaults: speechSizes }),
    either(
      (config) => !config.sets('position_embeddings_type') || type('relative_key')(config),
      stack({ causal: false, defaults: speechSizes, encodings: clippedKeys }),
      conformer,
    ),
  ),

  bloom: alibi({ defaults: { hidden_size: 64, n_layer: 2, n_head: 8 } }),
  refact: alibi(),
  gpt_refact: alibi(),
  jais: alibi({
    scale: (config, headDim) =>
      config.boolean('mup_scale_qk_dot_by_d', 'scale_qk_dot_by_d') ? 1 / headDim : 1 / Math.sqrt(headDim),
  }),
  btlm: alibi({
    scale: (config, headDim) =>
      config.boolean('mup_scale_qk_dot_by_d', 'scale_qk_dot_by_d') ? 1 / headDim : 1 / Math.sqrt(headDim),
  }),
};
