import { PosencError, describe } from '../errors.js';
import { shapeOf, shapedData } from '../inputs.js';
import { checkLength } from '../tensor.js';
import { type Dtype, type StoredArray, checkBooleans, dtypesOf, isDtype } from './stored.js';

/** A tensor to be written: floats, or any array with its type, whose shape is called `dims` elsewhere. */
export type Writable = {
  /** The elements, row by row. */
  readonly data: StoredArray;
  /** What the elements are, where the array does not tell: 'F16' or 'BF16' for a Uint16Array of their bits. */
  readonly dtype?: Dtype;
} & (
  | {
      /** Extents, outermost first. */
      readonly shape: readonly number[];
    }
  | {
      /** Extents, outermost first. */
      readonly dims: readonly number[];
    }
);

/** Its type, extents and bytes, checked. Without a dtype it is what its array holds: Uint16Array is U16, not a half float. */
export function readWritable(value: unknown, parameter: string): { dtype: Dtype; shape: number[]; bytes: Uint8Array } {
  const data = shapedData(value, parameter) as StoredArray;
  const [usual, ...others] = dtypesOf(data);
  if (usual === undefined) throw new PosencError('invalidType', `${parameter}.data`, describe(data), 'a typed array');
  const { dtype = usual } = value as { dtype?: unknown };
  if (!isDtype(dtype) || ![usual, ...others].includes(dtype)) {
    throw new PosencError('invalidType', `${parameter}.dtype`, describe(dtype), `${[usual, ...others].join(' or ')} for ${describe(data)}`);
  }
  const shape = shapeOf(value as object, parameter);
  checkLength(data as ArrayLike<unknown>, shape, parameter);
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  checkBooleans(dtype, bytes, `${parameter}.data`);
  return { dtype, shape, bytes };
}
