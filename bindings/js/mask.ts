import type { Core } from './core.js';
import { PosencError, describe } from './errors.js';
import { MaskKind } from './generated/names.js';
import { type Shaped, type Source, place, readTensor, shapeOf, shapedData } from './inputs.js';
import type { Shape } from './shape.js';
import { HeapTensor, type Tensor, arrayTag, checkLength, everyItem, isFloat32Array } from './tensor.js';

/**
 * A mask of rank 1 to 4, broadcast from the right to [batch, heads, qLen, kLen]; rank 3 is [heads, qLen, kLen].
 * Booleans (true or 1: takes part), or floats that are added to the scores (-Infinity: hidden). The last axis may be
 * shorter than kLen: the keys beyond it are hidden.
 */
export type MaskLike =
  | Shaped<Uint8Array | Uint8ClampedArray | readonly boolean[]>
  | Shaped<Float32Array>
  | Tensor
  | HeapTensor;

/** @internal A mask in wasm memory, as call frames have it. */
export interface PlacedMask {
  readonly maskKind: MaskKind;
  readonly maskRank: number;
  readonly mask: number;
  readonly maskShape: number;
  readonly shape: Shape;
  readonly additive: boolean;
  /** Of one that is added: outputs must not overlap it. */
  readonly source?: Source;
}

/** @internal */
export function placeMask(core: Core, mask: MaskLike | undefined): PlacedMask {
  if (mask === undefined) return { maskKind: MaskKind.none, maskRank: 0, mask: 0, maskShape: 0, shape: [], additive: false };
  const data = mask instanceof HeapTensor ? undefined : shapedData(mask, 'mask', 'a mask: { data, shape }');
  if (mask instanceof HeapTensor || isFloat32Array(data)) {
    const source = readTensor(core, mask as Tensor | HeapTensor, 'mask');
    return { ...described(core, MaskKind.additive, place(core, source), source.shape), source };
  }
  const values = booleans(core, data);
  const shape = shapeOf(mask, 'mask');
  checkLength(values, shape, 'mask');
  const address = core.take(values.length, 'mask');
  core.views.u8.set(values, address);
  return described(core, MaskKind.boolean, address, shape);
}

function described(core: Core, maskKind: MaskKind, mask: number, shape: Shape): PlacedMask {
  const maskShape = core.take(4 * shape.length, 'mask');
  core.views.i32.set(shape, maskShape >>> 2);
  return { maskKind, maskRank: shape.length, mask, maskShape, shape, additive: maskKind === MaskKind.additive };
}

function booleans(core: Core, data: unknown): ArrayLike<number> & { buffer?: ArrayBufferLike } {
  const tag = arrayTag(data);
  if (tag === 'Uint8Array' || tag === 'Uint8ClampedArray') {
    const bytes = data as Uint8Array;
    return bytes.buffer === core.memory.buffer ? bytes.slice() : bytes;
  }
  if (!Array.isArray(data) || !everyItem(data, (value) => typeof value === 'boolean')) {
    throw new PosencError('invalidType', 'mask.data', describe(data), 'booleans: a Uint8Array or boolean[]; or a Float32Array');
  }
  return Uint8Array.from(data, Number);
}
