// Towers whose attention layers rotate queries and keys, or some of them do (NoPE in between).
import { names, readHeads, readLatentHeads, readScale, type Heads, type ScaleRule } from './attention.js';
import { Warnings, type Describe } from './context.js';
import { hasAttention, readLayers, type Layer, type RotationRule, type SlidingRule } from './layers.js';
import type { ConfigReader } from './reader.js';
import { layoutOf, ropeBlock, ropeChoice, type RopeContext, type RopeDefaults } from './rope.js';
import type { AttentionChoice, EncodingChoice, LayerGroup, ModelConfig } from './types.js';

/** What a model type's class settles; a config fills in the rest. */
export interface RotaryModel extends RopeDefaults {
  /** Defaults of the class's own fields. */
  readonly defaults?: ModelConfig;
  readonly sliding?: SlidingRule;
  readonly rotates?: RotationRule;
  readonly scale?: ScaleRule;
  /** Encoders see both sides. Default true. */
  readonly causal?: boolean;
  /** DeepSeek's multi-head latent attention. */
  readonly latent?: boolean;
  /** Learned sinks in the softmax (gpt-oss). */
  readonly sinks?: boolean;
  /** How the window of sliding layers counts; see windowOf. */
  readonly window?: WindowRule;
  /** Traps of this model, said whenever it is described. */
  readonly warnings?: readonly string[];
}

/**
 * `behind` (default): `sliding_window` keys, the query's own among them. `eachSide`: as many keys on each side.
 * `halfEachSide` and `halfBehind`: the same with half of ModernBERT's `local_attention`. `twoSided` (Gemma 3): behind, but
 * half of `sliding_window` on each side where use_bidirectional_attention makes an encoder of the model.
 */
export type WindowRule = 'behind' | 'eachSide' | 'halfEachSide' | 'halfBehind' | 'twoSided';

const nope: EncodingChoice = {
  id: 'nope',
  name: 'nope',
  options: {},
  about: 'no position: these layers are not rotated',
};

/** Describes such a tower. */
export function rotary(model: RotaryModel): Describe {
  return ({ modelType, config: source, tower, length }) => {
    const warnings = new Warnings();
    const config = source.withDefaults(model.defaults ?? {});
    const heads: Heads & { rotaryDim?: number } = model.latent ? readLatentHeads(config) : readHeads(config);
    const count = config.layers(...names.layers);
    const maxPositions = config.integer(...names.maxPositions);
    const layers = readLayers(config, count, model.sliding ?? { rule: 'none' }, model.rotates ?? 'all');
    const context: RopeContext = { config, defaults: model, heads, maxPositions, length, warn: warnings.warn };

    model.warnings?.forEach(warnings.warn);
    const groups = grouped(layers).map(([layer, indices]): LayerGroup => ({
      layers: count === undefined && layers.length === 1 ? 'all' : indices,
      kind: layer.kind,
      encodings: [layer.rotates ? ropeChoice(layer.kind, context) : nope],
      attention: attentionOf(model, config, heads, layer),
      ...(layer.rotates ? { layout: layoutOf(config, model) } : {}),
      sinks: model.sinks ?? false,
    }));
    warnOfTraps(model, context, groups);
    return [
      {
        name: tower,
        modelType,
        layers: count ?? (layers.length > 1 ? layers.length : undefined),
        hiddenSize: config.integer(...names.hidden),
        maxPositions,
        input: [],
        groups: nameApart(groups),
        warnings: warnings.texts,
      },
    ];
  };
}

/** Same layers, one group: equal in everything but their index. */
function grouped(layers: readonly Layer[]): [Layer, number[]][] {
  const groups = new Map<string, [Layer, number[]]>();
  layers.forEach((layer, index) => {
    if (!hasAttention(layer.kind)) return;
    const key = `${layer.kind} ${layer.rotates}`;
    const group = groups.get(key);
    if (group) group[1].push(index);
    else groups.set(key, [layer, [index]]);
  });
  return [...groups.values()];
}

function attentionOf(model: RotaryModel, config: ConfigReader, heads: Heads, layer: Layer): AttentionChoice {
  const { kind } = layer;
  return {
    heads: heads.heads,
    kvHeads: heads.kvHeads,
    headDim: heads.headDim,
    valueDim: heads.valueDim,
    causal: isCausal(model, config),
    scale: readScale(model.scale ?? 'headDim', config, heads.headDim, ropeBlock(config, kind, model)),
    softcap: config.number('attn_logit_softcapping', 'attn_logit_softcap') ?? 0,
    ...windowOf(model, config, kind),
    ...chunkOf(config, kind),
    ...temperatureOf(config, layer),
  };
}

/** By the class, unless `is_decoder` makes a decoder of an encoder, or use_bidirectional_attention an encoder of Gemma 3. */
function isCausal(model: RotaryModel, config: ConfigReader): boolean {
  if (model.window === 'twoSided') return config.boolean('use_bidirectional_attention') !== true;
  return (model.causal ?? true) || config.value('is_decoder') === true;
}

/** Llama 4: layers that rotate see their own chunk. */
function chunkOf(config: ConfigReader, kind: string): Pick<AttentionChoice, 'chunk'> {
  const size = kind === 'chunked_attention' ? config.integer('attention_chunk_size') : undefined;
  return size === undefined ? {} : { chunk: size };
}

/** Factors on queries: Llama 4's in layers without rotation, and the first Qwen's beyond its trained length. */
function temperatureOf(config: ConfigReader, { rotates }: Layer): Pick<AttentionChoice, 'temperature'> {
  if (config.boolean('attn_temperature_tuning') === true && !rotates) {
    const [floorScale, weight] = [config.number('floor_scale') ?? 8192, config.number('attn_scale') ?? 0.1];
    return { temperature: { type: 'llama4', floorScale, weight } };
  }
  const trained = config.integer('seq_length');
  if (config.boolean('use_logn_attn') !== true || trained === undefined) return {};
  return { temperature: { type: 'logN', length: trained } };
}

function windowOf(model: RotaryModel, config: ConfigReader, kind: string): Pick<AttentionChoice, 'window'> {
  if (kind !== 'sliding_attention') return {};
  const rule = model.window ?? 'behind';
  const halved = rule === 'halfEachSide' || rule === 'halfBehind';
  const width = halved
    ? Math.floor(config.size('local_attention') / 2)
    : config.integer('sliding_window', 'attention_window_size');
  if (width === undefined) return {};
  if (rule === 'twoSided' && !isCausal(model, config)) return { window: { left: Math.floor(width / 2), right: Math.floor(width / 2) } };
  const bothSides = rule === 'eachSide' || rule === 'halfEachSide';
  return { window: bothSides ? { left: width, right: width } : { left: Math.max(width - 1, 0) } };
}

/** Names encodings of one id that differ between groups by layer kind: 'rope-full' and 'rope-sliding'. */
function nameApart(groups: readonly LayerGroup[]): LayerGroup[] {
  const variants = new Map<string, Set<string>>();
  const choices = groups.flatMap((group) => group.encodings);
  for (const { id, options } of choices) variants.set(id, (variants.get(id) ?? new Set()).add(JSON.stringify(options)));
  return groups.map((group) => ({
    ...group,
    encodings: group.encodings.map((choice) => {
      const single = (variants.get(choice.id)?.size ?? 1) === 1;
      return single ? choice : { ...choice, name: `${choice.id}-${group.kind.replace('_attention', '')}` };
    }),
  }));
}

function warnOfTraps(model: RotaryModel, context: RopeContext, groups: readonly LayerGroup[]): void {
  const { config, heads, maxPositions, length, warn } = context;
  if (model.sinks) {
    warn('every head has a learned sink in its softmax: pass the weights of the model as `sinks` in each call');
  }
  if (heads.rotaryDim !== undefined) {
    warn(
      `latent attention: put the ${heads.rotaryDim} rotated channels of each head in front of the others; ` +
        'the released code has them behind, and the scores are the same',
    );
  }
  if (config.boolean('use_logn_attn') === true) {
    warn('use_logn_attn: queries beyond the trained length are multiplied by log(position + 1) / log(seq_length)');
  }
  if (groups.some(({ encodings }) => encodings.some(({ id }) => id === 'mrope'))) {
    warn('positions of sequences with pictures have three axes: posenc.mrope.positions makes them');
  }
  if (length !== undefined && maxPositions !== undefined && length > maxPositions) {
    warn(
      `${length} tokens are more than max_position_embeddings ${maxPositions}: the model has not seen such positions`,
    );
  }
}
