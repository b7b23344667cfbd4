import { PosencError, describe } from './errors.js';
import type { Source } from './inputs.js';
import { shapeText } from './shape.js';

/** How heads lie in a tensor: 'heads' [.., heads, seq, dim] or 'packed' [.., seq, heads · dim]. */
export type Layout = 'heads' | 'packed';

/** @internal */
export function readLayout(layout: unknown): Layout {
  if (layout === undefined || layout === 'heads') return 'heads';
  if (layout === 'packed') return 'packed';
  const code = typeof layout === 'string' ? 'outOfRange' : 'invalidType';
  throw new PosencError(code, 'layout', describe(layout), "'heads' or 'packed'");
}

/** @internal Extents of a tensor of heads; `leading` are the axes in front, whose product is `batch`. */
export interface HeadExtents {
  readonly leading: readonly number[];
  readonly batch: number;
  readonly heads: number;
  readonly length: number;
}

/** @internal The shape of a tensor with the same heads and length, `dim` wide. */
export function joinHeads({ leading, heads, length }: HeadExtents, layout: Layout, dim: number): number[] {
  return layout === 'packed' ? [...leading, length, heads * dim] : [...leading, heads, length, dim];
}

/**
 * @internal Reads [.., heads, seq, dim] or [.., seq, heads · dim], where `dim` is known and, if given, `heads`.
 * Without a number of heads, 'heads' may be [seq, dim] as well.
 */
export function splitHeads(source: Source, layout: Layout, dim: number, heads?: number): HeadExtents {
  const { shape, parameter } = source;
  const last = shape[shape.length - 1] ?? 0;
  const axes = layout === 'packed' || (heads === undefined && shape.length === 2) ? 2 : 3;
  const found = layout === 'packed' ? last / dim : axes === 2 ? 1 : (shape[shape.length - 3] ?? 0);
  const width = layout === 'packed' ? found * dim : dim;
  const fits = shape.length >= axes && last === width && Number.isInteger(found) && (heads === undefined || found === heads);
  if (!fits || (layout === 'packed' && found === 0)) {
    const allowed = layout === 'packed' ? `[.., seq, ${heads === undefined ? `a multiple of ${dim}` : heads * dim}]` : `[.., ${heads ?? 'heads'}, seq, ${dim}]`;
    throw new PosencError('shapeMismatch', parameter, `shape ${shapeText(shape)}`, allowed);
  }
  const leading = shape.slice(0, shape.length - axes);
  return {
    leading,
    batch: leading.reduce((product, extent) => product * extent, 1),
    heads: found,
    length: shape[shape.length - 2] ?? 0,
  };
}
