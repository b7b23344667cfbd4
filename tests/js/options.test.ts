// Options of encodings: every kind of wrong value, and what an encoding tells of itself.
import { afterEach, expect, test } from 'vitest';

import { errorOf, loadPosenc } from './support/posenc.js';

const posenc = await loadPosenc();
const kept = posenc.sinusoidal({ dim: 6 }); // named below too: else a finaliser frees it, and is counted, during a test
const reference = kept.encode(4);
const { encodings } = posenc.memory();

// A refused encoding leaves nothing behind, and the module goes on.
afterEach(() => {
  expect(posenc.memory().encodings).toBe(encodings);
  expect(kept.disposed).toBe(false);
  const again = posenc.sinusoidal({ dim: 6 });
  expect(again.encode(4).data).toEqual(reference.data);
  again.dispose();
});

test.each<[string, object, string, string]>([
  ['an option that does not exist', { dim: 8, bass: 10 }, 'unknownOption', 'bass'],
  ['a group that does not exist', { dim: 8, scaling: { type: 'linear' } }, 'unknownOption', 'scaling'],
  ['a required one missing', {}, 'missingOption', 'dim'],
  ['a required one undefined', { dim: undefined }, 'missingOption', 'dim'],
  ['text for a number', { dim: '8' }, 'invalidType', 'dim'],
  ['true for a number', { dim: true }, 'invalidType', 'dim'],
  ['a list for a number', { dim: [8] }, 'invalidType', 'dim'],
  ['null for a number', { dim: null }, 'invalidType', 'dim'],
  ['a fraction for a whole number', { dim: 8.5 }, 'invalidType', 'dim'],
  ['NaN', { dim: NaN }, 'outOfRange', 'dim'],
  ['Infinity', { dim: Infinity }, 'outOfRange', 'dim'],
  ['zero', { dim: 0 }, 'outOfRange', 'dim'],
  ['a negative number', { dim: -8 }, 'outOfRange', 'dim'],
  ['beyond what a bigint may hold', { dim: 2n ** 70n }, 'invalidType', 'dim'],
  ['zero where it must be above', { dim: 8, base: 0 }, 'outOfRange', 'base'],
  ['NaN for a number', { dim: 8, base: NaN }, 'outOfRange', 'base'],
  ['a choice that is none', { dim: 8, layout: 'diagonal' }, 'outOfRange', 'layout'],
  ['a number for a choice', { dim: 8, layout: 1 }, 'invalidType', 'layout'],
  ['a number for a boolean', { dim: 8, scaleInput: 1 }, 'invalidType', 'scaleInput'],
  ['text for a boolean', { dim: 8, scaleInput: 'yes' }, 'invalidType', 'scaleInput'],
  ['a function', { dim: () => 8 }, 'invalidType', 'dim'],
  ['a name that is no text', { dim: 8, name: 5 }, 'invalidType', 'name'],
  ['an empty name', { dim: 8, name: '' }, 'outOfRange', 'name'],
  ['a seed that is no number', { dim: 8, seed: '1' }, 'invalidType', 'seed'],
  ['a seed with a fraction', { dim: 8, seed: 0.5 }, 'outOfRange', 'seed'],
  ['a negative seed', { dim: 8, seed: -1 }, 'outOfRange', 'seed'],
  ['weights of tensors that it has not', { dim: 8, weights: { table: new Float32Array(8) } }, 'unknownOption', 'weights.table'],
  ['weights that are no object', { dim: 8, weights: 5 }, 'invalidType', 'weights'],
])('refuses %s', (_, options, code, parameter) => {
  expect(errorOf(() => posenc.sinusoidal(options as { dim: number }))).toMatchObject({ code, parameter });
});

test('refuses options that are no object', () => {
  expect(errorOf(() => posenc.sinusoidal(8 as unknown as { dim: number }))).toMatchObject({ code: 'invalidType', parameter: 'options' });
  expect(errorOf(() => posenc.sinusoidal(null as unknown as { dim: number })).code).toBe('invalidType');
});

test('an error says in one line what was wrong', () => {
  const error = errorOf(() => posenc.sinusoidal({ dim: 0 }));
  expect(error.name).toBe('PosencError');
  expect(error).toBeInstanceOf(Error);
  expect(error.message).toBe(`dim: received 0, allowed ${error.allowed}`);
  expect(error.allowed).toContain('at least 1');
});

test('odd rotary widths are an error that says so, not a crash of shapes', () => {
  for (const headDim of [1, 9, 127]) {
    const error = errorOf(() => posenc.rope({ headDim }));
    expect(error.code).toBe('outOfRange');
    expect(error.parameter).toMatch(/headDim|rotaryDim/);
  }
});

test('an encoding tells what it is', () => {
  const plain = posenc.alibi({ heads: 4 });
  const named = posenc.alibi({ heads: 4, name: 'second', seed: 7, sides: 'two' });
  expect(plain).toMatchObject({ id: 'alibi', family: 'bias', name: 'alibi', seed: 0, heads: 4, axes: 1, options: { heads: 4 } });
  expect(named).toMatchObject({ id: 'alibi', name: 'second', seed: 7 });
  expect(Object.isFrozen(named.options)).toBe(true);
  expect(Object.keys(named.parameters)).toEqual(['slopes', 'slopesAhead']);
  for (const encoding of [plain, named]) encoding.dispose();
});

test('a disposed encoding is refused everywhere', () => {
  const alibi = posenc.alibi({ heads: 2 });
  alibi.dispose();
  expect(errorOf(() => alibi.bias(2, 2)).code).toBe('disposed');
  expect(errorOf(() => alibi.parameters).code).toBe('disposed');
  expect(errorOf(() => alibi.slopes).code).toBe('disposed');
  expect(errorOf(() => (alibi.parameters = {})).code).toBe('disposed');
  expect(errorOf(() => alibi.dispose())).toMatchObject({ code: 'disposed', parameter: 'alibi' });
  expect(errorOf(() => posenc.attention({ heads: 2, headDim: 4, encodings: [alibi] }))).toMatchObject({
    code: 'disposed',
    parameter: 'encodings[0]',
  });
});

test('what a nested option is wrong in stands in front of its name', () => {
  const attention = posenc.attention({ heads: 1, headDim: 4 });
  const x = { data: new Float32Array(8), shape: [1, 2, 4] };
  const wrong = (options: object) => errorOf(() => attention.forward(x, x, x, options));
  expect(wrong({ positions: { q: 0, keys: 0 } })).toMatchObject({ code: 'unknownOption', parameter: 'positions.keys', received: 'keys' });
  expect(wrong({ positions: [0, 1] })).toMatchObject({ code: 'invalidType', parameter: 'positions', received: 'Array of length 2', allowed: 'an object of q and k' });
  expect(wrong([])).toMatchObject({ code: 'invalidType', parameter: 'options' });
  expect(errorOf(() => attention.backward(undefined as never))).toMatchObject({ code: 'invalidType', parameter: 'inputs', received: 'undefined' });
  attention.dispose();
  expect(errorOf(() => attention.dispose())).toMatchObject({ code: 'disposed', parameter: 'attention' });
});

test('consoles show the names of classes, though the package is minified', () => {
  const tensor = posenc.tensor([1]);
  const rope = posenc.rope({ headDim: 2 });
  const attention = posenc.attention({ heads: 1, headDim: 2 });
  const objects = [tensor, tensor.toTensor(), rope, attention, attention.cache(), errorOf(() => posenc.rope({ headDim: 1 }))];
  expect(objects.map((object) => object.constructor.name)).toEqual(['HeapTensor', 'Tensor', 'Rope', 'Attention', 'KvCache', 'PosencError']);
  for (const object of [objects[4] as typeof tensor, attention, rope, tensor]) object.dispose();
});
