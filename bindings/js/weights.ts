import type { Core } from './core.js';
import { PosencError, describe } from './errors.js';
import { type Source, type TensorLike, readTensor } from './inputs.js';
import { type Shape, sameShape, shapeText } from './shape.js';
import { Tensor, isFloat32Array } from './tensor.js';
import type { EncodingHandle } from './handles.js';

/** Values for a tensor of an encoding or a layer: of its shape, or flat with as many numbers. */
export type Weight = TensorLike | Float32Array;

/** @internal A trainable tensor as it is laid out. */
export interface TensorSlot {
  readonly name: string;
  readonly shape: Shape;
  readonly size: number;
  readonly trained: boolean;
}

/** @internal */
export function slotsOf(handle: EncodingHandle): TensorSlot[] {
  return Array.from({ length: handle.tensorCount() }, (_, index) => {
    const shape = Array.from({ length: handle.tensorRank(index) }, (_, axis) => handle.tensorExtent(index, axis));
    return {
      name: handle.tensorName(index),
      shape,
      size: shape.reduce((product, extent) => product * extent, 1),
      trained: handle.tensorTrained(index),
    };
  });
}

/** @internal A copy of the tensor with that index. */
export function readSlot(core: Core, handle: EncodingHandle, slot: TensorSlot, index: number): Tensor {
  const first = handle.tensorAddress(index) >>> 2;
  return new Tensor(core.views.f32.slice(first, first + slot.size), slot.shape);
}

/** @internal Bytes of the gradients of the trained tensors, laid one after the other. */
export function gradientBytesOf(slots: readonly TensorSlot[]): number {
  return slots.reduce((bytes, slot) => bytes + (slot.trained ? 4 * slot.size : 0), 0);
}

/** @internal Those gradients as tensors, read from an address on. */
export function readGradients(core: Core, slots: readonly TensorSlot[], address: number): [string, Tensor][] {
  let first = address >>> 2;
  const gradients: [string, Tensor][] = [];
  for (const slot of slots) {
    if (!slot.trained) continue;
    gradients.push([slot.name, new Tensor(core.views.f32.slice(first, first + slot.size), slot.shape)]);
    first += slot.size;
  }
  return gradients;
}

/** @internal Where the values of a name go. */
export interface WeightPlace {
  /** The shape they must have, where it is known. */
  readonly shape: Shape | undefined;
  /** Checks the values, and copies them in where `commit`; gives a status. */
  set(values: number, count: number, commit: boolean): number;
}

/** @internal Sets all of the weights, or changes nothing where one is at fault. */
export function setWeights(
  core: Core,
  weights: { readonly [name: string]: Weight | undefined },
  placeOf: (name: string) => WeightPlace,
): void {
  if (typeof weights !== 'object' || weights === null) {
    throw new PosencError('invalidType', 'weights', describe(weights), 'an object of tensors by name');
  }
  core.begin();
  try {
    const placed = Object.entries(weights).flatMap(([name, value]) => {
      if (value === undefined) return [];
      const place = placeOf(name);
      return [{ name, place, ...placeWeight(core, `weights.${name}`, value, place.shape) }];
    });
    for (const commit of [false, true]) {
      for (const { name, place, address, size } of placed) {
        if (place.set(address, size, commit) === 0) continue;
        const { code, received, allowed } = core.lastError();
        throw new PosencError(code, `weights.${name}`, received, allowed);
      }
    }
  } finally {
    core.end();
  }
}

function placeWeight(core: Core, parameter: string, value: Weight, shape: Shape | undefined): { address: number; size: number } {
  const flat = isFloat32Array(value);
  const source: Source = readTensor(core, flat ? { data: value, shape: [value.length] } : value, parameter);
  if (!flat && shape !== undefined && !sameShape(source.shape, shape)) {
    throw new PosencError('shapeMismatch', parameter, `shape ${shapeText(source.shape)}`, `shape ${shapeText(shape)}`);
  }
  const address = core.take(4 * source.size, parameter);
  const { f32 } = core.views;
  if (source.data === null) f32.copyWithin(address >>> 2, source.address >>> 2, (source.address >>> 2) + source.size);
  else f32.set(source.data, address >>> 2);
  return { address, size: source.size };
}
