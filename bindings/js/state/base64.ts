import { PosencError } from '../errors.js';

/** A tensor in JSON: its floats as base64 of their little-endian bytes, so that no bit changes. */
export interface JsonTensor {
  /** Extents, outermost first. */
  readonly shape: readonly number[];
  /** Base64 of the floats' bytes. */
  readonly data: string;
}

/** Bytes that go into one call of fromCharCode. */
const kChunk = 1 << 13;

export function toBase64(data: Float32Array): string {
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  let text = '';
  for (let at = 0; at < bytes.length; at += kChunk) text += String.fromCharCode(...bytes.subarray(at, at + kChunk));
  return btoa(text);
}

export function fromBase64(text: unknown, parameter: string): Float32Array {
  try {
    if (typeof text === 'string') return new Float32Array(Uint8Array.from(atob(text), (char) => char.charCodeAt(0)).buffer);
  } catch {
    // Below.
  }
  throw new PosencError('invalidType', parameter, 'text that is no base64 of 32-bit floats', 'what toJSON gave');
}
