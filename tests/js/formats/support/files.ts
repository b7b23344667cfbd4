// Files made by hand: a header as text, and as many bytes behind it as a test wants.
import { PosencError } from 'posenc';

/** A safetensors file: the header's length, its text, and bytes 1, 2, 3, ... */
export function fileOf(header: string | Uint8Array, behind = 0, length?: bigint): Uint8Array<ArrayBuffer> {
  const text = typeof header === 'string' ? new TextEncoder().encode(header) : header;
  const file = new Uint8Array(8 + text.length + behind);
  new DataView(file.buffer).setBigUint64(0, length ?? BigInt(text.length), true);
  file.set(text, 8);
  for (let i = 0; i < behind; i++) file[8 + text.length + i] = i + 1;
  return file;
}

/** An entry of a header. Anything may stand in place of what belongs there. */
export const entry = (dtype: unknown, shape: unknown, ...offsets: unknown[]): string => JSON.stringify({ dtype, shape, data_offsets: offsets });

/** A .npy file of a version: its dictionary as text, and bytes behind it. */
export function npyOf(dictionary: string, behind: Uint8Array | number[] = [], version = 1, length?: number): Uint8Array<ArrayBuffer> {
  const text = new TextEncoder().encode(dictionary);
  const wide = version === 1 ? 2 : 4;
  const file = new Uint8Array(8 + wide + text.length + behind.length);
  file.set([0x93, ...new TextEncoder().encode('NUMPY'), version, 0]);
  const view = new DataView(file.buffer);
  if (wide === 2) view.setUint16(8, length ?? text.length, true);
  else view.setUint32(8, length ?? text.length, true);
  file.set(text, 8 + wide);
  file.set(behind, 8 + wide + text.length);
  return file;
}

/** What a promise is rejected with, a PosencError. */
export async function rejectionOf(promise: Promise<unknown>): Promise<PosencError> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof PosencError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}
