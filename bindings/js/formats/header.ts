/**
 * The header of a safetensors file: 8 bytes with its length, then JSON that says for every tensor what it is and between
 * which bytes it lies. Nothing of it is believed before it is checked: the tensors must fill what follows the header
 * exactly, none upon another, each as long as its shape says.
 */
import { PosencError } from '../errors.js';
import { type Dtype, byteCount, dtypes, extentsOf, isDtype, widthOf } from './stored.js';
import { parseObject } from './json.js';

/** Where a tensor lies in its file. */
export interface StoredEntry {
  /** Type of its elements. */
  readonly dtype: Dtype;
  /** Extents, outermost first. */
  readonly shape: readonly number[];
  /** Its first byte, counted from the beginning of the file. */
  readonly start: number;
  /** Behind its last byte. */
  readonly end: number;
}

/** What the header of a safetensors file says. */
export interface SafetensorsHeader {
  /** Where each tensor lies, by name. */
  readonly tensors: Record<string, StoredEntry>;
  /** Texts by name; most files say `format` here. */
  readonly metadata: Record<string, string>;
}

/** Bytes that say how long the header is. */
export const kPrefix = 8;
/** Longest header that is read: names and places of some 300,000 tensors. */
const kLongest = 2 ** 25;
/** The object of all, an entry, its list. */
const kDepth = 3;

/** The end of the header of a file of that size, from its first bytes. */
export function headerEnd(first: Uint8Array<ArrayBufferLike>, fileSize: number, parameter: string): number {
  const prefix = first.slice(0, kPrefix);
  if (prefix.length < kPrefix) throw refuse(parameter, `${fileSize} bytes`, '8 bytes with the length of a header, and the header');
  const length = Number(new DataView(prefix.buffer).getBigUint64(0, true));
  if (length > fileSize - kPrefix) {
    throw refuse(parameter, `a header of ${length} bytes in a file of ${fileSize}`, `at most the ${fileSize - kPrefix} bytes that follow`);
  }
  if (length > kLongest) throw new PosencError('tooLarge', parameter, `a header of ${length} bytes`, `at most ${kLongest}`);
  return kPrefix + length;
}

/** What the bytes between the prefix and `end` say. */
export function parseHeader(bytes: Uint8Array<ArrayBufferLike>, fileSize: number, parameter: string): SafetensorsHeader {
  const end = kPrefix + bytes.length;
  const header = parseObject(textOf(bytes, parameter), kDepth, parameter);
  const metadata = readMetadata(header['__metadata__'], parameter);
  const names = Object.keys(header).filter((name) => name !== '__metadata__');
  const entries = names.map((name): [string, StoredEntry] => [name, readEntry(name, header[name], end, fileSize, parameter)]);
  checkPlaces(entries, end, fileSize, parameter);
  return { tensors: Object.fromEntries(entries), metadata };
}

function textOf(bytes: Uint8Array<ArrayBufferLike>, parameter: string): string {
  try {
    // A copy, for a decoder takes no shared memory. A mark of byte order is no part of JSON and must stay to be refused.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes.slice());
  } catch {
    throw refuse(parameter, 'a header that is no UTF-8', 'a JSON object of tensors by name');
  }
}

function readMetadata(value: unknown, parameter: string): Record<string, string> {
  if (value === undefined) return {};
  const isText = typeof value === 'object' && value !== null && !Array.isArray(value) && Object.values(value).every((each) => typeof each === 'string');
  if (!isText) throw refuse(parameter, 'metadata that are not all text', 'an object of text by name');
  return value as Record<string, string>;
}

function readEntry(name: string, value: unknown, headerEnds: number, fileSize: number, parameter: string): StoredEntry {
  const label = `tensor ${name.slice(0, 80)}`;
  const { dtype, shape, data_offsets: offsets } = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  if (typeof dtype !== 'string') throw refuse(parameter, `${label} without a dtype`, '{ dtype, shape, data_offsets }');
  if (!isDtype(dtype)) throw new PosencError('unsupported', parameter, `${label} of dtype ${dtype.slice(0, 20)}`, `one of ${dtypes.join(', ')}`);
  const extents = extentsOf(shape);
  if (extents === undefined) throw refuse(parameter, `${label} without a shape`, 'a list of whole numbers of 0 or more');
  const between = extentsOf(offsets);
  if (between?.length !== 2) throw refuse(parameter, `${label} without data_offsets`, 'two whole numbers');
  const [start, end] = between.map((offset) => headerEnds + offset) as [number, number];
  if (!(start <= end && end <= fileSize)) {
    throw new PosencError('outOfRange', parameter, `${label} from byte ${start} to ${end}`, `bytes up to ${fileSize}, in order`);
  }
  const bytes = byteCount(extents, widthOf(dtype));
  if (end - start !== bytes) {
    throw new PosencError('shapeMismatch', parameter, `${label} of ${end - start} bytes`, `${bytes} bytes for ${dtype} [${extents.join(', ')}]`);
  }
  return { dtype, shape: extents, start, end };
}

/** In the order of their bytes each tensor begins where the one before ended: no overlap, and no room for anything else. */
function checkPlaces(entries: readonly [string, StoredEntry][], headerEnds: number, fileSize: number, parameter: string): void {
  const ordered = [...entries].sort(([, a], [, b]) => a.start - b.start || a.end - b.end);
  let at = headerEnds;
  for (const [name, { start, end }] of ordered) {
    if (start !== at) {
      const received = `tensor ${name.slice(0, 80)} from byte ${start}, ${start < at ? 'within another' : 'behind a gap'}`;
      throw new PosencError('outOfRange', parameter, received, `byte ${at}, where the one before ends`);
    }
    at = end;
  }
  if (at !== fileSize) throw new PosencError('outOfRange', parameter, `${fileSize - at} bytes behind the last tensor`, 'none');
}

function refuse(parameter: string, received: string, allowed: string): PosencError {
  return new PosencError('invalidType', parameter, received, allowed);
}
