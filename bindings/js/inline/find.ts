import { PosencError, describe } from '../errors.js';
import type { Variant } from '../detect.js';
import { inflate } from './inflate.js';
import { base64, sizes, slices } from './wasm.mjs';

/** @internal A build that the script carries in itself. Relaxed SIMD is not among them: what it takes is the 'simd' one. */
export function findInlined(variant: Variant, asked: 'auto' | Variant): Uint8Array<ArrayBuffer> {
  if (asked === 'relaxed') {
    throw new PosencError('unsupported', 'simd', describe(asked), "'auto', 'simd' or 'scalar' where the module is inline");
  }
  const joined = inflate(Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)), sizes.simd + sizes.scalar);
  return takeOut(joined, variant === 'scalar' ? 'scalar' : 'simd');
}

/** One of the builds, whose slices take turns. */
function takeOut(joined: Uint8Array, build: keyof typeof sizes): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(sizes[build]);
  const cut = (size: number, i: number): number => Math.floor((size * i) / slices);
  for (let i = 0; i < slices; i++) {
    // Before each slice stand those of before it, and for the second build one more of the first.
    const from = build === 'simd' ? cut(sizes.simd, i) + cut(sizes.scalar, i) : cut(sizes.simd, i + 1) + cut(sizes.scalar, i);
    out.set(joined.subarray(from, from + cut(out.length, i + 1) - cut(out.length, i)), cut(out.length, i));
  }
  return out;
}
