// Base, rotated width, layout and scaling of a model's rotary encoding.
import type { Heads } from './attention.js';
import type { ConfigReader } from './reader.js';
import { isObject } from './reader.js';
import { scalingOf } from './scaling.js';
import type { EncodingChoice } from './types.js';

/** What a model type's class settles about its rotation. */
export interface RopeDefaults {
  /** rope_theta where the config has none. */
  readonly base?: number;
  /** The same for sliding layers, where they have a base of their own. */
  readonly slidingBase?: number;
  /** Whether `rope_scaling` of the old kind holds for sliding layers too; default true. */
  readonly scalesSliding?: boolean;
  /** partial_rotary_factor where the config has none. */
  readonly partial?: number;
  /** How channels pair up in the released code. */
  readonly layout?: 'half' | 'interleaved';
  /** The base is part of the model's code, not of its config. */
  readonly fixedBase?: boolean;
}

export const ropeFields = {
  base: [
    'rope_theta',
    'rotary_emb_base',
    'rotary_embedding_base',
    'global_rope_theta',
    'rope_base',
    'rope_freq_constant',
  ],
  slidingBase: ['rope_local_base_freq', 'local_rope_theta'],
  partial: ['partial_rotary_factor', 'rotary_pct', 'rope_pct', 'rotary_emb_fraction', 'rope_percentage'],
} as const;

/** The block of `rope_parameters` or `rope_scaling` that holds for a layer type. */
export function ropeBlock(config: ConfigReader, kind: string, defaults: RopeDefaults): ConfigReader | undefined {
  const modern = config.object('rope_parameters');
  if (modern) {
    const nested = modern.object(kind);
    if (nested) return nested;
    // Nested, but not for this layer type: nothing there belongs to it.
    return Object.values(modern.fields).some(isObject) ? undefined : modern;
  }
  if (kind === 'sliding_attention' && defaults.scalesSliding === false) return undefined;
  return config.object('rope_scaling', 'rotary');
}

function baseOf(
  config: ConfigReader,
  block: ConfigReader | undefined,
  kind: string,
  defaults: RopeDefaults,
  warn: (text: string) => void,
): number {
  const own = block?.number('rope_theta', 'base');
  if (own !== undefined) return own;
  // ModernBERT: a null there says that sliding layers have the base of the others.
  if (kind === 'sliding_attention' && defaults.slidingBase !== undefined && !config.isNone(...ropeFields.slidingBase)) {
    return config.number(...ropeFields.slidingBase) ?? defaults.slidingBase;
  }
  const given = config.number(...ropeFields.base) ?? config.object('attn_config')?.number('rope_theta');
  const base = given ?? defaults.base ?? 10000;
  if (given === undefined && !defaults.fixedBase) {
    warn(`rope_theta is not in the config: ${base}, the default of the model's class`);
  }
  // ChatGLM stretches the base by rope_ratio.
  return base * (config.number('rope_ratio') ?? 1);
}

function rotaryDimOf(
  config: ConfigReader,
  block: ConfigReader | undefined,
  headDim: number,
  defaults: RopeDefaults,
): number {
  const width = config.integer('rotary_dim');
  if (width !== undefined) return width;
  const part = block?.number('partial_rotary_factor') ?? config.number(...ropeFields.partial) ?? defaults.partial ?? 1;
  return Math.floor(headDim * part);
}

/** How channels pair up: as the class has it, unless the config says otherwise. */
export function layoutOf(config: ConfigReader, defaults: RopeDefaults): 'half' | 'interleaved' {
  const interleaved = config.boolean('rope_interleave', 'rotary_emb_interleaved');
  if (interleaved === undefined) return defaults.layout ?? 'half';
  return interleaved ? 'interleaved' : 'half';
}

/** What the choice below looks at. */
export interface RopeContext {
  readonly config: ConfigReader;
  readonly defaults: RopeDefaults;
  readonly heads: Heads & { readonly rotaryDim?: number };
  readonly maxPositions: number | undefined;
  readonly length: number | undefined;
  readonly warn: (text: string) => void;
}

/** The rotary encoding of a layer type. */
export function ropeChoice(kind: string, context: RopeContext): EncodingChoice {
  const { config, defaults, heads, warn } = context;
  const block = ropeBlock(config, kind, defaults);
  const sections = block?.numbers('mrope_section');
  const rotaryDim = heads.rotaryDim ?? rotaryDimOf(config, block, heads.headDim, defaults);
  const base = baseOf(config, block, kind, defaults, warn);
  const scaling = block ? scalingOf(block, context) : (nomicNtk(context) ?? ownNtk(context));
  const layout = layoutOf(config, defaults);
  // RoFormer may turn its values too.
  const values = config.boolean('rotary_value') === true ? { values: true } : {};
  const options = { headDim: heads.headDim, rotaryDim, base, layout, ...values, ...(scaling ? { scaling } : {}) };
  if (sections) {
    const order = block?.boolean('mrope_interleaved') === true ? 'interleaved' : 'chunked';
    const about = `multimodal rotation, ${order} sections ${sections.join(', ')} of time, height and width`;
    return { id: 'mrope', name: 'mrope', options: { ...options, sections, order }, about };
  }
  const part = rotaryDim < heads.headDim ? `, the first ${rotaryDim} of ${heads.headDim} channels` : '';
  return { id: 'rope', name: 'rope', options, about: `rotation with base ${base}${part}, ${layout} pairs` };
}

/** Nomic's dynamic NTK, by fields of its own. */
function nomicNtk({ config }: RopeContext): Record<string, unknown> | undefined {
  const factor = config.number('rotary_scaling_factor');
  if (factor === undefined) return undefined;
  return { type: 'dynamic', factor, originalLength: config.size('max_trained_positions', 'max_position_embeddings', 'n_positions') };
}

/** The first Qwen's rule: past seq_length the base grows in steps, alpha = 2^ceil(log2(length / trained) + 1) - 1. */
function ownNtk({ config, length, warn }: RopeContext): Record<string, unknown> | undefined {
  const trained = config.integer('seq_length');
  if (config.boolean('use_dynamic_ntk') !== true || trained === undefined) return undefined;
  if (length === undefined) {
    warn(
      `use_dynamic_ntk: past ${trained} tokens the model multiplies its base by alpha^(d/(d-2)), ` +
        'alpha = 2^ceil(log2(length / seq_length) + 1) - 1; tell the length that will be reached to get it',
    );
    return undefined;
  }
  const alpha = 2 ** Math.ceil(Math.log2(length / trained) + 1) - 1;
  return alpha > 1 ? { type: 'ntk', factor: alpha } : undefined;
}
