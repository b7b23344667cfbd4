import { PosencError, describe } from '../errors.js';
import type { Variant } from '../detect.js';
import { inflate } from './inflate.js';
import { builds } from './wasm.mjs';

/** @internal A build that the script carries in itself. Relaxed SIMD is not among them: what it takes is the 'simd' one. */
export function findInlined(variant: Variant, asked: 'auto' | Variant): Uint8Array<ArrayBuffer> {
  if (asked === 'relaxed') {
    throw new PosencError('unsupported', 'simd', describe(asked), "'auto', 'simd' or 'scalar' where the module is inline");
  }
  const { size, base64 } = builds[variant === 'scalar' ? 'scalar' : 'simd'];
  return inflate(Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)), size);
}
