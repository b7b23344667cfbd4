// The frame of a call of attention: its options, read and placed in wasm memory.
import type { AttentionCallOptions } from './attention-types.js';
import type { KvCache } from './cache.js';
import type { CallTensors } from './call-tensors.js';
import type { Core } from './core.js';
import type { Encoding } from './encoding.js';
import { PosencError } from './errors.js';
import type { AttentionCall } from './generated/calls.js';
import { MaskKind } from './generated/names.js';
import type { HeadExtents, Layout } from './heads.js';
import { place } from './inputs.js';
import { placeIntegers } from './integers.js';
import { checkOptions } from './options.js';
import { type NumberArray, noPositions, readAnyPositions } from './positions.js';
import { placeRelationRecords } from './relations.js';

/** A call of nothing. */
const idle: AttentionCall = {
  attention: 0,
  batch: 0,
  qLen: 0,
  kLen: 0,
  packed: 0,
  firstHead: 0,
  headCount: 0,
  q: 0,
  k: 0,
  v: 0,
  maskKind: MaskKind.none,
  maskRank: 0,
  mask: 0,
  maskShape: 0,
  keyLengths: 0,
  queryOffsets: 0,
  querySegments: 0,
  keySegments: 0,
  queryGlobal: 0,
  keyGlobal: 0,
  sinks: 0,
  query: noPositions,
  key: noPositions,
  relations: 0,
  logitScale: 0,
  gateInput: 0,
  stage: 0,
  out: 0,
  lse: 0,
  cache: 0,
  dOut: 0,
  dq: 0,
  dk: 0,
  dv: 0,
  dGateInput: 0,
  dMask: 0,
  dLogitScale: 0,
  dSinks: 0,
  gradients: 0,
  eachHead: 0,
};

/** @internal What a call takes from the attention that is called. */
export interface Called {
  readonly address: number;
  readonly axes: number;
  readonly heads: number;
  readonly kvHeads: number;
  readonly headDim: number;
  readonly valueDim: number;
  readonly encodings: readonly Encoding<object>[];
}

/** @internal How the rows of a call lie. */
export interface CallRows {
  readonly layout: Layout;
  readonly query: HeadExtents;
  readonly key: HeadExtents;
}

/** @internal Copies the options of a call: its frame but for its tensors. */
export function frameOf(
  core: Core,
  attention: Called,
  { layout, query, key }: CallRows,
  options: (AttentionCallOptions & { readonly cache?: KvCache }) | undefined,
  { mask, sinks, logitScale }: CallTensors,
  axes: number = attention.axes,
): AttentionCall {
  const { keyLengths, qOffset, segments, global, positions, relations, cache } = options ?? {};
  const { batch } = query;
  checkOptions(positions, ['q', 'k'], 'positions');
  const keys = cache === undefined ? key.length : cache.lengthAfter(key.length, keyLengths);
  const { q: querySegments, k: keySegments } = splitSegments(segments);
  const { q: queryGlobal, k: keyGlobal } = splitSides(global, 'global');
  return {
    ...idle,
    attention: attention.address,
    batch,
    qLen: query.length,
    kLen: key.length,
    packed: layout === 'packed' ? 1 : 0,
    maskKind: mask.maskKind,
    maskRank: mask.maskRank,
    mask: mask.mask,
    maskShape: mask.maskShape,
    keyLengths: placeIntegers(core, keyLengths, batch, 'keyLengths'),
    queryOffsets: placeIntegers(core, perRow(qOffset, batch), batch, 'qOffset'),
    querySegments: placeIntegers(core, eachRow(querySegments, query.length, batch), batch * query.length, 'segments.q'),
    keySegments: placeIntegers(core, eachRow(keySegments, keys, batch), batch * keys, 'segments.k'),
    queryGlobal: placeIntegers(core, eachRow(queryGlobal, query.length, batch), batch * query.length, 'global.q'),
    keyGlobal: placeIntegers(core, eachRow(keyGlobal, keys, batch), batch * keys, 'global.k'),
    sinks: sinks === undefined ? 0 : place(core, sinks),
    query: positions?.q === undefined ? noPositions : readAnyPositions(core, positions.q, query.length, batch, axes, 'positions.q'),
    key: positions?.k === undefined ? noPositions : readAnyPositions(core, positions.k, key.length, batch, axes, 'positions.k'),
    relations: placeRelationRecords(core, attention.encodings, relations, { queries: query.length, keys, batch }),
    logitScale: logitScale === undefined ? 0 : place(core, logitScale),
  };
}

/** What is given for queries and keys apart, or once for both. */
function splitSides(value: NumberArray | { q?: NumberArray; k?: NumberArray } | undefined, parameter: string): { q?: NumberArray; k?: NumberArray } {
  if (Array.isArray(value) || ArrayBuffer.isView(value)) return { q: value as NumberArray, k: value as NumberArray };
  checkOptions(value, ['q', 'k'], parameter);
  return (value ?? {}) as { q?: NumberArray; k?: NumberArray };
}

function splitSegments(segments: AttentionCallOptions['segments']): { q?: NumberArray; k?: NumberArray } {
  const sides = splitSides(segments, 'segments');
  const missing = (['q', 'k'] as const).find((side) => segments !== undefined && sides[side] === undefined);
  if (missing === undefined) return sides;
  throw new PosencError('missingOption', `segments.${missing}`, 'nothing', 'segments of both queries and keys');
}

/** One number for all rows, or one each. */
function perRow(value: number | NumberArray | undefined, batch: number): NumberArray | undefined {
  return typeof value === 'number' ? new Array<number>(batch).fill(value) : value;
}

/** Numbers of one row, repeated for the others. */
function eachRow(values: NumberArray | undefined, length: number, batch: number): NumberArray | undefined {
  if (values === undefined || batch === 1 || values.length !== length) return values;
  return Array.from({ length: batch }, () => Array.from(values as ArrayLike<number>)).flat();
}
