import { PosencError, describe } from '../errors.js';
import type { TensorLike } from '../inputs.js';
import { HeapTensor } from '../tensor.js';
import { type SafetensorsHeader, type StoredEntry, headerEnd, kPrefix, parseHeader } from './header.js';
import { type Dtype, type FileBytes, type StoredTensor, bytesOf, copyOf, newBytes, storedArray, widthOf } from './stored.js';
import { type Writable, readWritable } from './writable.js';

/** What a safetensors file holds. */
export interface SafetensorsFile {
  /** The tensors by name. */
  readonly tensors: Record<string, StoredTensor>;
  /** Texts by name; most files say `format` here. */
  readonly metadata: Record<string, string>;
}

/** The tensors of a safetensors file, copied. A header that does not fit the file is refused: see `docs/formats.md`. */
export function readSafetensors(bytes: FileBytes): SafetensorsFile {
  const file = bytesOf(bytes, 'bytes');
  const { tensors, metadata } = readHeader(file, 'bytes');
  const read = Object.entries(tensors).map(([name, entry]): [string, StoredTensor] => [name, readEntry(file, entry)]);
  return { tensors: Object.fromEntries(read), metadata };
}

/** @internal */
export function readHeader(file: Uint8Array<ArrayBufferLike>, parameter: string): SafetensorsHeader {
  const end = headerEnd(file, file.length, parameter);
  return parseHeader(file.subarray(kPrefix, end), file.length, parameter);
}

/** @internal One tensor, copied. */
export function readEntry(file: Uint8Array<ArrayBufferLike>, { dtype, shape, start, end }: StoredEntry): StoredTensor {
  return { dtype, shape, data: storedArray(dtype, copyOf(file, start, end, 'bytes'), 'bytes') };
}

/** A safetensors file of which only the header was read. */
export interface OpenSafetensors extends SafetensorsHeader {
  /** Reads one tensor. */
  read(name: string): Promise<StoredTensor>;
}

/** Reads the header of a file that a visitor chose, or of any Blob; of the tensors nothing before it is asked for. */
export async function openSafetensors(file: Blob): Promise<OpenSafetensors> {
  if (typeof file?.slice !== 'function' || typeof file.size !== 'number') throw new PosencError('invalidType', 'file', describe(file), 'a Blob');
  const part = async (from: number, to: number): Promise<Uint8Array<ArrayBuffer>> => new Uint8Array(await file.slice(from, to).arrayBuffer());
  const end = headerEnd(await part(0, kPrefix), file.size, 'file');
  const header = parseHeader(await part(kPrefix, end), file.size, 'file');
  return {
    ...header,
    async read(name) {
      const entry = Object.hasOwn(header.tensors, name) ? header.tensors[name] : undefined;
      if (entry === undefined) throw new PosencError('unknownOption', 'name', describe(name), 'the name of a tensor in the file');
      const bytes = await part(entry.start, entry.end);
      if (bytes.length !== entry.end - entry.start) throw new PosencError('outOfRange', 'file', `${bytes.length} bytes of tensor ${name}`, 'a file that stays as it is');
      return { dtype: entry.dtype, shape: entry.shape, data: storedArray(entry.dtype, bytes, 'file') };
    },
  };
}

/**
 * A safetensors file of tensors by name: 32-bit floats, or what `readSafetensors` gave. Wider elements come first, so that
 * each lies where its type may.
 * @param metadata text by name
 */
export function writeSafetensors(
  tensors: { readonly [name: string]: TensorLike | Writable },
  metadata: { readonly [key: string]: string } = {},
): Uint8Array<ArrayBuffer> {
  const stored = Object.entries(object(tensors, 'tensors')).map(([name, tensor]): [string, StoredBytes] => {
    if (name === '__metadata__') throw new PosencError('unknownOption', 'tensors.__metadata__', 'a tensor', 'another name');
    const value: unknown = tensor instanceof HeapTensor ? { data: tensor.view(), shape: tensor.shape } : tensor;
    return [name, readWritable(value, `tensors.${name}`)];
  });
  stored.sort(([, a], [, b]) => widthOf(b.dtype) - widthOf(a.dtype));
  for (const [key, value] of Object.entries(object(metadata, 'metadata'))) {
    if (typeof value !== 'string') throw new PosencError('invalidType', `metadata.${key}`, describe(value), 'text');
  }
  return assemble(stored, metadata);
}

interface StoredBytes {
  readonly dtype: Dtype;
  readonly shape: readonly number[];
  readonly bytes: Uint8Array;
}

function assemble(stored: readonly [string, StoredBytes][], metadata: object): Uint8Array<ArrayBuffer> {
  let end = 0;
  const entries = stored.map(([name, { dtype, shape, bytes }]) => [name, { dtype, shape, data_offsets: [end, (end += bytes.length)] }]);
  const header = new TextEncoder().encode(JSON.stringify(Object.fromEntries([['__metadata__', metadata], ...entries])));
  const start = kPrefix + Math.ceil(header.length / 8) * 8;
  const file = newBytes(start + end, 'tensors').fill(0x20, kPrefix, start);
  new DataView(file.buffer).setBigUint64(0, BigInt(start - kPrefix), true);
  file.set(header, kPrefix);
  let at = start;
  for (const [, { bytes }] of stored) {
    file.set(bytes, at);
    at += bytes.length;
  }
  return file;
}

function object<Value extends object>(value: Value, parameter: string): Value {
  if (typeof value === 'object' && value !== null) return value;
  throw new PosencError('invalidType', parameter, describe(value), 'an object');
}
