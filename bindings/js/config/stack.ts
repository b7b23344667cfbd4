// Towers whose layers are all alike: positions enter at the input, as a bias, or not in the layers at all.
import { names, readHeads } from './attention.js';
import { Warnings, type Describe } from './context.js';
import type { ConfigReader } from './reader.js';
import type { AttentionChoice, EncodingChoice, LayerGroup, ModelConfig, TowerName } from './types.js';

/** Fields of one half of an encoder-decoder, under the names that single stacks have. */
export const halves: Readonly<Record<'encoder' | 'decoder', Readonly<Record<string, readonly string[]>>>> = {
  encoder: {
    heads: ['encoder_attention_heads', ...names.heads],
    layers: ['encoder_layers', ...names.layers],
    maxPositions: ['max_source_positions', 'max_encoder_position_embeddings', ...names.maxPositions],
  },
  decoder: {
    heads: ['decoder_attention_heads', 'num_decoder_heads', ...names.heads],
    layers: ['decoder_layers', 'num_decoder_layers', ...names.layers],
    maxPositions: ['max_target_positions', 'max_decoder_position_embeddings', ...names.maxPositions],
  },
};

/** What the encodings of a stack are made of. */
export interface StackContext {
  readonly config: ConfigReader;
  readonly hiddenSize: number | undefined;
  readonly maxPositions: number | undefined;
  readonly attention: AttentionChoice;
  readonly warn: (text: string) => void;
}

/** A stack of layers. */
export interface Stack {
  readonly defaults?: ModelConfig;
  /** Name of the tower; default: that of the part. */
  readonly tower?: TowerName;
  /** Reads heads, layers and positions from the fields of this half. */
  readonly half?: 'encoder' | 'decoder';
  /** What a query sees. Of single stacks `is_decoder` makes causal ones, as in BERT's classes. */
  readonly causal: boolean;
  readonly input?: (context: StackContext) => readonly EncodingChoice[];
  readonly encodings?: (context: StackContext) => readonly EncodingChoice[];
  /** Factor on q·k; default 1 / sqrt(headDim). */
  readonly scale?: (config: ConfigReader, headDim: number) => number;
  /** What a layer has of its own; those that have the same are one group. */
  readonly layer?: (context: StackContext, index: number) => LayerOwn;
}

/** What a layer may have of its own. */
export interface LayerOwn {
  readonly kind?: string;
  readonly attention?: Partial<AttentionChoice>;
}

/** Describes such a tower. */
export function stack(model: Stack): Describe {
  return ({ modelType, config: source, tower }) => {
    const warnings = new Warnings();
    const config = source.withDefaults(model.defaults ?? {});
    const fields = model.half ? halves[model.half] : undefined;
    const heads = readHeads(config, fields?.['heads']);
    const hiddenSize = config.integer(...names.hidden);
    const maxPositions = config.integer(...(fields?.['maxPositions'] ?? names.maxPositions));
    const count = config.layers(...(fields?.['layers'] ?? names.layers));
    const scale = model.scale?.(config, heads.headDim) ?? 1 / Math.sqrt(heads.headDim);
    const causal = model.causal || (model.half === undefined && config.value('is_decoder') === true);
    const attention: AttentionChoice = { ...heads, causal, scale, softcap: 0 };
    const context: StackContext = { config, hiddenSize, maxPositions, attention, warn: warnings.warn };
    const encodings = model.encodings?.(context) ?? [];
    const groups = grouped(count, (index) => model.layer?.(context, index) ?? {}).map(([own, layers]): LayerGroup => ({
      layers,
      kind: own.kind ?? 'full_attention',
      encodings,
      attention: { ...attention, ...own.attention },
      sinks: false,
    }));
    const input = model.input?.(context) ?? [];
    const name = model.tower ?? model.half ?? tower;
    return [{ name, modelType, layers: count, hiddenSize, maxPositions, input, groups, warnings: warnings.texts }];
  };
}

/** Layers that have the same of their own, with their indices. */
function grouped(count: number | undefined, ownOf: (index: number) => LayerOwn): [LayerOwn, LayerGroup['layers']][] {
  if (count === undefined || count === 0) return [[ownOf(0), count === 0 ? [] : 'all']];
  const groups = new Map<string, [LayerOwn, number[]]>();
  for (let index = 0; index < count; index++) {
    const own = ownOf(index);
    const key = JSON.stringify(own);
    const group = groups.get(key);
    if (group) group[1].push(index);
    else groups.set(key, [own, [index]]);
  }
  return [...groups.values()];
}

/** The same where every layer has tensors of its own: a group per layer, whose encodings are named by it (t5-0). */
export function byLayer(describe: Describe): Describe {
  return (part) =>
    describe(part).map((tower) => ({
      ...tower,
      groups: tower.groups.flatMap((group) => {
        const { layers, encodings } = group;
        if (layers === 'all' || encodings.length === 0) return [group];
        return layers.map((layer) => ({
          ...group,
          layers: [layer],
          encodings: encodings.map((choice) => ({ ...choice, name: `${choice.name}-${layer}` })),
        }));
      }),
    }));
}

/** Several towers from one part: an encoder and a decoder. */
export function stacks(...descriptions: readonly Describe[]): Describe {
  return (part) => descriptions.flatMap((describe) => describe(part));
}
