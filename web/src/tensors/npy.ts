// NumPy's .npy files: a magic number, a Python dictionary as text, and the numbers.
import { PosencError } from 'posenc';

export interface Floats {
  data: Float32Array;
  shape: readonly number[];
}

const refuse = (received: string, allowed: string): PosencError => new PosencError('invalidType', 'file', received, allowed);

type Reader = (view: DataView, at: number, littleEndian: boolean) => number;

const readers: Readonly<Record<string, readonly [size: number, read: Reader]>> = {
  f4: [4, (view, at, little) => view.getFloat32(at, little)],
  f8: [8, (view, at, little) => view.getFloat64(at, little)],
  i4: [4, (view, at, little) => view.getInt32(at, little)],
  i8: [8, (view, at, little) => Number(view.getBigInt64(at, little))],
};

function readHeader(bytes: Uint8Array): { header: string; start: number } {
  const magic = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59];
  if (bytes.length < 12 || magic.some((byte, i) => bytes[i] !== byte)) throw refuse(`${bytes.length} bytes`, 'a .npy file');
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const isOld = bytes[6] === 1;
  const length = isOld ? view.getUint16(8, true) : view.getUint32(8, true);
  const start = (isOld ? 10 : 12) + length;
  return { header: new TextDecoder().decode(bytes.subarray(start - length, start)), start };
}

export function readNpy(bytes: Uint8Array): Floats {
  const { header, start } = readHeader(bytes);
  const type = /'descr':\s*'([<>|=])(\w+)'/.exec(header);
  const extents = /'shape':\s*\(([\d,\s]*)\)/.exec(header)?.[1]?.split(',').map((text) => text.trim()).filter(Boolean).map(Number);
  const reader = type && readers[type[2]!];
  if (!reader || !extents) throw refuse(type?.[2] ?? 'another header', 'numbers of type f4, f8, i4 or i8');
  if (/'fortran_order':\s*True/.test(header)) throw refuse('column-major order', 'row-major order (np.ascontiguousarray)');
  const [size, read] = reader;
  const count = extents.reduce((product, extent) => product * extent, 1);
  if (bytes.length - start < count * size) throw refuse(`${bytes.length - start} bytes`, `${count * size} bytes of numbers`);
  const view = new DataView(bytes.buffer, bytes.byteOffset + start);
  return { shape: extents, data: Float32Array.from({ length: count }, (_, i) => read(view, i * size, type[1] !== '>')) };
}
