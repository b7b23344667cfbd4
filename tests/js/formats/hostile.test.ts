// Headers that lie. Each is refused by name, before anything is made of what it says; and bytes that were changed at random
// give a tensor that lies within the file or a PosencError, and nothing else.
import fc from 'fast-check';
import { PosencError } from 'posenc';
import { openSafetensors, readNpy, readSafetensors, writeNpy, writeSafetensors } from 'posenc/formats';
import { expect, test } from 'vitest';

import { errorOf, loadPosenc, numbers } from '../support/posenc.js';
import { checked } from '../support/checked.js';
import { entry, fileOf, npyOf, rejectionOf } from './support/files.js';

const posenc = await loadPosenc();
const one = entry('F32', [1], 0, 4);
const detached = new Uint8Array(16);
structuredClone(detached.buffer, { transfer: [detached.buffer] });

test.each<[string, unknown, string, RegExp]>([
  ['nothing', undefined, 'invalidType', /undefined/],
  ['text', '{}', 'invalidType', /\{\}/],
  ['floats', new Float32Array(8), 'invalidType', /Float32Array/],
  ['bytes that were given away', detached, 'detached', /detached/],
  ['a buffer that was given away', detached.buffer, 'detached', /detached/],
  ['an empty file', new Uint8Array(0), 'invalidType', /0 bytes/],
  ['7 bytes', new Uint8Array(7), 'invalidType', /7 bytes/],
  ['a header of no bytes', fileOf(''), 'invalidType', /no JSON/],
  ['a header beyond the file', fileOf('{}', 0, 3n), 'invalidType', /header of 3 bytes/],
  ['a header of 2^63 bytes', fileOf('{}', 0, 2n ** 63n), 'invalidType', /header of 9223372036854776000 bytes/],
  ['a header of 2^64 - 1 bytes', fileOf('{}', 0, 2n ** 64n - 1n), 'invalidType', /header of/],
  ['a header of 34 MB', fileOf(`{}${' '.repeat(34e6)}`), 'tooLarge', /header of 34000002 bytes/],
  ['no JSON', fileOf('{"a":'), 'invalidType', /no JSON/],
  ['a list', fileOf('[]'), 'invalidType', /no JSON object/],
  ['null', fileOf('null'), 'invalidType', /no JSON object/],
  ['text behind the object', fileOf('{}x'), 'invalidType', /no JSON/],
  ['a mark of byte order', fileOf('\ufeff{}'), 'invalidType', /no JSON/],
  ['no UTF-8', fileOf(Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x7d)), 'invalidType', /UTF-8/],
  ['a million brackets', fileOf('['.repeat(1e6)), 'invalidType', /nested/],
  ['a million objects', fileOf('{"a":'.repeat(1e6)), 'invalidType', /nested/],
  ['a shape in a list', fileOf(`{"a":${entry('F32', [[1]], 0, 4)}}`, 4), 'invalidType', /nested/],
  ['one name twice', fileOf(`{"a":${one},"a":${one}}`, 4), 'invalidType', /two of "a"/],
  ['one name twice, spelled otherwise', fileOf(`{"a":${one},"\\u0061":${one}}`, 4), 'invalidType', /two of "a"/],
  ['one key twice', fileOf('{"a":{"dtype":"F32","dtype":"F64","shape":[1],"data_offsets":[0,4]}}', 4), 'invalidType', /two of "dtype"/],
  ['metadata twice', fileOf('{"__metadata__":{},"__metadata__":{}}'), 'invalidType', /two of "__metadata__"/],
  ['metadata of numbers', fileOf('{"__metadata__":{"a":1}}'), 'invalidType', /metadata/],
  ['metadata as a list', fileOf('{"__metadata__":["a"]}'), 'invalidType', /metadata/],
  ['metadata null', fileOf('{"__metadata__":null}'), 'invalidType', /metadata/],
  ['an entry null', fileOf('{"a":null}'), 'invalidType', /tensor a without a dtype/],
  ['an entry that is text', fileOf('{"a":"F32"}'), 'invalidType', /tensor a without a dtype/],
  ['an entry of another kind, by inheritance', fileOf('{"a":{"__proto__":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}}', 4), 'invalidType', /nested|without a dtype/],
  ['a type that is not known', fileOf(`{"a":${entry('C64', [1], 0, 8)}}`, 8), 'unsupported', /dtype C64/],
  ['a type that all objects have', fileOf(`{"a":${entry('toString', [1], 0, 4)}}`, 4), 'unsupported', /dtype toString/],
  ['no shape', fileOf('{"a":{"dtype":"F32","data_offsets":[0,4]}}', 4), 'invalidType', /without a shape/],
  ['a shape that is a number', fileOf(`{"a":${entry('F32', 1, 0, 4)}}`, 4), 'invalidType', /without a shape/],
  ['an extent of -1', fileOf(`{"a":${entry('F32', [-1, -1], 0, 4)}}`, 4), 'invalidType', /without a shape/],
  ['half an extent', fileOf(`{"a":${entry('F32', [0.5, 2], 0, 4)}}`, 4), 'invalidType', /without a shape/],
  ['an extent that is text', fileOf(`{"a":${entry('F32', ['1'], 0, 4)}}`, 4), 'invalidType', /without a shape/],
  ['an extent beyond 2^53', fileOf('{"a":{"dtype":"F32","shape":[9007199254740993],"data_offsets":[0,4]}}', 4), 'invalidType', /without a shape/],
  ['an extent of 1e400', fileOf('{"a":{"dtype":"F32","shape":[1e400],"data_offsets":[0,4]}}', 4), 'invalidType', /without a shape/],
  ['33 axes', fileOf(`{"a":${entry('F32', Array(33).fill(1), 0, 4)}}`, 4), 'invalidType', /without a shape/],
  ['a product that is rounded', fileOf(`{"a":${entry('F32', [2 ** 52, 2 ** 52, 2 ** 52], 0, 4)}}`, 4), 'shapeMismatch', /4 bytes/],
  ['a product that wraps to 4 bytes in 64 bits', fileOf(`{"a":${entry('F32', [2 ** 32, 2 ** 32, 1], 0, 4)}}`, 4), 'shapeMismatch', /4 bytes/],
  ['a shape of more than its bytes', fileOf(`{"a":${entry('F32', [2], 0, 4)}}`, 4), 'shapeMismatch', /4 bytes/],
  ['a shape of fewer', fileOf(`{"a":${entry('F32', [1], 0, 8)}}`, 8), 'shapeMismatch', /8 bytes/],
  ['bytes of another width', fileOf(`{"a":${entry('F16', [2], 0, 8)}}`, 8), 'shapeMismatch', /8 bytes/],
  ['no offsets', fileOf('{"a":{"dtype":"F32","shape":[1]}}', 4), 'invalidType', /without data_offsets/],
  ['one offset', fileOf(`{"a":${entry('F32', [1], 0)}}`, 4), 'invalidType', /without data_offsets/],
  ['three offsets', fileOf(`{"a":${entry('F32', [1], 0, 4, 8)}}`, 4), 'invalidType', /without data_offsets/],
  ['a negative offset', fileOf(`{"a":${entry('F32', [1], -4, 0)}}`, 4), 'invalidType', /without data_offsets/],
  ['offsets of text', fileOf(`{"a":${entry('F32', [1], '0', '4')}}`, 4), 'invalidType', /without data_offsets/],
  ['offsets in the wrong order', fileOf(`{"a":${entry('F32', [1], 4, 0)}}`, 4), 'outOfRange', /from byte/],
  ['an end beyond the file', fileOf(`{"a":${entry('F32', [2], 0, 8)}}`, 4), 'outOfRange', /from byte/],
  ['an end of 2^53', fileOf(`{"a":${entry('F32', [2 ** 51 - 1], 0, 2 ** 53 - 4)}}`, 4), 'outOfRange', /from byte/],
  ['a gap in front', fileOf(`{"a":${entry('F32', [1], 4, 8)}}`, 8), 'outOfRange', /tensor a.*gap/],
  ['a gap between', fileOf(`{"a":${one},"b":${entry('F32', [1], 8, 12)}}`, 12), 'outOfRange', /tensor b.*gap/],
  ['bytes behind the last', fileOf(`{"a":${one}}`, 5), 'outOfRange', /1 bytes behind/],
  ['bytes and no tensor', fileOf('{}', 1), 'outOfRange', /1 bytes behind/],
  ['two on the same bytes', fileOf(`{"a":${one},"b":${one}}`, 4), 'outOfRange', /tensor b.*within another/],
  ['two that overlap', fileOf(`{"a":${entry('F32', [2], 0, 8)},"b":${entry('F32', [2], 4, 12)}}`, 12), 'outOfRange', /tensor b.*within another/],
  ['an empty one within another', fileOf(`{"a":${entry('F32', [2], 0, 8)},"b":${entry('F32', [0], 4, 4)}}`, 8), 'outOfRange', /tensor b.*within another/],
])('safetensors: refuses %s', async (_, bytes, code, received) => {
  const error = errorOf(() => readSafetensors(bytes as never));
  expect(error).toMatchObject({ code, parameter: 'bytes' });
  expect(error.received).toMatch(received);
  if (!(bytes instanceof Uint8Array) || bytes === detached) return;
  expect(await rejectionOf(openSafetensors(new Blob([bytes as Uint8Array<ArrayBuffer>])))).toMatchObject({ code, parameter: 'file', received: error.received });
});

const good = "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }";
const four = [0, 0, 0, 0];
const altered = (from: string, to: string): string => good.replace(from, to);

test.each<[string, unknown, string, RegExp]>([
  ['nothing', null, 'invalidType', /null/],
  ['doubles', new Float64Array(8), 'invalidType', /Float64Array/],
  ['bytes that were given away', detached, 'detached', /detached/],
  ['an empty file', new Uint8Array(0), 'invalidType', /0 bytes/],
  ['another file', new TextEncoder().encode('NUMPY is what this is not'), 'invalidType', /begin otherwise/],
  ['a magic number and nothing else', npyOf('').slice(0, 8), 'invalidType', /8 bytes/],
  ['a length cut in two', npyOf('', [], 2).slice(0, 10), 'invalidType', /10 bytes/],
  ['version 0', npyOf(good, four, 0), 'unsupported', /version 0/],
  ['version 4', npyOf(good, four, 4), 'unsupported', /version 4/],
  ['a header beyond the file', npyOf(good, four, 1, 65535), 'invalidType', /header of 65535/],
  ['a header of 4 GB', npyOf(good, four, 2, 2 ** 32 - 1), 'invalidType', /header of 4294967295/],
  ['a header of 20,000 characters', npyOf(good.padEnd(20_000), four), 'tooLarge', /header of 20000/],
  ['a header that is empty', npyOf('', four), 'invalidType', /no dictionary/],
  ['a call in place of a dictionary', npyOf('__import__("os")', four), 'invalidType', /no dictionary/],
  ['a dictionary that does not end', npyOf(good.replace('}', ''), four), 'invalidType', /text of another kind/],
  ['text behind it', npyOf(`${good}{}`, four), 'invalidType', /.*/],
  ['no shape', npyOf(altered("'shape': (1,), ", ''), four), 'invalidType', /descr, fortran_order/],
  ['nothing in it', npyOf('{}', four), 'invalidType', /nothing/],
  ['another key', npyOf(altered("'shape'", "'shapes'"), four), 'invalidType', /"shapes"/],
  ['a key of all objects', npyOf(altered("'shape'", "'toString'"), four), 'invalidType', /"toString"/],
  ['a key twice', npyOf(altered("'shape': (1,)", "'shape': (1,), 'shape': (1,)"), four), 'invalidType', /two of shape/],
  ['an order that is a number', npyOf(altered('False', '0'), four), 'invalidType', /fortran_order/],
  ['a shape that is a number', npyOf(altered('(1,)', '1'), four), 'invalidType', /shape: "1/],
  ['a shape that is a list', npyOf(altered('(1,)', '[1]'), four), 'invalidType', /shape: "\[1/],
  ['an extent of -1', npyOf(altered('(1,)', '(-1,)'), four), 'invalidType', /shape: "\(-1/],
  ['half an extent', npyOf(altered('(1,)', '(0.5,)'), four), 'invalidType', /shape: "\(0\.5/],
  ['a hole in the shape', npyOf(altered('(1,)', '(1,,1)'), four), 'invalidType', /shape \(1,,1\)/],
  ['two numbers without a comma', npyOf(altered('(1,)', '(1 1)'), four), 'invalidType', /shape \(1 1\)/],
  ['a comma alone', npyOf(altered('(1,)', '(,)'), four), 'invalidType', /shape \(,\)/],
  ['an extent beyond 2^53', npyOf(altered('(1,)', '(9007199254740993,)'), four), 'invalidType', /shape/],
  ['33 axes', npyOf(altered('(1,)', `(${'1,'.repeat(33)})`), four), 'invalidType', /shape/],
  ['a product that wraps', npyOf(altered('(1,)', '(4294967296, 4294967296)'), four), 'shapeMismatch', /4 bytes/],
  ['too few numbers', npyOf(altered('(1,)', '(2,)'), four), 'shapeMismatch', /4 bytes/],
  ['too many', npyOf(good, [...four, 0]), 'shapeMismatch', /5 bytes/],
  ['pickled objects', npyOf(altered('<f4', '|O'), four), 'unsupported', /type O/],
  ['text', npyOf(altered('<f4', '<U1'), four), 'unsupported', /type U1/],
  ['bytes of text', npyOf(altered('<f4', '|S4'), four), 'unsupported', /type S4/],
  ['complex numbers', npyOf(altered('<f4', '<c8'), four), 'unsupported', /type c8/],
  ['floats of 128 bits', npyOf(altered('<f4', '<f16'), four), 'unsupported', /type f16/],
  ['dates', npyOf(altered("'<f4'", "'<M8[ns]'"), four), 'invalidType', /descr/],
  ['records', npyOf(altered("'<f4'", "[('x', '<f4')]"), four), 'unsupported', /records/],
  ['a type that is none', npyOf(altered("'<f4'", 'None'), four), 'invalidType', /descr/],
])('npy: refuses %s', (_, bytes, code, received) => {
  const error = errorOf(() => readNpy(bytes as never));
  expect(error).toMatchObject({ code, parameter: 'bytes' });
  expect(error.received).toMatch(received);
});

const files: [string, Uint8Array, (bytes: Uint8Array) => { data: ArrayLike<unknown>; shape: readonly number[] }[]][] = [
  ['safetensors', writeSafetensors({ a: { data: numbers(6), shape: [2, 3] }, b: { dtype: 'F16', data: Uint16Array.of(1, 2), shape: [2] } }, { by: 'me' }), (bytes) => Object.values(readSafetensors(bytes).tensors)],
  ['npy', writeNpy({ data: numbers(6), shape: [2, 3] }), (bytes) => [readNpy(bytes)]],
];

test.each(files)('%s: bytes changed, left out and put in at random', (_, file, read) => {
  const change = fc.record({ at: fc.nat(file.length - 1), remove: fc.nat(3), insert: fc.uint8Array({ maxLength: 3 }) });
  checked(fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) => {
    let bytes = [...file];
    for (const { at, remove, insert } of changes) bytes.splice(at, remove, ...insert);
    try {
      for (const { data, shape } of read(Uint8Array.from(bytes))) {
        if (data.length !== shape.reduce((product, extent) => product * extent, 1)) throw new Error('a tensor that is not whole');
      }
    } catch (error) {
      if (!(error instanceof PosencError)) throw error;
    }
  }), 3000);
});

test('a checkpoint that lies is refused by whoever reads one', async () => {
  const { fromConfig } = await import('posenc/config');
  const { fromSafetensors } = await import('posenc/state');
  const lies = fileOf(`{"wpe.weight":${one},"b":${one}}`, 4);
  const config = { model_type: 'gpt2', n_embd: 8, n_head: 2, n_layer: 1, n_positions: 4 };
  expect(errorOf(() => fromConfig(posenc, config, { weights: lies }))).toMatchObject({ code: 'outOfRange', parameter: 'weights' });
  expect(errorOf(() => fromSafetensors(posenc, lies))).toMatchObject({ code: 'outOfRange', parameter: 'bytes' });
});
