import { PosencError } from '../errors.js';
import type { Shape } from '../shape.js';
import type { StoredArray, StoredTensor } from './stored.js';
import { readWritable } from './writable.js';

/** A tensor as calls of the library take it. */
export interface Floats {
  /** The numbers, row by row. */
  readonly data: Float32Array;
  /** Extents, outermost first. */
  readonly shape: Shape;
}

/**
 * A stored tensor as 32-bit floats, without a module: F32 as it is (no copy), F16 and BF16 widened exactly, F64 and whole
 * numbers rounded to the nearest float. 8-bit floats have scales beside them and are refused.
 */
export function toFloats(tensor: StoredTensor): Floats {
  const { dtype, shape, bytes } = readWritable(tensor, 'tensor');
  const data: StoredArray = tensor.data;
  const halves = (): Uint16Array => new Uint16Array(bytes.buffer, bytes.byteOffset, data.length);
  switch (dtype) {
    case 'F32':
      return { data: data as Float32Array, shape };
    case 'F16':
      return { data: widenHalf(halves()), shape };
    case 'BF16':
      return { data: new Float32Array(Uint32Array.from(halves(), (bits) => bits << 16).buffer), shape };
    case 'F8_E4M3':
    case 'F8_E5M2':
      throw new PosencError('unsupported', 'tensor', dtype, 'floats of 16 bits or more, or whole numbers');
    case 'I64':
    case 'U64':
      return { data: Float32Array.from(data as ArrayLike<bigint>, nearestDouble), shape };
    default:
      return { data: Float32Array.from(data as ArrayLike<number>), shape };
  }
}

/**
 * A double that rounds to the float nearest to a whole number of 64 bits. Rounded to a double first, one just beside the
 * middle of two floats would fall on it, so the bits that a double has no room for leave their trace in its last one.
 */
function nearestDouble(whole: bigint): number {
  const near = Number(whole);
  if (Number.isSafeInteger(near)) return near;
  const [kept, rest] = [whole >> 11n, whole & 2047n];
  return 2048 * Number(rest === 0n ? kept : kept | 1n);
}

/** Numbers below 2^-14 have no leading one: they are multiples of 2^-24, which 32 bits hold as they are. */
function widenHalf(halves: Uint16Array): Float32Array {
  const floats = new Float32Array(halves.length);
  const bits = new Uint32Array(floats.buffer);
  for (let i = 0; i < halves.length; i++) {
    const half = halves[i] ?? 0;
    const [sign, rest] = [(half & 0x8000) << 16, half & 0x7fff];
    if (rest < 0x400) floats[i] = rest * 2 ** -24;
    else bits[i] = (rest << 13) + (rest < 0x7c00 ? 0x38000000 : 0x70000000);
    bits[i] = (bits[i] ?? 0) | sign;
  }
  return floats;
}
