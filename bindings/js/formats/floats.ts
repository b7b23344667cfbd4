import { PosencError } from '../errors.js';
import type { Shape } from '../shape.js';
import type { StoredTensor } from './stored.js';

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
export function toFloats({ dtype, data, shape }: StoredTensor): Floats {
  switch (dtype) {
    case 'F32':
      return { data: data as Float32Array, shape };
    case 'F16':
      return { data: widenHalf(data as Uint16Array), shape };
    case 'BF16':
      return { data: new Float32Array(Uint32Array.from(data as Uint16Array, (bits) => bits << 16).buffer), shape };
    case 'F8_E4M3':
    case 'F8_E5M2':
      throw new PosencError('unsupported', 'tensor', dtype, 'floats of 16 bits or more, or whole numbers');
    default:
      return { data: Float32Array.from(data as ArrayLike<number | bigint>, Number), shape };
  }
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
