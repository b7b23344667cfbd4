// Vision towers whose scores carry a bias per pair of places in a window: Swin, Swin v2 and BEiT.
import type { Describe } from './context.js';
import type { ConfigReader } from './reader.js';
import { byLayer, stack, type Stack } from './stack.js';
import { patchTable } from './tables.js';
import type { EncodingChoice, LayerGroup } from './types.js';

/** One size for both axes, or [height, width]. */
function pair(config: ConfigReader, ...names: string[]): readonly [number, number] | undefined {
  const value = config.value(...names);
  if (Array.isArray(value)) {
    const [height, width] = config.numbers(...names) ?? [];
    if (height !== undefined && width !== undefined) return [height, width];
    throw config.refuse(names[0] ?? '', value, 'a size, or height and width');
  }
  const size = config.integer(...names);
  return size === undefined ? undefined : [size, size];
}

/** Patches of the picture, [rows, columns]; Swin pads it to whole ones. */
function grid(config: ConfigReader, image: number, patch: number, round = Math.ceil): readonly [number, number] {
  const [height, width] = pair(config, 'image_size') ?? [image, image];
  const [patchHeight, patchWidth] = pair(config, 'patch_size') ?? [patch, patch];
  return [round(height / patchHeight), round(width / patchWidth)];
}

const sized = ([height, width]: readonly [number, number]) => ({ height, width });

/** Swin: four stages of windows, each of its own width and head count; every block has a table of its own. */
export const swin: Describe = byLayer(({ modelType, config }) => {
  const heads = config.numbers('num_heads') ?? [3, 6, 12, 24];
  const depths = config.depths('depths') ?? [2, 2, 6, 2];
  const width = config.integer('embed_dim') ?? 96;
  const second = modelType === 'swinv2';
  const patches = grid(config, 224, 4);
  let layer = 0;
  const groups = heads.map((count, stage): LayerGroup => {
    const headDim = (width * 2 ** stage) / count;
    return {
      layers: Array.from({ length: depths[stage] ?? 0 }, () => layer++),
      kind: 'full_attention',
      encodings: [second ? network(config, count, stage, patches) : table(config, count, stage)],
      attention: {
        heads: count,
        kvHeads: count,
        headDim,
        valueDim: headDim,
        causal: false,
        scale: second ? 1 : 1 / Math.sqrt(headDim),
        softcap: 0,
        ...(second ? { logits: 'cosine' as const } : {}),
      },
      sinks: false,
    };
  });
  const warnings = ['windows are rows of the batch; every second block shifts them: give attention its shiftMask'];
  if (second) warnings.push('logits are cosines: give every call the logitScale of its block, a number per head');
  return [
    {
      name: 'vision',
      modelType,
      layers: layer,
      hiddenSize: width,
      maxPositions: undefined,
      input: [],
      groups,
      warnings,
    },
  ];
});

function table(config: ConfigReader, heads: number, stage: number): EncodingChoice {
  const options = { heads, window: sized(pair(config, 'window_size') ?? [7, 7]) };
  return { id: 'swin', name: 'swin', options, about: `a bias per pair of places in a window, stage ${stage}` };
}

/** A window is no larger than what is left of the picture at its stage. */
function network(
  config: ConfigReader,
  heads: number,
  stage: number,
  patches: readonly [number, number],
): EncodingChoice {
  const [height, width] = pair(config, 'window_size') ?? [7, 7];
  const [rows, columns] = patches.map((count) => Math.ceil(count / 2 ** stage)) as [number, number];
  const trained = config.numbers('pretrained_window_sizes')?.[stage] ?? 0;
  const options = {
    heads,
    window: sized([Math.min(height, rows), Math.min(width, columns)]),
    pretrainedWindow: sized([trained, trained]),
  };
  return { id: 'swinV2', name: 'swinV2', options, about: `a network of the offset in a window, stage ${stage}` };
}

/** BEiT: one window over all patches, with a class token; a table per layer, or one for all. */
export function beit(model: Partial<Stack>): Describe {
  const encodings: NonNullable<Stack['encodings']> = ({ config, attention }) => {
    const shared = config.boolean('use_shared_relative_position_bias') === true;
    if (!shared && config.boolean('use_relative_position_bias') !== true) return [];
    const options = { heads: attention.heads, window: sized(grid(config, 224, 16, Math.floor)) };
    const about = `a bias per pair of patches, with rows for the class token; ${shared ? 'one table' : 'a table per layer'}`;
    return [{ id: 'beit', name: 'beit', options, about }];
  };
  const input: NonNullable<Stack['input']> = (context) =>
    context.config.boolean('use_absolute_position_embeddings') === true ? patchTable()(context) : [];
  const describe = stack({ ...model, causal: false, input, encodings });
  return (part) =>
    part.config.boolean('use_shared_relative_position_bias') === true ? describe(part) : byLayer(describe)(part);
}
