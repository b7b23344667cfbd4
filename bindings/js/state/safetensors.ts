import { PosencError } from '../errors.js';
import type { Shape } from '../shape.js';

const kinds = {
  F64: Float64Array,
  F32: Float32Array,
  F16: Uint16Array,
  BF16: Uint16Array,
  I64: BigInt64Array,
  I32: Int32Array,
  I16: Int16Array,
  I8: Int8Array,
  U8: Uint8Array,
  BOOL: Uint8Array,
} as const;

/** Element types of a safetensors file. */
export type SafetensorsDtype = keyof typeof kinds;

/** A tensor of a file: half floats as their bits (`posenc.fromHalf` widens them), booleans as bytes 0 and 1. */
export interface SafetensorsTensor {
  readonly dtype: SafetensorsDtype;
  readonly shape: Shape;
  readonly data: InstanceType<(typeof kinds)[SafetensorsDtype]>;
}

/** What a safetensors file holds. */
export interface SafetensorsFile {
  readonly tensors: Record<string, SafetensorsTensor>;
  readonly metadata: Record<string, string>;
}

interface Entry {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly data_offsets: readonly [number, number];
}

/** The tensors of a safetensors file, copied. */
export function readSafetensors(bytes: ArrayBuffer | Uint8Array): SafetensorsFile {
  const file = bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes);
  const length = file.length < 8 ? NaN : Number(new DataView(file.buffer, file.byteOffset, 8).getBigUint64(0, true));
  if (!(length <= file.length - 8)) throw malformed(`${file.length} bytes`, '8 bytes with the length of a header, and the header');
  const header = parseHeader(new TextDecoder().decode(file.subarray(8, 8 + length)));
  const tensors: Record<string, SafetensorsTensor> = {};
  let metadata: Record<string, string> = {};
  for (const [name, entry] of Object.entries(header)) {
    if (name === '__metadata__') metadata = entry as Record<string, string>;
    else tensors[name] = readEntry(file.subarray(8 + length), name, entry as Entry);
  }
  return { tensors, metadata };
}

function parseHeader(text: string): object {
  try {
    const header: unknown = JSON.parse(text);
    if (typeof header === 'object' && header !== null) return header;
  } catch {
    // Below.
  }
  throw malformed('a header that is no JSON object', 'a JSON object of tensors');
}

function readEntry(data: Uint8Array, name: string, { dtype, shape, data_offsets: [from, to] = [NaN, NaN] }: Entry): SafetensorsTensor {
  if (!Object.hasOwn(kinds, dtype)) throw malformed(`tensor ${name} of dtype ${dtype}`, `one of ${Object.keys(kinds).join(', ')}`);
  const known = dtype as SafetensorsDtype;
  const Kind = kinds[known];
  const count = shape.reduce((product, extent) => product * extent, 1);
  if (to - from !== count * Kind.BYTES_PER_ELEMENT || !(from >= 0 && to <= data.length)) {
    throw malformed(`tensor ${name} from byte ${from} to ${to}`, `${count * Kind.BYTES_PER_ELEMENT} of the ${data.length} bytes after the header`);
  }
  // Copied: what stands in a file need not be aligned for its type.
  return { dtype: known, shape, data: new Kind(Uint8Array.from(data.subarray(from, to)).buffer) };
}

function malformed(received: string, allowed: string): PosencError {
  return new PosencError('invalidType', 'bytes', received, allowed);
}

/** A safetensors file of 32-bit floats. */
export function writeSafetensors(
  tensors: { readonly [name: string]: { readonly data: Float32Array; readonly shape: Shape } },
  metadata: { readonly [key: string]: string } = {},
): Uint8Array<ArrayBuffer> {
  const header: Record<string, unknown> = { __metadata__: metadata };
  let end = 0;
  for (const [name, { data, shape }] of Object.entries(tensors)) {
    header[name] = { dtype: 'F32', shape, data_offsets: [end, (end += data.byteLength)] };
  }
  const encoded = new TextEncoder().encode(JSON.stringify(header));
  const start = 8 + Math.ceil(encoded.length / 8) * 8;
  const file = new Uint8Array(start + end).fill(0x20, 8, start);
  new DataView(file.buffer).setBigUint64(0, BigInt(start - 8), true);
  file.set(encoded, 8);
  let at = start;
  for (const { data } of Object.values(tensors)) {
    file.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), at);
    at += data.byteLength;
  }
  return file;
}
