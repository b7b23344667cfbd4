// Reading and placing what a call of a layer is given: its tokens and their positions.
import type { Attention } from './attention.js';
import { frameOf } from './attention-frame.js';
import type { QueryKeyPositions } from './bias.js';
import type { KvCache } from './cache.js';
import type { CallTensors } from './call-tensors.js';
import type { Core } from './core.js';
import { PosencError, describe } from './errors.js';
import { type AttentionCall, type LayerCall, type PositionRows, attentionCallBytes, writeAttentionCall, writeLayerCall } from './generated/calls.js';
import type { HeadExtents } from './heads.js';
import { type Source, type TensorLike, place, readTensor } from './inputs.js';
import type { LayerCallOptions } from './layer-types.js';
import { checkOptions } from './options.js';
import { type Positions, noPositions, readAnyPositions, readGrid } from './positions.js';
import { shapeText } from './shape.js';

/** A call of nothing. */
const idle: LayerCall = {
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

/** @internal Reads the tokens that queries are made from, and those of keys and values where they are others. */
export function readTokens(
  core: Core,
  { dim, contextDim, heads, kvHeads }: { dim: number; contextDim: number; heads: number; kvHeads: number },
  x: TensorLike,
  context: TensorLike | undefined,
): Operands {
  const source = readTensor(core, x, 'x');
  const query = tokensOf(source, dim, heads);
  if (context === undefined) return { x: source, context: undefined, query, key: { ...query, heads: kvHeads } };
  const other = readTensor(core, context, 'context');
  const key = tokensOf(other, contextDim, kvHeads);
  if (key.batch !== query.batch) {
    throw new PosencError('shapeMismatch', 'context', `${key.batch} batch rows`, `${query.batch}, as many as x has`);
  }
  return { x: source, context: other, query, key };
}

/** [.., seq, width], for that many heads. */
function tokensOf({ shape, parameter }: Source, width: number, heads: number): HeadExtents {
  if (shape.length < 2 || shape[shape.length - 1] !== width) {
    throw new PosencError('shapeMismatch', parameter, `shape ${shapeText(shape)}`, `[.., seq, ${width}]`);
  }
  const leading = shape.slice(0, -2);
  return { leading, batch: leading.reduce((product, extent) => product * extent, 1), heads, length: shape[shape.length - 2] ?? 0 };
}

/** Positions of queries and keys apart, or the same for both in self-attention and for x in cross-attention. */
function splitPositions(positions: Positions | QueryKeyPositions | undefined, cross: boolean, parameter: string): QueryKeyPositions {
  if (positions === undefined) return {};
  const isPair = typeof positions === 'object' && positions !== null && ('q' in positions || 'k' in positions);
  if (isPair) {
    checkOptions(positions, ['q', 'k'], parameter);
    return positions as QueryKeyPositions;
  }
  const both = positions as Positions;
  return cross ? { q: both } : { q: both, k: both };
}

/** @internal What the frames of a call say of the layer. */
export interface CalledLayer {
  readonly address: number;
  readonly attention: Attention;
  /** Coordinates of the positions that its input encodings take. */
  readonly inputAxes: number;
}

type Options = (LayerCallOptions & { readonly cache?: KvCache }) | undefined;

/** @internal Copies the tokens and the options, and writes both frames: the layer's, and its attention's. */
export function writeCall(
  core: Core,
  layer: CalledLayer,
  operands: Operands,
  options: Options,
  tensors: CallTensors,
  places: Partial<LayerCall>,
  ofAttention: Partial<AttentionCall>,
): void {
  const { call, frame } = placeCall(core, layer, operands, options, tensors);
  const attention = core.take(attentionCallBytes, 'options');
  writeAttentionCall({ frame: attention, views: core.views }, { ...frame, ...ofAttention });
  writeLayerCall(core, { ...call, ...places, attention });
}

function placeCall(
  core: Core,
  layer: CalledLayer,
  operands: Operands,
  options: Options,
  tensors: CallTensors,
): { call: LayerCall; frame: AttentionCall } {
  const { attention, inputAxes } = layer;
  const { query, key } = operands;
  const inAttention = attention.encodings.some(({ family }) => family !== 'none');
  const axes = inAttention ? attention.axes : inputAxes;
  const cross = operands.context !== undefined;
  const positions = splitPositions(options?.positions, cross, 'positions');
  const own = splitPositions(options?.inputPositions, cross, 'inputPositions');
  const rows = (given: Positions | undefined, { length, batch }: HeadExtents, side: string): PositionRows =>
    given === undefined ? noPositions : readAnyPositions(core, given, length, batch, inputAxes, `inputPositions.${side}`);
  const grid = readCells(core, layer, query, options);
  const frame = frameOf(core, attention, { layout: 'packed', query, key }, { ...options, positions }, tensors, axes);
  const inGrid = grid.present === 1 && inAttention && grid.axes === axes ? { query: grid, ...(cross ? {} : { key: grid }) } : {};
  const call: LayerCall = {
    ...idle,
    layer: layer.address,
    x: place(core, operands.x),
    // An empty context still is one.
    context: operands.context === undefined ? 0 : place(core, operands.context) || core.take(4, 'context'),
    xPositions: grid.present === 1 ? grid : rows(own.q, query, 'q'),
    contextPositions: rows(own.k, key, 'k'),
  };
  return { call, frame: { ...frame, ...inGrid } };
}

/** The cells of a grid that x is. */
function readCells(core: Core, { attention, inputAxes }: CalledLayer, { length }: HeadExtents, options: LayerCallOptions | undefined): PositionRows {
  if (options?.grid === undefined) return noPositions;
  const { positions, inputPositions, grid } = options;
  if (positions !== undefined || inputPositions !== undefined) {
    throw new PosencError('unsupported', 'grid', describe(grid), 'a grid or positions');
  }
  const { rows } = readGrid(core, grid, Math.max(inputAxes, attention.axes), 'grid');
  if (rows.count === length) return rows;
  throw new PosencError('shapeMismatch', 'grid', `${shapeText(grid)}, ${rows.count} cells`, `a grid of ${length} cells, one per token`);
}
