// Reading what a call of a layer is given: its tokens and their positions.
import type { QueryKeyPositions } from './bias.js';
import { PosencError } from './errors.js';
import type { LayerCall } from './generated/calls.js';
import type { HeadExtents } from './heads.js';
import type { Source } from './inputs.js';
import { checkOptions } from './options.js';
import { type Positions, noPositions } from './positions.js';
import { shapeText } from './shape.js';

/** @internal A call of nothing. */
export const idle: LayerCall = {
  layer: 0,
  attention: 0,
  x: 0,
  context: 0,
  xPositions: noPositions,
  contextPositions: noPositions,
  out: 0,
  attended: 0,
  dOut: 0,
  dx: 0,
  dContext: 0,
  gradients: 0,
};

/** @internal Tokens of a call as they were read, before any is copied. */
export interface Operands {
  readonly x: Source;
  readonly context: Source | undefined;
  readonly query: HeadExtents;
  readonly key: HeadExtents;
}

/** @internal [.., seq, width], for that many heads. */
export function tokensOf({ shape, parameter }: Source, width: number, heads: number): HeadExtents {
  if (shape.length < 2 || shape[shape.length - 1] !== width) {
    throw new PosencError('shapeMismatch', parameter, `shape ${shapeText(shape)}`, `[.., seq, ${width}]`);
  }
  const leading = shape.slice(0, -2);
  return { leading, batch: leading.reduce((product, extent) => product * extent, 1), heads, length: shape[shape.length - 2] ?? 0 };
}

/** @internal Positions of queries and keys apart, or the same for both in self-attention and for x in cross-attention. */
export function splitPositions(positions: Positions | QueryKeyPositions | undefined, cross: boolean, parameter: string): QueryKeyPositions {
  if (positions === undefined) return {};
  const isPair = typeof positions === 'object' && positions !== null && ('q' in positions || 'k' in positions);
  if (isPair) {
    checkOptions(positions, ['q', 'k'], parameter);
    return positions as QueryKeyPositions;
  }
  const both = positions as Positions;
  return cross ? { q: both } : { q: both, k: both };
}
