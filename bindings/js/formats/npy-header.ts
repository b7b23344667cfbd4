/** The header of a .npy file: a Python dictionary of three keys, read as that and nothing else. */
import { PosencError } from '../errors.js';
import { extentsOf } from './stored.js';

export interface NpyHeader {
  /** NumPy's kind and width: 'f4'. */
  readonly type: string;
  readonly bigEndian: boolean;
  readonly fortran: boolean;
  readonly shape: readonly number[];
  /** Where the numbers begin. */
  readonly end: number;
}

/** \x93NUMPY; two bytes with the version follow. */
export const kMagic = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59] as const;
/** Longest dictionary that is read, as in NumPy: of numbers it has some 100 characters. */
const kLongest = 10_000;

const refuse = (received: string, allowed: string): PosencError => new PosencError('invalidType', 'bytes', received, allowed);

export function readNpyHeader(file: Uint8Array<ArrayBufferLike>): NpyHeader {
  const first = file.slice(0, kMagic.length + 6);
  if (first.length < kMagic.length + 4 || kMagic.some((byte, at) => first[at] !== byte)) throw refuse(`${file.length} bytes that begin otherwise`, 'a .npy file');
  const version = first[kMagic.length] ?? 0;
  if (version < 1 || version > 3) throw new PosencError('unsupported', 'bytes', `version ${version} of .npy`, '1, 2 or 3');
  const start = kMagic.length + (version === 1 ? 4 : 6);
  if (file.length < start) throw refuse(`${file.length} bytes`, 'a .npy file');
  const view = new DataView(first.buffer);
  const length = version === 1 ? view.getUint16(kMagic.length + 2, true) : view.getUint32(kMagic.length + 2, true);
  if (length > file.length - start) throw refuse(`a header of ${length} bytes in a file of ${file.length}`, `at most the ${file.length - start} bytes that follow`);
  if (length > kLongest) throw new PosencError('tooLarge', 'bytes', `a header of ${length} bytes`, `at most ${kLongest}`);
  const text = new TextDecoder('latin1').decode(file.slice(start, start + length));
  return { ...readValues(text), end: start + length };
}

const values = {
  descr: /(['"])([<>|=]?)([A-Za-z]\w*)\1/y,
  fortran_order: /(True|False)/y,
  shape: /\(([\d\s,L]*)\)/y,
} as const;
type Key = keyof typeof values;

/** The three values; anything else in the text is refused. */
function readValues(text: string): Omit<NpyHeader, 'end'> {
  const found = new Map<Key, RegExpExecArray>();
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match) at = pattern.lastIndex;
    return match;
  };
  if (!take(/\s*\{/y)) throw refuse('a header that is no dictionary', "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)}");
  while (!take(/\s*\}\s*$/y)) {
    const key = take(/\s*(['"])(\w+)\1\s*:\s*/y)?.[2] ?? '';
    if (!Object.hasOwn(values, key)) throw refuse(`a header with ${JSON.stringify(key)} or text of another kind`, `${Object.keys(values).join(', ')}, each once`);
    const known = key as Key;
    if (found.has(known)) throw refuse(`a header with two of ${key}`, 'each once');
    const value = take(values[known]);
    if (value === null) throw valueError(known, text.slice(at, at + 20));
    found.set(known, value);
    if (!take(/\s*,/y) && !/^\s*\}/.test(text.slice(at))) throw refuse(`a header that goes on with ${JSON.stringify(text.slice(at, at + 20))}`, 'a comma or the end');
  }
  return resolved(found);
}

/** Records stand in brackets: an array of another kind, rather than a fault. */
function valueError(key: Key, text: string): PosencError {
  if (key === 'descr' && text.startsWith('[')) return new PosencError('unsupported', 'bytes', 'an array of records', 'an array of numbers');
  return refuse(`${key}: ${JSON.stringify(text)}`, { descr: "a type like '<f4'", fortran_order: 'True or False', shape: '(2, 3)' }[key]);
}

function resolved(found: ReadonlyMap<Key, RegExpExecArray>): Omit<NpyHeader, 'end'> {
  const [descr, order, tuple] = [found.get('descr'), found.get('fortran_order'), found.get('shape')];
  if (!descr || !order || !tuple) throw refuse(`a header with ${[...found.keys()].join(', ') || 'nothing'}`, Object.keys(values).join(', '));
  // Python 2 wrote long numbers with an L behind them. A tuple may end in a comma.
  const parts = (tuple[1] ?? '').split(',').map((part) => part.trim());
  if (parts.at(-1) === '') parts.pop();
  const shape = parts.every((part) => /^\d+L?$/.test(part)) ? extentsOf(parts.map((part) => Number(part.replace('L', '')))) : undefined;
  if (shape === undefined) throw refuse(`shape (${(tuple[1] ?? '').slice(0, 40)})`, 'whole numbers below 2^53, of at most 32 axes');
  return { type: descr[3] ?? '', bigEndian: descr[2] === '>', fortran: order[1] === 'True', shape };
}
