// Tensors of a file that the visitor has chosen or dropped, as floats by name.
import { PosencError } from 'posenc';
import { readNpy, readSafetensors, toFloats, type Floats } from 'posenc/formats';
import { readJsonTensors } from './json.js';

const largestFile = 256 * 2 ** 20;

export async function readTensors(file: File): Promise<Record<string, Floats>> {
  if (file.size > largestFile) throw new PosencError('outOfRange', 'file', `${file.size} bytes`, `at most ${largestFile} bytes`);
  if (/\.json$/i.test(file.name)) return readJsonTensors(await file.text());
  const bytes = new Uint8Array(await file.arrayBuffer());
  const tensors = bytes[0] === 0x93 ? { tensor: readNpy(bytes) } : readSafetensors(bytes).tensors;
  return Object.fromEntries(Object.entries(tensors).map(([name, tensor]) => [name, toFloats(tensor)]));
}
