// What it takes to read a WebAssembly module and change indices in it: sections, and instructions with what follows them.

/** Reads numbers and bytes one after the other. */
export class Reader {
  constructor(bytes, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }
  byte() {
    return this.bytes[this.at++];
  }
  take(count) {
    this.at += count;
    return this.bytes.subarray(this.at - count, this.at);
  }
  unsigned() {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.byte();
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  }
}

/** An unsigned number as a module has it. */
export function leb(value) {
  const bytes = [];
  for (; value > 127; value = Math.floor(value / 128)) bytes.push(128 | value % 128);
  return [...bytes, value];
}

/** Bytes behind their number. */
export const withLength = (bytes) => Buffer.concat([Buffer.from(leb(bytes.length)), bytes]);

/** { id, bytes } of each section. */
export function sectionsOf(wasm) {
  const reader = new Reader(wasm, 8);
  const sections = [];
  while (reader.at < wasm.length) sections.push({ id: reader.byte(), bytes: reader.take(reader.unsigned()) });
  return sections;
}

/**
 * Calls visit('function' | 'local' | 'alignment', from, to, number) for each such index in a function's body, which stands
 * from..to, and for what each access to memory says of its alignment.
 */
export function eachNumber(body, visit) {
  const reader = new Reader(body);
  for (let groups = reader.unsigned(); groups > 0; groups--) {
    reader.unsigned();
    reader.byte();
  }
  while (reader.at < body.length) {
    const code = reader.byte();
    const vector = code === 0xfd ? reader.unsigned() : undefined;
    const kind = kindOf(code, vector);
    if (kind !== undefined) {
      const from = reader.at, number = reader.unsigned();
      visit(kind, from, reader.at, number);
    }
    if (kind === 'alignment') reader.unsigned(); // the offset
    if (vector !== undefined) skipVectorOperands(vector, reader);
    else if (kind === undefined) skipOperands(code, reader);
  }
}

// What the first number behind an instruction is, where that is visited.
function kindOf(code, vector) {
  if (code === 0x10 || code === 0xd2) return 'function';
  if (range(code, 0x20, 0x22)) return 'local';
  return range(code, 0x28, 0x3e) || accessesMemory(vector) ? 'alignment' : undefined;
}

const accessesMemory = (vector) => vector <= 11 || range(vector, 84, 93);

const range = (code, first, last) => code >= first && code <= last;

function skipOperands(code, reader) {
  const numbers = (count) => { for (; count > 0; count--) reader.unsigned(); };
  if (code === 0x0e) numbers(reader.unsigned() + 1); // br_table
  else if (code === 0x1c) reader.take(reader.unsigned()); // select of a type
  else if (code === 0x11) numbers(2); // call_indirect
  else if (range(code, 0x02, 0x04) || code === 0x0c || code === 0x0d || range(code, 0x23, 0x26) ||
    range(code, 0x3f, 0x42) || code === 0xd0) numbers(1);
  else if (code === 0x43) reader.take(4);
  else if (code === 0x44) reader.take(8);
  else if (code === 0xfc) numbers([0, 0, 0, 0, 0, 0, 0, 0, 2, 1, 2, 1, 2, 1, 2, 1, 1, 1][reader.unsigned()]);
  else if (!(code <= 0x01 || code === 0x05 || code === 0x0b || code === 0x0f || code === 0x1a || code === 0x1b ||
    range(code, 0x45, 0xc4) || code === 0xd1)) throw new Error(`wasm-code.mjs knows no instruction ${code}`);
}

// Behind the alignment and offset of those that access memory.
function skipVectorOperands(code, reader) {
  if (code === 12 || code === 13) reader.take(16);
  else if (range(code, 21, 34) || range(code, 84, 91)) reader.byte();
}
