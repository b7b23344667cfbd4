// WebAssembly modules of a few functions, byte by byte: for what the benchmark measures of the machine itself.

/** A signed number as LEB128. */
export function signed(n) {
  const bytes = [];
  for (let rest = n; ; ) {
    const byte = rest & 127;
    rest >>= 7;
    if ((rest === 0 && !(byte & 64)) || (rest === -1 && byte & 64)) return [...bytes, byte];
    bytes.push(byte | 128);
  }
}

function unsigned(n) {
  return n < 128 ? [n] : [(n & 127) | 128, ...unsigned(n >>> 7)];
}

export const simd = (...bytes) => [0xfd, ...bytes];
export const get = (i) => [0x20, i];
export const set = (i) => [0x21, i];

const list = (items) => [items.length, ...items.flat()];
const text = (string) => list([...string].map((letter) => letter.charCodeAt(0)));
const section = (id, bytes) => [id, ...unsigned(bytes.length), ...bytes];
const sized = (body) => [...unsigned(body.length), ...body];

/** The module of the given functions, all of them exported; `pages` of memory, exported too, where that is not 0. */
export function moduleOf({ types, functions, pages = 0 }) {
  const exported = functions.map(({ name }, i) => [...text(name), 0, i]);
  return new Uint8Array([
    0, 0x61, 0x73, 0x6d, 1, 0, 0, 0,
    ...section(1, list(types)),
    ...section(3, list(functions.map(({ type }) => type))),
    ...(pages > 0 ? section(5, [1, 0, pages]) : []),
    ...section(7, list(pages > 0 ? [...exported, [...text('memory'), 2, 0]] : exported)),
    ...section(10, list(functions.map(({ body }) => sized(body)))),
  ]);
}
