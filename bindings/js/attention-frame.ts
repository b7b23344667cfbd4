// The frame of a call of attention: its options, read and placed in wasm memory.
import type { Operands } from './attention-call.js';
import type { AttentionCallOptions } from './attention-types.js';
import type { KvCache } from './cache.js';
import type { Core } from './core.js';
import type { Encoding } from './encoding.js';
import { PosencError } from './errors.js';
import type { AttentionCall } from './generated/calls.js';
import { MaskKind } from './generated/names.js';
import { type Source, type TensorLike, expectShape, place, readTensor } from './inputs.js';
import type { PlacedMask } from './mask.js';
import { checkOptions } from './options.js';
import { type NumberArray, noPositions, placeIntegers, readAnyPositions } from './positions.js';
import { placeRelationRecords } from './relations.js';
import { isFloat32Array } from './tensor.js';

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

/** What a frame says of the attention that is called. */
interface Called {
  readonly address: number;
  readonly heads: number;
  readonly axes: number;
  readonly encodings: readonly Encoding<object>[];
}

/** @internal Copies the options of a call: its frame but for its tensors. */
export function frameOf(
  core: Core,
  attention: Called,
  { layout, query, key }: Pick<Operands, 'layout' | 'query' | 'key'>,
  options: (AttentionCallOptions & { readonly cache?: KvCache }) | undefined,
  { maskKind, maskRank, mask, maskShape }: PlacedMask,
  axes: number = attention.axes,
): AttentionCall {
  const { keyLengths, qOffset, segments, sinks, global, positions, relations, logitScale, cache } = options ?? {};
  const { batch } = query;
  checkOptions(positions, ['q', 'k'], 'positions');
  const keys = cache === undefined ? key.length : cache.lengthAfter(key.length, keyLengths);
  const { q: querySegments, k: keySegments } = splitSegments(segments);
  const { q: queryGlobal, k: keyGlobal } = splitGlobal(global);
  return {
    ...idle,
    attention: attention.address,
    batch,
    qLen: query.length,
    kLen: key.length,
    packed: layout === 'packed' ? 1 : 0,
    maskKind,
    maskRank,
    mask,
    maskShape,
    keyLengths: placeIntegers(core, keyLengths, batch, 'keyLengths'),
    queryOffsets: placeIntegers(core, perRow(qOffset, batch), batch, 'qOffset'),
    querySegments: placeIntegers(core, eachRow(querySegments, query.length, batch), batch * query.length, 'segments.q'),
    keySegments: placeIntegers(core, eachRow(keySegments, keys, batch), batch * keys, 'segments.k'),
    queryGlobal: placeIntegers(core, eachRow(queryGlobal, query.length, batch), batch * query.length, 'global.q'),
    keyGlobal: placeIntegers(core, eachRow(keyGlobal, keys, batch), batch * keys, 'global.k'),
    sinks: sinks === undefined ? 0 : place(core, readSinks(core, sinks, attention.heads)),
    query: positions?.q === undefined ? noPositions : readAnyPositions(core, positions.q, query.length, batch, axes, 'positions.q'),
    key: positions?.k === undefined ? noPositions : readAnyPositions(core, positions.k, key.length, batch, axes, 'positions.k'),
    relations: placeRelationRecords(core, attention.encodings, relations, { queries: query.length, keys, batch }),
    logitScale: placeScales(core, logitScale, attention.heads),
  };
}

/** @internal Tensors among the options of a call, which its outputs must not overlap. */
export function optionSources(core: Core, { sinks, logitScale }: Pick<AttentionCallOptions, 'sinks' | 'logitScale'>, heads: number): Source[] {
  return [
    ...(sinks === undefined ? [] : [readSinks(core, sinks, heads)]),
    ...(logitScale === undefined ? [] : [readScales(core, logitScale, heads)]),
  ];
}

function readScales(core: Core, scales: TensorLike | Float32Array, heads: number): Source {
  const source = readTensor(core, isFloat32Array(scales) ? { data: scales, shape: [scales.length] } : scales, 'logitScale');
  if (source.size !== heads) throw new PosencError('shapeMismatch', 'logitScale', `${source.size} numbers`, `${heads}, one per head`);
  return source;
}

/** A number per head in wasm memory; 0 where they were not given. */
function placeScales(core: Core, scales: TensorLike | Float32Array | undefined, heads: number): number {
  return scales === undefined ? 0 : place(core, readScales(core, scales, heads));
}

function splitSegments(segments: AttentionCallOptions['segments']): { q?: NumberArray; k?: NumberArray } {
  if (segments === undefined) return {};
  if (Array.isArray(segments) || ArrayBuffer.isView(segments)) return { q: segments as NumberArray, k: segments as NumberArray };
  checkOptions(segments, ['q', 'k'], 'segments');
  const { q, k } = segments as { q: NumberArray; k: NumberArray };
  if (q === undefined || k === undefined) {
    throw new PosencError('missingOption', `segments.${q === undefined ? 'q' : 'k'}`, 'nothing', 'segments of both queries and keys');
  }
  return { q, k };
}

function splitGlobal(global: AttentionCallOptions['global']): { q?: NumberArray; k?: NumberArray } {
  if (global === undefined) return {};
  if (Array.isArray(global) || ArrayBuffer.isView(global)) return { q: global as NumberArray, k: global as NumberArray };
  checkOptions(global, ['q', 'k'], 'global');
  return global as { q?: NumberArray; k?: NumberArray };
}

function readSinks(core: Core, sinks: TensorLike | Float32Array, heads: number): Source {
  const source = readTensor(core, isFloat32Array(sinks) ? { data: sinks, shape: [sinks.length] } : sinks, 'sinks');
  expectShape(source, [heads], 'heads');
  return source;
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
