// Vision towers whose patches are rotated by row and column: the conventions of each, see docs/encodings/ropeNd.md.
import type { Describe } from '../context.js';
import { stack, type Stack, type StackContext } from '../stack.js';
import type { EncodingChoice } from '../types.js';
import { sizes } from './sizes.js';

type Convention = (context: StackContext) => Readonly<Record<string, unknown>>;

const about = 'rotation by row and column of the patch';

function choice(convention: Convention): (context: StackContext) => readonly EncodingChoice[] {
  return (context) => {
    const options = { headDim: context.attention.headDim, ...convention(context) };
    return [{ id: 'ropeNd', name: 'ropeNd', options, about }];
  };
}

/** A tower of `layers` layers of patches. */
export function turnedPatches(
  [hidden, layers, heads]: readonly [number, number, number],
  convention: Convention,
  model: Partial<Stack> = {},
): Describe {
  const defaults = sizes(hidden, layers, heads, null, null, null);
  return stack({ causal: false, tower: 'vision', defaults, ...model, encodings: choice(convention) });
}

/** Rows and columns of a picture of the config's own size. */
function gridOf({ config }: StackContext, size: number, patch: number): number[] {
  const side = Math.floor((config.integer('image_size') ?? size) / (config.integer('patch_size') ?? patch));
  return [side, side];
}

/** Pixtral: frequencies dealt in turn, positions by row and column. */
export const pixtral = turnedPatches([1024, 24, 16], ({ config, warn }) => {
  warn('patches need positions [row, column]: ropeNd.gridPositions({ grid }) makes them for one picture');
  const base = config.object('rope_parameters')?.number('rope_theta') ?? config.number('rope_theta') ?? 10000;
  return { base, frequencies: 'dealt' };
});

/** Qwen's towers: both axes alike; patches come in blocks. */
export function qwenPatches(sizeOf: readonly [number, number, number], model: Partial<Stack> = {}): Describe {
  const describe = turnedPatches(
    sizeOf,
    ({ config, warn }) => {
      const merge = config.integer('spatial_merge_size') ?? 2;
      warn(`patches come in blocks: positions are ropeNd.gridPositions({ grid: [rows, columns], merge: ${merge} })`);
      if (config.sets('fullatt_block_indexes'))
        warn('layers that are not in fullatt_block_indexes see windows of window_size pixels: rows of the batch, or a mask');
      return {};
    },
    model,
  );
  return (part) => {
    // Qwen2-VL's hidden_size is that of the text model: the picture's own width is embed_dim.
    const { fields } = part.config;
    const width = fields['embed_dim'] ?? (part.modelType.startsWith('qwen2_vl') ? 1280 : fields['hidden_size']);
    return describe({ ...part, config: part.config.over({ ...fields, hidden_size: width }) });
  };
}

/** DINOv3: patch centres, and tokens in front that do not turn; the grid of another picture needs its own encoding. */
export const dinov3 = turnedPatches([384, 12, 6], (context) => {
  const { config, warn } = context;
  warn('the grid is that of image_size; pictures of another size need `grid` of their own');
  const base = config.object('rope_parameters')?.number('rope_theta') ?? config.number('rope_theta') ?? 100;
  const prefix = 1 + (config.integer('num_register_tokens') ?? 0);
  return { base, coordinates: 'centred', grid: gridOf(context, 224, 16), prefix };
});

/** Llama 4: columns first, indices from 1, and a class token at the end. */
export const llama4Patches = turnedPatches([768, 34, 16], ({ config, warn }) => {
  warn('positions are ropeNd.gridPositions({ grid: [rows, columns], start: 1, suffix: 1 }): the class token stands last');
  const base = config.object('rope_parameters')?.number('rope_theta') ?? config.number('rope_theta') ?? 10000;
  return { base, layout: 'interleaved', order: 'reversed' };
});
