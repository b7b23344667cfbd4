// Reading and placing what a call of attention is given, beside its tensors.
import type { AttentionCallOptions, ScoreStage } from './attention-types.js';
import type { Core } from './core.js';
import { Encoding } from './encoding.js';
import { PosencError, describe } from './errors.js';
import type { AttentionCall } from './generated/calls.js';
import type { HeadExtents, Layout } from './heads.js';
import { type Source, type TensorLike, expectShape, place, readTensor } from './inputs.js';
import { checkOptions } from './options.js';
import { type NumberArray, noPositions } from './positions.js';
import { isFloat32Array } from './tensor.js';

/** @internal */
export const callOptions: readonly string[] = [
  'layout', 'mask', 'keyLengths', 'qOffset', 'segments', 'sinks', 'global', 'positions', 'relations', 'logitScale', 'gateInput',
];
const stages: readonly ScoreStage[] = ['raw', 'capped', 'biased', 'weights'];
/** @internal A call of nothing. */
export const idle: AttentionCall = {
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
  maskKind: 0,
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
/** @internal Tensors of a call as they were read, before any is copied. */
export interface Operands {
  readonly layout: Layout;
  readonly q: Source;
  readonly k: Source;
  readonly gateInput: Source | undefined;
  readonly query: HeadExtents;
  readonly key: HeadExtents;
}
/** @internal Options with `causal` by name. */
export function namedCausal(options: object): object {
  const { causal } = options as { causal?: unknown };
  return typeof causal === 'boolean' ? { ...options, causal: causal ? 'bottomRight' : 'off' } : options;
}

/** @internal The index of a stage. */
export function readStage(stage: ScoreStage): number {
  const index = stages.indexOf(stage);
  if (index >= 0) return index;
  const code = typeof stage === 'string' ? 'outOfRange' : 'invalidType';
  throw new PosencError(code, 'stage', describe(stage), `one of ${stages.join(', ')}`);
}

/** @internal */
export function checkEncodings(core: Core, encodings: unknown): readonly Encoding<object>[] {
  if (!Array.isArray(encodings)) {
    throw new PosencError('invalidType', 'encodings', describe(encodings), 'an array of encodings');
  }
  const names = new Set<string>();
  encodings.forEach((encoding: unknown, index) => {
    const parameter = `encodings[${index}]`;
    if (!(encoding instanceof Encoding)) {
      throw new PosencError('invalidType', parameter, describe(encoding), 'an encoding that posenc made');
    }
    encoding.coreOf(parameter, core);
    if (names.has(encoding.name)) {
      throw new PosencError('outOfRange', `${parameter}.name`, describe(encoding.name), 'a name that no other encoding here has');
    }
    names.add(encoding.name);
  });
  return Object.freeze([...(encodings as Encoding<object>[])]);
}

export function expectBatch(a: HeadExtents, b: HeadExtents, source: Source): void {
  if (a.batch === b.batch) return;
  throw new PosencError('shapeMismatch', source.parameter, `${b.batch} batch rows`, `${a.batch}, as many as the queries have`);
}

/** A number per head in wasm memory; 0 where they were not given. */
export function placeScales(core: Core, scales: TensorLike | Float32Array | undefined, heads: number): number {
  if (scales === undefined) return 0;
  const source = readTensor(core, isFloat32Array(scales) ? { data: scales, shape: [scales.length] } : scales, 'logitScale');
  if (source.size !== heads) throw new PosencError('shapeMismatch', 'logitScale', `${source.size} numbers`, `${heads}, one per head`);
  return place(core, source);
}

export function splitSegments(segments: AttentionCallOptions['segments']): { q?: NumberArray; k?: NumberArray } {
  if (segments === undefined) return {};
  if (Array.isArray(segments) || ArrayBuffer.isView(segments)) return { q: segments as NumberArray, k: segments as NumberArray };
  checkOptions(segments, ['q', 'k'], 'segments');
  const { q, k } = segments as { q: NumberArray; k: NumberArray };
  if (q === undefined || k === undefined) {
    throw new PosencError('missingOption', `segments.${q === undefined ? 'q' : 'k'}`, 'nothing', 'segments of both queries and keys');
  }
  return { q, k };
}

export function splitGlobal(global: AttentionCallOptions['global']): { q?: NumberArray; k?: NumberArray } {
  if (global === undefined) return {};
  if (Array.isArray(global) || ArrayBuffer.isView(global)) return { q: global as NumberArray, k: global as NumberArray };
  checkOptions(global, ['q', 'k'], 'global');
  return global as { q?: NumberArray; k?: NumberArray };
}

export function readSinks(core: Core, sinks: TensorLike | Float32Array, heads: number): Source {
  const source = readTensor(core, isFloat32Array(sinks) ? { data: sinks, shape: [sinks.length] } : sinks, 'sinks');
  expectShape(source, [heads], 'heads');
  return source;
}

/** One number for all rows, or one each. */
export function perRow(value: number | NumberArray | undefined, batch: number): NumberArray | undefined {
  return typeof value === 'number' ? new Array<number>(batch).fill(value) : value;
}

/** Numbers of one row, repeated for the others. */
export function eachRow(values: NumberArray | undefined, length: number, batch: number): NumberArray | undefined {
  if (values === undefined || batch === 1 || values.length !== length) return values;
  return Array.from({ length: batch }, () => Array.from(values as ArrayLike<number>)).flat();
}
