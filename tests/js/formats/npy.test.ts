// NumPy's files: bytes as NumPy writes them, in every version, type and order.
import { Tensor } from 'posenc';
import { type NpyDtype, type StoredTensor, readNpy, readSafetensors, toFloats, writeNpy, writeSafetensors } from 'posenc/formats';
import { expect, test } from 'vitest';

import { errorOf, loadPosenc, numbers } from '../support/posenc.js';
import { npyOf } from './support/files.js';
import { stored } from './support/stored.js';

const posenc = await loadPosenc();
const bytesOf = (data: ArrayBufferView): number[] => [...new Uint8Array(data.buffer, data.byteOffset, data.byteLength)];
const dictionary = (descr: string, order: string, shape: string): string => `{'descr': '${descr}', 'fortran_order': ${order}, 'shape': ${shape}, }`;

test('what is written is what numpy.save writes, byte by byte', () => {
  // np.save(file, np.array([[1, -2, 0.5]], np.float32)), NumPy 1.17 and later.
  const head = `{'descr': '<f4', 'fortran_order': False, 'shape': (1, 3), }`.padEnd(117) + '\n';
  const want = [0x93, ...Buffer.from('NUMPY'), 1, 0, 118, 0, ...Buffer.from(head), ...bytesOf(Float32Array.of(1, -2, 0.5))];
  expect([...writeNpy(new Tensor(Float32Array.of(1, -2, 0.5), [1, 3]))]).toEqual(want);
  expect(new TextDecoder().decode(writeNpy({ data: numbers(2), shape: [2] }))).toContain("'shape': (2,), }");
  expect(new TextDecoder().decode(writeNpy({ data: numbers(1), shape: [] }))).toContain("'shape': (), }");
});

const names: Readonly<Record<NpyDtype, string>> = { F64: 'f8', F32: 'f4', F16: 'f2', I64: 'i8', I32: 'i4', I16: 'i2', I8: 'i1', U64: 'u8', U32: 'u4', U16: 'u2', U8: 'u1', BOOL: 'b1' };

test.each(Object.keys(names) as NpyDtype[])('%s there and back, of either byte order, in every version', (dtype) => {
  const data = stored[dtype];
  const tensor = { dtype, shape: [3, 1], data } as StoredTensor<NpyDtype>;
  const file = writeNpy(tensor);
  expect(file.length % 64).toBe((data.byteLength) % 64);
  expect(readNpy(file)).toEqual(tensor);
  const width = data.BYTES_PER_ELEMENT;
  const big = bytesOf(data).map((_, at, all) => all[at - (at % width) + width - 1 - (at % width)] as number);
  for (const version of [1, 2, 3]) {
    expect(readNpy(npyOf(dictionary(`<${names[dtype]}`, 'False', '(3, 1)'), bytesOf(data), version))).toEqual(tensor);
    expect(readNpy(npyOf(dictionary(`>${names[dtype]}`, 'False', '(3, 1)'), big, version))).toEqual(tensor);
  }
});

test('an array in the order of Fortran comes out row by row', () => {
  const shape = [2, 3, 4];
  const rows = numbers(24);
  const columns = Float32Array.from({ length: 24 }, (_, at) => rows[(at % 2) * 12 + (Math.floor(at / 2) % 3) * 4 + Math.floor(at / 6)] as number);
  const read = readNpy(npyOf(dictionary('<f4', 'True', '(2, 3, 4)'), bytesOf(columns)));
  expect(read).toEqual({ dtype: 'F32', shape, data: rows });
  const whole = readNpy(npyOf(dictionary('>i8', 'True', '(2, 2)'), [...[1, 2, 3, 4].flatMap((x) => [0, 0, 0, 0, 0, 0, 0, x])]));
  expect(whole.data).toEqual(BigInt64Array.of(1n, 3n, 2n, 4n));
  for (const shapes of ['(3,)', '(1, 3)', '(3, 1)']) {
    expect(readNpy(npyOf(dictionary('|u1', 'True', shapes), [7, 8, 9])).data).toEqual(Uint8Array.of(7, 8, 9));
  }
  expect(readNpy(npyOf(dictionary('<f4', 'True', '(0, 3)')))).toEqual({ dtype: 'F32', shape: [0, 3], data: new Float32Array(0) });
});

test('headers as other writers spell them', () => {
  const want = { dtype: 'U8', shape: [2], data: Uint8Array.of(5, 6) };
  for (const text of [
    `{'descr': '|u1', 'fortran_order': False, 'shape': (2,)}`,
    `{"descr": "u1", "fortran_order": False, "shape": (2,),}   \n`,
    ` { 'shape' : ( 2 , ) , 'fortran_order':False,'descr':'=u1' } `,
    `{'descr': '|u1', 'fortran_order': False, 'shape': (2L,), }`, // Python 2
  ]) {
    expect(readNpy(npyOf(text, [5, 6])), text).toEqual(want);
  }
  expect(readNpy(npyOf(dictionary('<f4', 'False', '()'), bytesOf(Float32Array.of(3))))).toEqual({ dtype: 'F32', shape: [], data: Float32Array.of(3) });
});

test('positions and tensors of calls come straight from a file', () => {
  const positions = readNpy(writeNpy({ data: BigInt64Array.of(4n, 0n, 9n), shape: [3] }));
  const pe = posenc.sinusoidal({ dim: 4 });
  expect(pe.encode(positions.data as BigInt64Array)).toEqual(pe.encode([4, 0, 9]));
  const x = toFloats(readNpy(writeNpy({ dtype: 'F16', ...posenc.toHalf(new Tensor(Float32Array.of(1, 2, 3, 4), [1, 4]), 'f16') })));
  expect(pe.add(x).data).toEqual(Float32Array.of(1, 3, 3, 5));
  const heap = posenc.tensor([1, 4], [1, 2, 3, 4]);
  expect(readNpy(writeNpy(heap))).toEqual({ dtype: 'F32', shape: [1, 4], data: Float32Array.of(1, 2, 3, 4) });
  for (const owned of [pe, heap]) owned.dispose();
});

test.each<[string, unknown, string, string]>([
  ['nothing', undefined, 'invalidType', 'tensor'],
  ['bfloat16, which NumPy has not', { dtype: 'BF16', data: Uint16Array.of(1), shape: [1] }, 'unsupported', 'tensor.dtype'],
  ['a list', { data: [1], shape: [1] }, 'invalidType', 'tensor.data'],
  ['a shape that does not fit', { data: numbers(3), shape: [2] }, 'shapeMismatch', 'tensor'],
])('refuses to write %s', (_, tensor, code, parameter) => {
  expect(errorOf(() => writeNpy(tensor as never))).toMatchObject({ code, parameter });
});

test('a boolean is 0 or 1, in whatever file, read or written', () => {
  const bytes = [0, 1, 1];
  expect(readNpy(npyOf(dictionary('|b1', 'False', '(3,)'), bytes)).data).toEqual(Uint8Array.from(bytes));
  const error = errorOf(() => readNpy(npyOf(dictionary('|b1', 'False', '(3,)'), [0, 255, 1])));
  expect(error).toMatchObject({ code: 'outOfRange', parameter: 'bytes', received: '255 for boolean 1' });
  const tensor = { dtype: 'BOOL', data: Uint8Array.of(1, 2), shape: [2] } as const;
  for (const write of [() => writeNpy(tensor), () => writeSafetensors({ a: tensor })]) expect(errorOf(write)).toMatchObject({ code: 'outOfRange' });
  const file = writeSafetensors({ a: { ...tensor, data: Uint8Array.of(1, 0) } });
  file[file.length - 1] = 2;
  expect(errorOf(() => readSafetensors(file))).toMatchObject({ code: 'outOfRange', received: '2 for boolean 1' });
});
