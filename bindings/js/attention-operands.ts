// Tensors of a call of attention: read and checked, then placed.
import { type CallRows, type Called, frameOf } from './attention-frame.js';
import type { AttentionCallOptions } from './attention-types.js';
import type { KvCache } from './cache.js';
import type { CallTensors } from './call-tensors.js';
import type { Core } from './core.js';
import { PosencError } from './errors.js';
import type { AttentionCall } from './generated/calls.js';
import { type HeadExtents, readLayout, splitHeads } from './heads.js';
import { type Source, type TensorLike, expectShape, place, readTensor } from './inputs.js';

/** @internal Tensors of a call as they were read, before any is copied. */
export interface Operands extends CallRows {
  readonly q: Source;
  readonly k: Source;
  readonly gateInput: Source | undefined;
}

/** @internal */
export function readOperands(
  core: Core,
  { headDim, heads, kvHeads }: Called,
  q: TensorLike,
  k: TensorLike,
  options: AttentionCallOptions | undefined,
): Operands {
  const layout = readLayout(options?.layout);
  const querySource = readTensor(core, q, 'q');
  const keySource = readTensor(core, k, 'k');
  const query = splitHeads(querySource, layout, headDim, heads);
  const key = splitHeads(keySource, layout, headDim, kvHeads);
  expectBatch(query, key, keySource);
  const gateInput = options?.gateInput === undefined ? undefined : readTensor(core, options.gateInput, 'gateInput');
  if (gateInput !== undefined) expectShape(gateInput, querySource.shape, 'shape of q');
  return { layout, q: querySource, k: keySource, gateInput, query, key };
}

/** @internal */
export function readValue(core: Core, { valueDim, kvHeads }: Called, { layout, key }: Operands, value: TensorLike): Source {
  const source = readTensor(core, value, 'v');
  const extents = splitHeads(source, layout, valueDim, kvHeads);
  expectBatch(key, extents, source);
  if (extents.length !== key.length) {
    throw new PosencError('shapeMismatch', 'v', `${extents.length} values`, `${key.length}, one per key`);
  }
  return source;
}

function expectBatch(a: HeadExtents, b: HeadExtents, source: Source): void {
  if (a.batch === b.batch) return;
  throw new PosencError('shapeMismatch', source.parameter, `${b.batch} batch rows`, `${a.batch}, as many as the queries have`);
}

/** @internal Copies q, k and the options of the call; the frame but for what differs between calls. */
export function placeOperands(
  core: Core,
  attention: Called,
  operands: Operands,
  options: (AttentionCallOptions & { readonly cache?: KvCache }) | undefined,
  tensors: CallTensors,
): AttentionCall {
  const { q, k, gateInput } = operands;
  const frame = frameOf(core, attention, operands, options, tensors);
  return { ...frame, q: place(core, q), k: place(core, k), gateInput: gateInput === undefined ? 0 : place(core, gateInput) };
}
