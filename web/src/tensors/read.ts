// Tensors of a file that the visitor has chosen or dropped, as floats by name.
import { PosencError, type Posenc } from 'posenc';
import { readSafetensors } from 'posenc/state';
import { readJsonTensors } from './json.js';
import { readNpy, type Floats } from './npy.js';

const largestFile = 256 * 2 ** 20;

function fromSafetensors(posenc: Posenc, bytes: Uint8Array): Record<string, Floats> {
  const entries = Object.entries(readSafetensors(bytes).tensors).map(([name, { dtype, shape, data }]): [string, Floats] => {
    if (data instanceof Uint16Array) return [name, posenc.fromHalf(data, shape, dtype === 'BF16' ? 'bf16' : 'f16')];
    return [name, { shape, data: data instanceof Float32Array ? data : Float32Array.from(data as ArrayLike<number | bigint>, Number) }];
  });
  return Object.fromEntries(entries);
}

export async function readTensors(posenc: Posenc, file: File): Promise<Record<string, Floats>> {
  if (file.size > largestFile) throw new PosencError('outOfRange', 'file', `${file.size} bytes`, `at most ${largestFile} bytes`);
  if (/\.json$/i.test(file.name)) return readJsonTensors(await file.text());
  const bytes = new Uint8Array(await file.arrayBuffer());
  return bytes[0] === 0x93 ? { tensor: readNpy(bytes) } : fromSafetensors(posenc, bytes);
}
