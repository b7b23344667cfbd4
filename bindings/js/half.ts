import type { Core } from './core.js';
import { PosencError, describe } from './errors.js';
import { type Out, Target, type TensorLike, place, readTensor } from './inputs.js';
import { type Shape, readShape } from './shape.js';
import { type Tensor, arrayTag, checkLength } from './tensor.js';

/** A 16-bit float: IEEE 754 binary16, or bfloat16 (the upper half of a 32-bit float). */
export type HalfFormat = 'f16' | 'bf16';

/** The bits of 16-bit floats with their shape. */
export interface HalfTensor {
  /** Bits, row by row. */
  readonly data: Uint16Array;
  /** Extents, outermost first. */
  readonly shape: Shape;
}

/** @internal */
export function fromHalf<Into extends Out = Tensor>(
  core: Core,
  bits: Uint16Array,
  shape: Shape,
  format: HalfFormat,
  into: Into | undefined,
): Into {
  const tag = arrayTag(bits);
  if (tag !== 'Uint16Array' && tag !== 'Float16Array') {
    throw new PosencError('invalidType', 'bits', describe(bits), 'a Uint16Array');
  }
  const extents = readShape(shape, 'shape');
  checkLength(bits, extents, 'bits');
  const bfloat = isBfloat(format);
  core.begin();
  try {
    const target = new Target(core, into, extents);
    const from = core.take(2 * bits.length, 'bits');
    const out = target.begin();
    core.views.u16.set(new Uint16Array(bits.buffer, bits.byteOffset, bits.length), from >>> 1);
    core.wasm._posenc_from_half(from, bits.length, bfloat, out);
    return target.finish();
  } finally {
    core.end();
  }
}

/** @internal */
export function toHalf(core: Core, tensor: TensorLike, format: HalfFormat): HalfTensor {
  const bfloat = isBfloat(format);
  core.begin();
  try {
    const source = readTensor(core, tensor, 'tensor');
    const from = place(core, source);
    const out = core.take(2 * source.size, 'tensor');
    core.wasm._posenc_to_half(from, source.size, bfloat, out);
    return { data: core.views.u16.slice(out >>> 1, (out >>> 1) + source.size), shape: [...source.shape] };
  } finally {
    core.end();
  }
}

function isBfloat(format: unknown): 0 | 1 {
  if (format === 'f16') return 0;
  if (format === 'bf16') return 1;
  const code = typeof format === 'string' ? 'outOfRange' : 'invalidType';
  throw new PosencError(code, 'format', describe(format), "'f16' or 'bf16'");
}
