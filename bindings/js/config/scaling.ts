// rope_scaling (old) and rope_parameters (new) → the `scaling` options of `rope`.
import { PosencError } from '../errors.js';
import { type ConfigReader, show } from './reader.js';

/** `scaling` of `posenc.rope`; undefined: none. */
export type Scaling = Readonly<Record<string, unknown>> | undefined;

/** What the rules below may look at besides the block itself. */
export interface ScalingContext {
  /** The config around the block. */
  readonly config: ConfigReader;
  readonly maxPositions: number | undefined;
  readonly warn: (text: string) => void;
}

type Rule = (block: ConfigReader, context: ScalingContext) => Scaling;

/** Fields of a block that are no scaling at all, or that other parts of this folder read. */
const read = ['type', 'rope_type', 'rope_theta', 'base', 'partial_rotary_factor', 'mrope_section', 'mrope_interleaved'];

const fieldsOf: Readonly<Record<string, readonly string[]>> = {
  default: [],
  linear: ['factor'],
  dynamic: ['factor', 'alpha'],
  ntk: ['factor'],
  yarn: [
    'factor',
    'original_max_position_embeddings',
    'attention_factor',
    'beta_fast',
    'beta_slow',
    'mscale',
    'mscale_all_dim',
    'truncate',
  ],
  longrope: [
    'factor',
    'original_max_position_embeddings',
    'attention_factor',
    'short_factor',
    'long_factor',
    'short_mscale',
    'long_mscale',
  ],
  llama3: ['factor', 'original_max_position_embeddings', 'low_freq_factor', 'high_freq_factor'],
};

const otherNames: Readonly<Record<string, string>> = {
  origin: 'default',
  none: 'default',
  su: 'longrope',
  mrope: 'default',
};

/** Type of a block: `rope_type`, or `type` as older configs call it. */
export function scalingType(block: ConfigReader): string {
  const given = block.text('rope_type', 'type') ?? (block.sets('factor') ? 'linear' : 'default');
  // Early Phi-3 configs call LongRoPE "su" or "yarn".
  if (given === 'yarn' && block.sets('short_factor')) return 'longrope';
  return otherNames[given] ?? given;
}

/** The length before any stretching: outside the block (Phi-3), inside it, or the model's own. */
function originalLength(block: ConfigReader, { config, maxPositions }: ScalingContext): number {
  const name = 'original_max_position_embeddings';
  const outside = config.sets(name) ? config.integer(name) : undefined;
  const length = outside ?? block.integer(name) ?? config.integer(name) ?? maxPositions;
  if (length === undefined) throw block.missing([name], 'the length of the original training, in tokens');
  return length;
}

/** `factor`, or how often the original length fits the present one. */
function stretch(block: ConfigReader, context: ScalingContext): number {
  const factor = block.number('factor');
  if (factor !== undefined) return factor;
  if (context.maxPositions === undefined) throw block.missing(['factor'], 'a number from 1');
  return context.maxPositions / originalLength(block, context);
}

/** Drops the entries that are undefined, so that defaults stay defaults. */
function given(options: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

function required(block: ConfigReader, name: string): number {
  const value = block.number(name);
  if (value === undefined) throw block.missing([name], 'a number');
  return value;
}

const rules: Readonly<Record<string, Rule>> = {
  default: () => undefined,
  linear: (block) => ({ type: 'linear', factor: required(block, 'factor') }),
  ntk: (block) => ({ type: 'ntk', factor: required(block, 'factor') }),

  dynamic(block, context) {
    // Hunyuan writes "dynamic" and means the base times alpha^(d/(d-2)), whatever the length.
    const alpha = block.number('alpha');
    if (alpha) return { type: 'ntk', factor: alpha };
    context.warn(
      'dynamic NTK changes the frequencies with the length reached: keys that a cache has rotated keep theirs',
    );
    const original = context.maxPositions;
    if (original === undefined) throw context.config.missing(['max_position_embeddings'], 'the trained length');
    // InternLM's first configs have a block `rotary` without a factor, which is then 1.
    const factor = context.config.sets('rotary') ? (block.number('factor') ?? 1) : required(block, 'factor');
    return { type: 'dynamic', factor, originalLength: original };
  },

  yarn: (block, context) =>
    given({
      type: 'yarn',
      factor: stretch(block, context),
      originalLength: originalLength(block, context),
      // 0 and null mean "the default" in Hugging Face's code.
      betaFast: block.number('beta_fast') || undefined,
      betaSlow: block.number('beta_slow') || undefined,
      truncate: block.boolean('truncate'),
      attentionFactor: block.number('attention_factor'),
      ...mscales(block),
    }),

  longrope: (block, context) => {
    context.warn('LongRoPE switches its factors at the original length: keys that a cache has rotated keep theirs');
    return given({
      type: 'longrope',
      factor: stretch(block, context),
      originalLength: originalLength(block, context),
      shortFactor: block.numbers('short_factor'),
      longFactor: block.numbers('long_factor'),
      ...amplitudes(block),
    });
  },

  llama3: (block, context) => ({
    type: 'llama3',
    factor: required(block, 'factor'),
    originalLength: originalLength(block, context),
    lowFreqFactor: required(block, 'low_freq_factor'),
    highFreqFactor: required(block, 'high_freq_factor'),
  }),
};

/** DeepSeek's pair counts only where both are there and not 0. */
function mscales(block: ConfigReader): Record<string, unknown> {
  const mscale = block.number('mscale');
  const allDim = block.number('mscale_all_dim');
  return mscale && allDim ? { mscale, mscaleAllDim: allDim } : {};
}

/** The amplitude itself, or one for each list of factors (Phi-3.5-MoE). */
function amplitudes(block: ConfigReader): Record<string, unknown> {
  const attentionFactor = block.number('attention_factor');
  if (attentionFactor !== undefined) return { attentionFactor };
  return { shortMscale: block.number('short_mscale'), longMscale: block.number('long_mscale') };
}

/** Scaling options of one block. */
export function scalingOf(block: ConfigReader, context: ScalingContext): Scaling {
  const type = scalingType(block);
  const rule = rules[type];
  if (!rule) {
    const allowed = Object.keys(rules).join(', ');
    const field = block.named(block.sets('rope_type') ? 'rope_type' : 'type');
    throw new PosencError('unsupported', field, `"${type}"`, `${allowed}; others are not offered yet`);
  }
  for (const name of Object.keys(block.fields)) {
    if (read.includes(name) || fieldsOf[type]?.includes(name) || !block.sets(name)) continue;
    if (name === 'llama_4_scaling_beta') {
      context.warn(`queries at position p are multiplied by 1 + ${show(block.value(name))} · ln(1 + floor(p / original_max_position_embeddings)): do so before the call`);
      continue;
    }
    context.warn(`rope scaling "${type}" has no field "${name}": it is ignored, as in Hugging Face's code`);
  }
  return rule(block, context);
}
