/** What files of numbers have in common: element types, and bytes that come from anywhere. */
import { PosencError, describe } from '../errors.js';
import type { Shape } from '../shape.js';
import { arrayTag, checkAttached } from '../tensor.js';

const kinds = {
  F64: Float64Array,
  F32: Float32Array,
  F16: Uint16Array,
  BF16: Uint16Array,
  F8_E4M3: Uint8Array,
  F8_E5M2: Uint8Array,
  I64: BigInt64Array,
  I32: Int32Array,
  I16: Int16Array,
  I8: Int8Array,
  U64: BigUint64Array,
  U32: Uint32Array,
  U16: Uint16Array,
  U8: Uint8Array,
  BOOL: Uint8Array,
} as const;

/** Element types of stored tensors, as safetensors files spell them. */
export type Dtype = keyof ArrayOfDtype;

/** The array that holds elements of a type. */
export interface ArrayOfDtype {
  /** Floats of 64 bits. */
  F64: Float64Array;
  /** Floats of 32 bits. */
  F32: Float32Array;
  /** Bits of half floats (IEEE 754 binary16). */
  F16: Uint16Array;
  /** Bits of bfloat16, the upper half of a 32-bit float. */
  BF16: Uint16Array;
  /** Bits of 8-bit floats with 4 bits of exponent. */
  F8_E4M3: Uint8Array;
  /** Bits of 8-bit floats with 5 bits of exponent. */
  F8_E5M2: Uint8Array;
  /** Whole numbers of 64 bits. */
  I64: BigInt64Array;
  /** Whole numbers of 32 bits. */
  I32: Int32Array;
  /** Whole numbers of 16 bits. */
  I16: Int16Array;
  /** Whole numbers of 8 bits. */
  I8: Int8Array;
  /** Whole numbers of 64 bits, none below 0. */
  U64: BigUint64Array;
  /** Whole numbers of 32 bits, none below 0. */
  U32: Uint32Array;
  /** Whole numbers of 16 bits, none below 0. */
  U16: Uint16Array;
  /** Whole numbers of 8 bits, none below 0. */
  U8: Uint8Array;
  /** 0 and 1. */
  BOOL: Uint8Array;
}

/** The array of a type, or of any. */
export type StoredArray<Type extends Dtype = Dtype> = ArrayOfDtype[Type];

/** A tensor as a file holds it. Its array is a copy that belongs to JavaScript. */
export interface StoredTensor<Type extends Dtype = Dtype> {
  /** Type of its elements. */
  readonly dtype: Type;
  /** Extents, outermost first. */
  readonly shape: Shape;
  /** The elements, row by row. */
  readonly data: StoredArray<Type>;
}

/** Bytes of a file. */
export type FileBytes = ArrayBufferLike | Uint8Array<ArrayBufferLike>;

/** Axes that a stored tensor may have. */
const kMaxAxes = 32;

/** @internal */
export const dtypes = Object.keys(kinds) as readonly Dtype[];

/** @internal */
export const isDtype = (value: unknown): value is Dtype => typeof value === 'string' && Object.hasOwn(kinds, value);

/** @internal Bytes of an element. */
export const widthOf = (dtype: Dtype): number => kinds[dtype].BYTES_PER_ELEMENT;

/** @internal The types that an array may hold, the usual one first. */
export function dtypesOf(data: unknown): Dtype[] {
  const tag = arrayTag(data);
  const usual: Readonly<Record<string, Dtype>> = { Uint16Array: 'U16', Uint8Array: 'U8', Float16Array: 'F16' };
  const all = dtypes.filter((dtype) => kinds[dtype].name === tag || (dtype === 'F16' && tag === 'Float16Array'));
  return all.sort((a, b) => Number(b === usual[tag ?? '']) - Number(a === usual[tag ?? '']));
}

/** @internal The elements whose bytes these are; `bytes` must be a whole buffer of its own. */
export function storedArray(dtype: Dtype, bytes: Uint8Array<ArrayBuffer>, parameter: string): StoredArray {
  checkBooleans(dtype, bytes, parameter);
  return new kinds[dtype](bytes.buffer);
}

/** @internal A byte that is neither means what each reader likes: true, or 255 times true. */
export function checkBooleans(dtype: Dtype, bytes: Uint8Array, parameter: string): void {
  const at = dtype === 'BOOL' ? bytes.findIndex((byte) => byte > 1) : -1;
  if (at >= 0) throw new PosencError('outOfRange', parameter, `${bytes[at]} for boolean ${at}`, '0 or 1');
}

/** @internal Those of other windows and workers count too. */
export function isFileBytes(value: unknown): value is FileBytes {
  return arrayTag(value) === 'Uint8Array' || /^\[object (Shared)?ArrayBuffer\]$/.test(Object.prototype.toString.call(value));
}

/** @internal A view of what the caller gave as a file. */
export function bytesOf(value: unknown, parameter: string): Uint8Array<ArrayBufferLike> {
  if (!isFileBytes(value)) {
    throw new PosencError('invalidType', parameter, describe(value), 'an ArrayBuffer or a Uint8Array with the bytes of a file');
  }
  try {
    if (!ArrayBuffer.isView(value)) return new Uint8Array(value);
  } catch {
    throw new PosencError('detached', parameter, 'a detached buffer', 'the bytes of a file');
  }
  checkAttached(value, parameter);
  // A Buffer of Node.js is made a plain array: its slice() does not copy.
  return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
}

/** @internal Bytes from..to in a buffer of their own, for they need not be aligned for their type, nor unshared. */
export function copyOf(bytes: Uint8Array<ArrayBufferLike>, from: number, to: number, parameter: string): Uint8Array<ArrayBuffer> {
  const copy = newBytes(to - from, parameter);
  copy.set(bytes.subarray(from, to));
  return copy;
}

/** @internal */
export function newBytes(length: number, parameter: string): Uint8Array<ArrayBuffer> {
  try {
    return new Uint8Array(length);
  } catch {
    throw new PosencError('outOfMemory', parameter, `${length} bytes`, 'what memory is free');
  }
}

/** @internal The extents that a header gives, or undefined where they are none that a tensor can have. */
export function extentsOf(value: unknown): number[] | undefined {
  if (!Array.isArray(value) || value.length > kMaxAxes) return undefined;
  const extents = value as unknown[];
  return extents.every((extent) => Number.isSafeInteger(extent) && (extent as number) >= 0) ? (extents as number[]) : undefined;
}

/** @internal Their product times `width`; Infinity rather than a rounded number. */
export function byteCount(extents: readonly number[], width: number): number {
  if (extents.includes(0)) return 0;
  const bytes = extents.reduce((product, extent) => product * extent, width);
  return Number.isSafeInteger(bytes) ? bytes : Infinity;
}
