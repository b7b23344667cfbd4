/** NumPy's .npy files: a magic number, a Python dictionary as text, and the numbers. */
import { PosencError } from '../errors.js';
import type { TensorLike } from '../inputs.js';
import { HeapTensor } from '../tensor.js';
import { type NpyHeader, kMagic, readNpyHeader } from './npy-header.js';
import { type Dtype, type FileBytes, type StoredArray, type StoredTensor, byteCount, bytesOf, copyOf, newBytes, storedArray, widthOf } from './stored.js';
import { type Writable, readWritable } from './writable.js';

/** NumPy's names of element types. */
const descriptions = { F64: 'f8', F32: 'f4', F16: 'f2', I64: 'i8', I32: 'i4', I16: 'i2', I8: 'i1', U64: 'u8', U32: 'u4', U16: 'u2', U8: 'u1', BOOL: 'b1' } as const satisfies Record<NpyDtype, string>;

/** Element types of .npy files. */
export type NpyDtype = Exclude<Dtype, 'BF16' | 'F8_E4M3' | 'F8_E5M2'>;

const dtypeOf = (description: string): NpyDtype | undefined =>
  (Object.keys(descriptions) as NpyDtype[]).find((dtype) => descriptions[dtype] === description);

/**
 * The array of a .npy file, versions 1 to 3, of either byte order. An array in Fortran's order comes out in row-major
 * order. Text, complex numbers, records and pickled objects are refused, and so are bytes that the header does not speak of.
 */
export function readNpy(bytes: FileBytes): StoredTensor<NpyDtype> {
  const file = bytesOf(bytes, 'bytes');
  const header = readNpyHeader(file);
  const dtype = dtypeOf(header.type);
  if (dtype === undefined) throw new PosencError('unsupported', 'bytes', `an array of type ${header.type}`, `one of ${Object.values(descriptions).join(', ')}`);
  const width = widthOf(dtype);
  const wanted = byteCount(header.shape, width);
  const there = file.length - header.end;
  if (wanted !== there) {
    throw new PosencError('shapeMismatch', 'bytes', `${there} bytes of numbers`, `${wanted} bytes for ${header.type} [${header.shape.join(', ')}]`);
  }
  const copy = copyOf(file, header.end, file.length, 'bytes');
  if (header.bigEndian) swap(copy, width);
  return { dtype, shape: header.shape, data: rowMajor(storedArray(dtype, copy, 'bytes'), header) as StoredArray<NpyDtype> };
}

function swap(bytes: Uint8Array, width: number): void {
  for (let at = 0; width > 1 && at < bytes.length; at += width) bytes.subarray(at, at + width).reverse();
}

/** The same array with its last axis running fastest instead of its first. */
function rowMajor(data: StoredArray, { shape, fortran }: NpyHeader): StoredArray {
  if (!fortran || shape.length < 2) return data;
  const out = data.slice() as StoredArray;
  const strides = shape.map((_, axis) => shape.slice(0, axis).reduce((product, extent) => product * extent, 1));
  const index = shape.map(() => 0);
  let from = 0;
  for (let at = 0; at < out.length; at++) {
    out[at] = data[from] as number & bigint;
    for (let axis = shape.length - 1; axis >= 0; axis--) {
      const [extent = 1, stride = 1] = [shape[axis], strides[axis]];
      from += stride;
      index[axis] = (index[axis] ?? 0) + 1;
      if (index[axis] !== extent) break;
      from -= stride * extent;
      index[axis] = 0;
    }
  }
  return out;
}

/** A .npy file (version 1, row-major, little-endian) of 32-bit floats, or of what `readNpy` gave. */
export function writeNpy(tensor: TensorLike | Writable): Uint8Array<ArrayBuffer> {
  const value: unknown = tensor instanceof HeapTensor ? { data: tensor.view(), shape: tensor.shape } : tensor;
  const { dtype, shape, bytes } = readWritable(value, 'tensor');
  const type = typeOf(dtype);
  const tuple = shape.length === 1 ? `${shape[0]},` : shape.join(', ');
  const text = `{'descr': '${widthOf(dtype) === 1 ? '|' : '<'}${type}', 'fortran_order': False, 'shape': (${tuple}), }`;
  // The numbers begin at a multiple of 64, and a line feed stands before them.
  const start = 64 * Math.ceil((kMagic.length + 4 + text.length + 1) / 64);
  const file = newBytes(start + bytes.length, 'tensor').fill(0x20, 0, start);
  file.set([...kMagic, 1, 0]);
  new DataView(file.buffer).setUint16(kMagic.length + 2, start - kMagic.length - 4, true);
  file.set(new TextEncoder().encode(text), kMagic.length + 4);
  file[start - 1] = 0x0a;
  file.set(bytes, start);
  return file;
}

function typeOf(dtype: Dtype): string {
  const type = (descriptions as Partial<Record<Dtype, string>>)[dtype];
  if (type === undefined) throw new PosencError('unsupported', 'tensor.dtype', dtype, `one of ${Object.keys(descriptions).join(', ')}`);
  return type;
}
