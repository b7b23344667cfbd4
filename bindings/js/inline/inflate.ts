/** Inflating: the "deflate" format of RFC 1951, without checksums. For the wasm that a script carries in itself. */

/** How many codes there are of each length, and the symbols in the order of their codes. */
interface Codes {
  readonly counts: Uint16Array;
  readonly symbols: Uint16Array;
}

const kLongest = 15;
// Of length symbols 257 to 285 and distance symbols 0 to 29: the smallest value, and how many bits are added to it.
const lengths = table(29, 3, (i) => Math.max(0, (i >> 2) - 1), { 28: [258, 0] });
const distances = table(30, 1, (i) => Math.max(0, (i >> 1) - 1), {});
const orderOfLengths = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

function table(count: number, first: number, bitsOf: (i: number) => number, except: Record<number, [number, number]>): [number, number][] {
  let base = first;
  return Array.from({ length: count }, (_, i) => {
    const bits = bitsOf(i);
    const entry: [number, number] = except[i] ?? [base, bits];
    base += 1 << bits;
    return entry;
  });
}

function codesOf(bits: ArrayLike<number>): Codes {
  const counts = new Uint16Array(kLongest + 1);
  for (let i = 0; i < bits.length; i++) counts[bits[i] ?? 0]!++;
  counts[0] = 0;
  const next = new Uint16Array(kLongest + 2);
  counts.forEach((count, length) => (next[length + 1] = (next[length] ?? 0) + count));
  const symbols = new Uint16Array(bits.length);
  for (let i = 0; i < bits.length; i++) if (bits[i] !== 0) symbols[next[bits[i] ?? 0]!++] = i;
  return { counts, symbols };
}

class BitReader {
  readonly #bytes: Uint8Array;
  #at = 0;
  #bits = 0;
  #count = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** The next bits, the first the least. */
  take(count: number): number {
    this.#fill(count);
    const value = this.#bits & ((1 << count) - 1);
    this.#skip(count);
    return value;
  }

  symbol({ counts, symbols }: Codes): number {
    this.#fill(kLongest);
    let bits = this.#bits;
    let code = 0;
    let first = 0;
    let index = 0;
    for (let length = 1; length <= kLongest; length++) {
      code |= bits & 1;
      bits >>>= 1;
      const count = counts[length]!;
      if (code - first < count) {
        this.#skip(length);
        return symbols[index + code - first]!;
      }
      index += count;
      first = (first + count) << 1;
      code <<= 1;
    }
    throw new RangeError('deflate: a code that is none');
  }

  /** Whole bytes, beginning with the next. */
  copy(count: number, into: Uint8Array, at: number): void {
    this.#at -= this.#count >> 3;
    this.#bits = this.#count = 0;
    if (this.#at + count > this.#bytes.length || at + count > into.length) throw new RangeError('deflate: a block of wrong size');
    into.set(this.#bytes.subarray(this.#at, this.#at + count), at);
    this.#at += count;
  }

  skipToByte(): void {
    this.#skip(this.#count & 7);
  }

  /** So that the next `count` bits are there, unless the data ends before. */
  #fill(count: number): void {
    while (this.#count < count && this.#at < this.#bytes.length) {
      this.#bits |= this.#bytes[this.#at++]! << this.#count;
      this.#count += 8;
    }
  }

  #skip(count: number): void {
    if (count > this.#count) throw new RangeError('deflate: the data ends too early');
    this.#bits >>>= count;
    this.#count -= count;
  }
}

function fixedCodes(): [Codes, Codes] {
  const bits = Uint8Array.from({ length: 288 }, (_, i) => (i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8));
  return [codesOf(bits), codesOf(new Uint8Array(30).fill(5))];
}

function readCodes(reader: BitReader): [Codes, Codes] {
  const literals = 257 + reader.take(5);
  const ofDistances = 1 + reader.take(5);
  const given = 4 + reader.take(4);
  const ofLengths = new Uint8Array(19);
  for (let i = 0; i < given; i++) ofLengths[orderOfLengths[i]!] = reader.take(3);
  const codes = codesOf(ofLengths);
  const bits = new Uint8Array(literals + ofDistances);
  for (let i = 0; i < bits.length; ) {
    const symbol = reader.symbol(codes);
    if (symbol < 16) {
      bits[i++] = symbol;
      continue;
    }
    const [value, count] = symbol === 16 ? [bits[i - 1] ?? 0, 3 + reader.take(2)] : [0, symbol === 17 ? 3 + reader.take(3) : 11 + reader.take(7)];
    bits.fill(value, i, (i += count));
  }
  return [codesOf(bits.subarray(0, literals)), codesOf(bits.subarray(literals))];
}

/** Inflates to exactly `size` bytes. */
export function inflate(bytes: Uint8Array, size: number): Uint8Array<ArrayBuffer> {
  const reader = new BitReader(bytes);
  const out = new Uint8Array(size);
  let at = 0;
  for (let last = 0; last === 0; ) {
    last = reader.take(1);
    const kind = reader.take(2);
    if (kind === 0) {
      reader.skipToByte();
      const count = reader.take(16);
      reader.take(16);
      reader.copy(count, out, at);
      at += count;
      continue;
    }
    const [literals, ofDistances] = kind === 1 ? fixedCodes() : readCodes(reader);
    for (let symbol = reader.symbol(literals); symbol !== 256; symbol = reader.symbol(literals)) {
      if (symbol < 256) {
        out[at++] = symbol;
        continue;
      }
      const [length, lengthBits] = lengths[symbol - 257] ?? [0, 0];
      const end = at + length + reader.take(lengthBits);
      const [distance, distanceBits] = distances[reader.symbol(ofDistances)] ?? [0, 0];
      let from = at - distance - reader.take(distanceBits);
      // What is copied may begin within what it makes.
      if (end - at <= at - from) {
        out.copyWithin(at, from, from + end - at);
        at = end;
      }
      while (at < end) out[at++] = out[from++] ?? 0;
    }
    if (at > size) throw new RangeError('deflate: more than was announced');
  }
  if (at !== size) throw new RangeError('deflate: less than was announced');
  return out;
}
