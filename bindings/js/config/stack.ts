// Towers whose layers are all alike: positions enter at the input, as a bias, or not in the layers at all.
import { names, readHeads } from './attention.js';
import { Warnings, type Describe } from './context.js';
import type { ConfigReader } from './reader.js';
import type { AttentionChoice, EncodingChoice, ModelConfig, TowerName } from './types.js';

/** Fields of one half of an encoder-decoder, under the names that single stacks have. */
export const halves: Readonly<Record<'encoder' | 'decoder', Readonly<Record<string, readonly string[]>>>> = {
  encoder: {
    heads: ['encoder_attention_heads', ...names.heads],
    layers: ['encoder_layers', ...names.layers],
    maxPositions: ['max_source_positions', ...names.maxPositions],
  },
  decoder: {
    heads: ['decoder_attention_heads', 'num_decoder_heads', ...names.heads],
    layers: ['decoder_layers', 'num_decoder_layers', ...names.layers],
    maxPositions: ['max_target_positions', ...names.maxPositions],
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
  readonly causal: boolean;
  readonly input?: (context: StackContext) => readonly EncodingChoice[];
  readonly encodings?: (context: StackContext) => readonly EncodingChoice[];
  /** Factor on q·k; default 1 / sqrt(headDim). */
  readonly scale?: (config: ConfigReader, headDim: number) => number;
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
    const attention: AttentionChoice = { ...heads, causal: model.causal, scale, softcap: 0 };
    const context: StackContext = { config, hiddenSize, maxPositions, attention, warn: warnings.warn };
    const group = {
      layers: count === undefined ? ('all' as const) : Array.from({ length: count }, (_, i) => i),
      kind: 'full_attention',
      encodings: model.encodings?.(context) ?? [],
      attention,
      sinks: false,
    };
    const input = model.input?.(context) ?? [];
    const name = model.tower ?? model.half ?? tower;
    return [
      { name, modelType, layers: count, hiddenSize, maxPositions, input, groups: [group], warnings: warnings.texts },
    ];
  };
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
