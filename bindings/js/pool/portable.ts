/** A call, its attention and its options as other threads may have them: plain data, and no view of wasm memory. */
import type { Attention } from '../attention.js';
import type { AttentionCallOptions } from '../attention-types.js';
import type { Operands } from '../attention-operands.js';
import type { Core } from '../core.js';
import { type Source, shapeOf } from '../inputs.js';
import { HeapTensor, type Tensor } from '../tensor.js';
import type { Arrays, AttentionPlan, MaskPlan, Shared } from './protocol.js';

/** What an attention is made of, its tensors left out. */
export function planOf(attention: Attention): AttentionPlan {
  const encodings = attention.encodings.map((encoding) => {
    const { weights: _, ...options } = encoding.options as Record<string, unknown>;
    return { id: encoding.id, options: { ...options, name: encoding.name, seed: encoding.seed } };
  });
  return { options: attention.options, encodings };
}

/** What all parts of a call share. */
export function sharedOf(
  attention: Attention,
  { layout, query, key }: Operands,
  options: AttentionCallOptions,
  pass: Pick<Shared, 'backward' | 'withLse'>,
): Shared {
  // The layout and the mask stand apart, and what gates read is cut as the queries are.
  const { mask, layout: _, gateInput: __, ...rest } = options;
  const { heads, kvHeads, headDim, valueDim } = attention;
  return {
    ...pass,
    gated: options.gateInput !== undefined,
    layout,
    extents: { batch: query.batch, heads, kvHeads, qLen: query.length, kLen: key.length, headDim, valueDim },
    options: portable(rest) as object,
    mask: maskOf(mask),
    parameters: attention.encodings.map((encoding) => numbersOf(encoding.parameters)),
  };
}

function numbersOf(parameters: object): Arrays {
  return Object.fromEntries(Object.entries(parameters as Record<string, Tensor>).map(([name, { data }]) => [name, data]));
}

export function maskOf(mask: AttentionCallOptions['mask']): MaskPlan | undefined {
  if (mask === undefined) return undefined;
  const { data, shape } = portable(mask) as { data: ArrayLike<number>; shape: number[] };
  return { data: Array.isArray(data) ? Uint8Array.from(data, Number) : (data as Uint8Array), shape };
}

/** Tensors as { data, shape }, and copies of arrays. */
function portable(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (ArrayBuffer.isView(value)) return (value as Float32Array).slice();
  if (value instanceof HeapTensor) return { data: value.view().slice(), shape: value.shape };
  if (Array.isArray(value)) return value.map(portable);
  if ('data' in value) return { data: portable(value.data), shape: shapeOf(value, 'options') };
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, portable(each)]));
}

/** The numbers of a tensor that was read, where they stand. */
export function numbersIn(core: Core, { data, address, size }: Source): Float32Array {
  return data ?? core.views.f32.subarray(address >>> 2, (address >>> 2) + size);
}

/** The memory of arrays, to be handed over. */
export function buffersOf(arrays: Arrays): Transferable[] {
  return Object.values(arrays).map(({ buffer }) => buffer as ArrayBuffer);
}
