// Learned tables at the input: a row per position of a text, or per patch of an image.
import type { StackContext } from './stack.js';
import type { EncodingChoice } from './types.js';

/** How released code numbers the rows of its table. */
export interface TableForm {
  /** Positions count the tokens that are no padding, from pad_token_id + 1 (RoBERTa). */
  readonly padded?: boolean;
  /** Rows in front of that of position 0 (2 in OPT and BART). */
  readonly offset?: number;
  /** Class tokens in front of the patches, with rows of their own; default 1. */
  readonly prefix?: number;
}

/** A table of max_position_embeddings rows, for `Stack.input`. */
export function learnedTable(form: TableForm = {}): (context: StackContext) => readonly EncodingChoice[] {
  return ({ config, hiddenSize, maxPositions, warn }) => {
    // ALBERT and ELECTRA have narrower embeddings than layers.
    const dim = config.integer('embedding_size') ?? hiddenSize;
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

/** A size as a number or as height and width. */
function side(value: unknown): [number, number] | undefined {
  if (typeof value === 'number') return [value, value];
  if (!Array.isArray(value)) return undefined;
  const [height, width] = value as readonly unknown[];
  return typeof height === 'number' ? [height, typeof width === 'number' ? width : height] : undefined;
}
