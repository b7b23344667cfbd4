// Tables at the input: a row per position of a text, per patch of a picture or of a film, per coordinate of a box.
import type { StackContext } from './stack.js';
import type { EncodingChoice } from './types.js';

/** How released code numbers the rows of its table. */
export interface TableForm {
  /** Positions count the tokens that are no padding, from pad_token_id + 1 (RoBERTa). */
  readonly padded?: boolean;
  /** Rows in front of that of position 0 (2 in OPT and BART). */
  readonly offset?: number;
  /** The field with the width of a row, where it is not that of the embeddings. */
  readonly width?: string;
  /** Class tokens in front of the patches, with rows of their own; default 1. */
  readonly prefix?: number;
}

/** A table of max_position_embeddings rows, for `Stack.input`. */
export function learnedTable(form: TableForm = {}): (context: StackContext) => readonly EncodingChoice[] {
  return ({ config, hiddenSize, maxPositions, warn }) => {
    // ALBERT and ELECTRA have narrower embeddings than layers.
    const dim = config.integer(form.width ?? 'embedding_size') ?? hiddenSize;
    if (dim === undefined || maxPositions === undefined) {
      return [{ id: 'learned', name: 'learned', options: null, about: 'a learned table whose size the config does not say' }];
    }
    const padding = form.padded ? (config.integer('pad_token_id') ?? 1) : undefined;
    if (padding !== undefined) {
      warn(`positions count the tokens that are no padding, from ${padding + 1}; padding has position ${padding}`);
    }
    const options = {
      dim,
      maxLength: maxPositions,
      ...(form.offset === undefined ? {} : { offset: form.offset }),
      ...(padding === undefined ? {} : { paddingIndex: padding }),
    };
    const about = 'a learned table of positions';
    return [{ id: 'learned', name: 'learned', options, ...(padding === undefined ? {} : { offset: padding + 1 }), about }];
  };
}

/** A table of image_size / patch_size patches each way, for `Stack.input`. */
export function patchTable(form: TableForm = {}): (context: StackContext) => readonly EncodingChoice[] {
  return ({ config, hiddenSize }) => {
    const image = side(config.value('image_size')) ?? [224, 224];
    const patch = side(config.value('patch_size')) ?? [16, 16];
    if (hiddenSize === undefined) {
      return [{ id: 'gridLearned', name: 'gridLearned', options: null, about: 'a learned table whose width the config does not say' }];
    }
    const [rows, cols] = [Math.floor(image[0] / patch[0]), Math.floor(image[1] / patch[1])];
    const options = { dim: hiddenSize, kind: 'grid', rows, cols, prefix: form.prefix ?? 1 };
    return [{ id: 'gridLearned', name: 'gridLearned', options, about: 'a learned table of patches' }];
  };
}

const grid = ({ config }: StackContext, image: readonly [number, number] = [224, 224], patch = 16): readonly [number, number] => {
  const size = side(config.value('image_size')) ?? image;
  const [height, width] = side(config.value('patch_size')) ?? [patch, patch];
  return [Math.floor(size[0] / height), Math.floor(size[1] / width)];
};

const widthOf = ({ config, hiddenSize }: StackContext): number => {
  if (hiddenSize === undefined) throw config.missing(['hidden_size'], 'the width of the embeddings');
  return hiddenSize;
};

function choice(id: string, options: Readonly<Record<string, unknown>>, about: string): readonly EncodingChoice[] {
  return [{ id, name: id, options, about }];
}

/** Idefics 2 and 3: a picture of another size takes the row of the nearest patch before it. */
export function nearestPatches(context: StackContext): readonly EncodingChoice[] {
  const [rows, cols] = grid(context, [224, 224], 32);
  const options = { dim: widthOf(context), kind: 'grid', rows, cols, prefix: 0, resample: { mode: 'nearest' } };
  return choice('gridLearned', options, 'a learned table of patches, which pictures of other sizes read by nearest place');
}

/** YOLOS: class token, patches, and then the tokens that detect. */
export function withDetections(context: StackContext): readonly EncodingChoice[] {
  const [rows, cols] = grid(context, [512, 864]);
  const tokens = context.config.integer('num_detection_tokens') ?? 100;
  context.warn('the table is that of pictures of image_size; for others its patches, rows 1 to the last but the detection tokens, are resampled');
  const options = { dim: widthOf(context), maxLength: 1 + rows * cols + tokens };
  return choice('learned', options, `a learned row for the class token, ${rows} x ${cols} patches and ${tokens} detection tokens`);
}

/** TimeSformer: tables of space and time, all frames of a patch together. */
export function frameTable(context: StackContext): readonly EncodingChoice[] {
  const [rows, cols] = grid(context);
  const options = { dim: widthOf(context), rows, cols, prefix: 1, resample: { mode: 'nearest' } };
  if ((context.config.text('attention_type') ?? 'divided_space_time') === 'space_only') {
    return choice('gridLearned', { ...options, kind: 'grid' }, 'a learned table of patches');
  }
  const frames = context.config.integer('num_frames') ?? 8;
  return choice('gridLearned', { ...options, kind: 'spaceTime', frames }, 'learned tables of patches and of frames');
}

/** ViViT: one table over all tubes of a film, frame by frame, after the class token. */
export function framePatches(context: StackContext): readonly EncodingChoice[] {
  const [frames = 2, height = 16, width = 16] = context.config.numbers('tubelet_size') ?? [];
  const [imageHeight, imageWidth] = side(context.config.value('image_size')) ?? [224, 224];
  const count = Math.floor((context.config.integer('num_frames') ?? 32) / frames);
  const [rows, cols] = [Math.floor(imageHeight / height), Math.floor(imageWidth / width)];
  const options = { dim: widthOf(context), maxLength: 1 + count * rows * cols };
  return choice('learned', options, `a learned row for the class token and each of ${count} x ${rows} x ${cols} tubes`);
}

/** AST: patches of frequency and time, which overlap, after two tokens. */
export function soundPatches(context: StackContext): readonly EncodingChoice[] {
  const { config } = context;
  const patch = config.integer('patch_size') ?? 16;
  const places = (size: number, stride: number) => Math.floor((size - patch) / stride) + 1;
  const rows = places(config.integer('num_mel_bins') ?? 128, config.integer('frequency_stride') ?? 10);
  const cols = places(config.integer('max_length') ?? 1024, config.integer('time_stride') ?? 10);
  return choice('gridLearned', { dim: widthOf(context), kind: 'grid', rows, cols, prefix: 2 }, 'a learned table of patches, frequency by time');
}

/** MAE: sines of column and row; the class token has a row of zeros. */
export function sinePatches(context: StackContext): readonly EncodingChoice[] {
  const [rows, cols] = grid(context);
  context.warn(`rows are those of encode([${rows}, ${cols}]); the class token in front has a row of zeros, and the decoder a table of its own width`);
  return choice('grid', { dim: widthOf(context), layout: 'concat', order: 'reversed' }, 'fixed sines of patches, columns first');
}

/** VideoMAE: sines of the number of the patch, frame by frame. */
export function sineFrames(context: StackContext): readonly EncodingChoice[] {
  const options = { dim: widthOf(context), layout: 'interleaved', exponent: 'paper' };
  return choice('sinusoidal', options, "fixed sines of the patch's number, counted frame by frame");
}

/** wav2vec 2.0: a grouped convolution over time with GELU, added to its input. */
export function timeFilters(context: StackContext): readonly EncodingChoice[] {
  const { config } = context;
  const kernel = config.integer('num_conv_pos_embeddings') ?? 128;
  const groups = config.integer('num_conv_pos_embedding_groups') ?? 16;
  const options = { dim: widthOf(context), axes: 1, kernel, groups, activation: 'gelu' };
  return choice('conv', options, 'a grouped convolution over time, added to its input');
}

/** LayoutLM: vectors of the coordinates of a box, added up. */
export function boxSum(context: StackContext): readonly EncodingChoice[] {
  const maxPosition = context.config.integer('max_2d_position_embeddings') ?? 1024;
  return choice('box', { dim: widthOf(context), combine: 'sum', maxPosition }, 'learned tables of the coordinates of a box, added up');
}

/** LayoutLMv2 and v3: the same side by side. */
export function boxConcat(context: StackContext): readonly EncodingChoice[] {
  const { config } = context;
  const coordinateSize = config.integer('coordinate_size') ?? 128;
  const shapeSize = config.integer('shape_size') ?? 128;
  const maxPosition = config.integer('max_2d_position_embeddings') ?? 1024;
  const options = { dim: 4 * coordinateSize + 2 * shapeSize, combine: 'concat', coordinateSize, shapeSize, maxPosition };
  return choice('box', options, 'learned tables of the coordinates of a box, side by side');
}

/** A size as a number or as height and width. */
function side(value: unknown): [number, number] | undefined {
  if (typeof value === 'number') return [value, value];
  if (!Array.isArray(value)) return undefined;
  const [height, width] = value as readonly unknown[];
  return typeof height === 'number' ? [height, typeof width === 'number' ? width : height] : undefined;
}
