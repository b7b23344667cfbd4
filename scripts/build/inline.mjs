// bindings/js/inline/wasm.mjs: two builds as one text, for the entry that carries them in itself.
import { readFileSync } from 'node:fs';
import { constants, deflateRawSync } from 'node:zlib';

// Most functions of one build stand in the other too, with the same indices (order.mjs). Deflating looks back 32 kB, so
// slices of both take turns: 20 of each, of 16 kB.
const kSlices = 20;

/** The module's text, from the paths of the builds. */
export function inlineWasm(simd, scalar) {
  const builds = [simd, scalar].map((file) => readFileSync(file));
  const slices = Array.from({ length: kSlices }, (_, i) => builds.map((bytes) => bytes.subarray(cut(bytes.length, i), cut(bytes.length, i + 1))));
  const base64 = deflateRawSync(Buffer.concat(slices.flat()), { level: constants.Z_BEST_COMPRESSION, memLevel: 9 }).toString('base64');
  const [simdSize, scalarSize] = builds.map(({ length }) => length);
  return `export const slices = ${kSlices};\nexport const sizes = { simd: ${simdSize}, scalar: ${scalarSize} };\nexport const base64 = '${base64}';\n`;
}

const cut = (size, i) => Math.floor(size * i / kSlices);
