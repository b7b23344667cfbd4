// Encodings and layers to JSON and safetensors and back: the same bits.
import { type AttentionLayer, type Encoding, type InputEncoding, PosencError, type Tensor } from 'posenc';
import { catalog } from 'posenc/catalog';
import { writeSafetensors } from 'posenc/formats';
import { fromJSON, fromSafetensors, toJSON, toSafetensors } from 'posenc/state';
import { expect, test } from 'vitest';

import { errorOf, loadPosenc, numbers, random } from './support/posenc.js';

const posenc = await loadPosenc();

/** Both ways there and back. */
const ways: [string, (object: Encoding<object> | AttentionLayer) => Encoding<object> | AttentionLayer][] = [
  ['JSON', (object) => fromJSON(posenc, JSON.stringify(toJSON(object)))],
  ['safetensors', (object) => fromSafetensors(posenc, toSafetensors(object))],
];
const bits = (tensors: object): object =>
  Object.fromEntries(Object.entries(tensors as Record<string, Tensor>).map(([name, { data, shape }]) => [name, [shape, new Uint32Array(data.buffer, data.byteOffset, data.length)]]));

test.each(ways)('an encoding through %s: options, name, seed and every bit of its tensors', (_, there) => {
  const slopes = Float32Array.of(-0, 1e-45, 0.1, 3.4028234663852886e38);
  const alibi = posenc.alibi({ heads: 4, trainable: true, sides: 'symmetric', name: 'far', seed: 7, weights: { slopes } });
  const again = there(alibi) as typeof alibi;
  expect(again).toMatchObject({ id: 'alibi', name: 'far', seed: 7 });
  expect(again.options).toMatchObject({ heads: 4, trainable: true, sides: 'symmetric' });
  expect(bits(again.parameters)).toEqual(bits(alibi.parameters));
  expect(new Uint32Array(again.slopes.data.buffer)[0]).toBe(0x80000000);
  for (const encoding of [alibi, again]) encoding.dispose();

  const factors = Float32Array.of(1.25, 2);
  const rope = posenc.rope({ headDim: 4, scaling: { type: 'longrope', factor: 4, originalLength: 8, shortFactor: factors, longFactor: [4, 5] } });
  const turned = there(rope) as typeof rope;
  expect(turned.table([3, 9])).toEqual(rope.table([3, 9]));
  for (const encoding of [rope, turned]) encoding.dispose();
});

test.each(ways)('a layer with its encodings through %s', (_, there) => {
  const rows = posenc.sinusoidal({ dim: 8 });
  const alibi = posenc.alibi({ heads: 2, trainable: true, name: 'far', weights: { slopes: numbers(2) } });
  const layer = posenc.attentionLayer({ dim: 8, heads: 2, causal: true, window: { left: 3 }, weightLayout: 'outIn', seed: 4, encodings: [rows, alibi], weights: { bo: numbers(8) } });
  const again = there(layer) as AttentionLayer;
  expect(again.encodings.map(({ id, name }) => [id, name])).toEqual([['sinusoidal', 'sinusoidal'], ['alibi', 'far']]);
  expect(bits(again.parameters)).toEqual(bits(layer.parameters));
  const x = random([5, 8], 1);
  expect(again.forward(x).data).toEqual(layer.forward(x).data);
  for (const each of [layer, again]) {
    each.dispose();
    for (const encoding of each.encodings) encoding.dispose();
  }
});

test('every encoding that needs only numbers comes back', () => {
  const simple = catalog.encodings.filter(({ fields }) => fields.every(({ required, type }) => !required || type === 'integer' || type === 'number'));
  expect(simple.length).toBeGreaterThan(2);
  for (const { id, fields, family } of simple) {
    const options = Object.fromEntries(fields.filter(({ required, condition }) => required && condition === undefined).map(({ name }) => [name, 8]));
    const make = (posenc as unknown as Record<string, (options: object) => Encoding<object>>)[id]!;
    let encoding: Encoding<object>;
    try {
      encoding = make(options);
    } catch {
      continue; // eight of everything does not suit it
    }
    const again = fromSafetensors(posenc, toSafetensors(encoding)) as typeof encoding;
    expect(bits(again.parameters)).toEqual(bits(encoding.parameters));
    if (family === 'input' && encoding.axes === 1) {
      const [a, b] = [encoding, again].map((each) => (each as InputEncoding).encode(2).data);
      expect(a).toEqual(b);
    }
    for (const each of [encoding, again]) each.dispose();
  }
});

const saved = toJSON(posenc.alibi({ heads: 2 }));
const savedLayer = (() => {
  const rope = posenc.rope({ headDim: 4 });
  return toJSON(posenc.attentionLayer({ dim: 8, heads: 2, encodings: [rope] }));
})();

test('what was saved and then changed anywhere is loaded, or refused by name, and leaves nothing behind', () => {
  const values = [undefined, null, 0, -1, 2 ** 31, 1e300, '', 'toString', '__proto__', 'memory', 'pool', 'tensor', true, [], [null], [[]], {}, { data: 5 }, { data: 'AAAA', shape: null }];
  const paths = (value: unknown): string[][] =>
    typeof value === 'object' && value !== null ? Object.entries(value).flatMap(([key, inner]) => [[key], ...paths(inner).map((rest) => [key, ...rest])]) : [];
  const changed = (value: unknown, [key, ...rest]: string[], to: unknown): unknown => {
    if (key === undefined) return to;
    const copy: Record<string, unknown> | unknown[] = Array.isArray(value) ? [...(value as unknown[])] : { ...(value as object) };
    (copy as Record<string, unknown>)[key] = changed((value as Record<string, unknown>)[key], rest, to);
    return copy;
  };
  const before = posenc.memory();
  let refused = 0;
  for (const whole of [saved, savedLayer]) {
    for (const path of [[], ...paths(whole)]) {
      for (const value of values) {
        try {
          const object = fromJSON(posenc, changed(whole, path, value) as never);
          object.dispose();
          if (!('family' in object)) for (const encoding of object.encodings) encoding.dispose();
        } catch (error) {
          if (!(error instanceof PosencError)) throw new Error(`${path.join('.')} = ${JSON.stringify(value)}`, { cause: error });
          refused++;
        }
      }
    }
  }
  expect(refused).toBeGreaterThan(300);
  expect(posenc.memory()).toEqual({ ...before, heapBytes: posenc.memory().heapBytes, usedBytes: posenc.memory().usedBytes });
});

test.each<[string, () => unknown, string, string]>([
  ['a function of the module that is no encoding', () => fromJSON(posenc, { ...saved, id: 'pool' } as never), 'unknownOption', 'saved'],
  ['a list', () => fromJSON(posenc, '[]'), 'invalidType', 'saved'],
  ['null', () => fromJSON(posenc, 'null'), 'invalidType', 'saved'],
  ['a tensor null', () => fromJSON(posenc, { ...saved, tensors: { slopes: null } } as never), 'invalidType', 'saved.tensors.slopes'],
  ['options that are a list', () => fromJSON(posenc, { ...saved, options: [] } as never), 'invalidType', 'saved.options'],
  ['encodings that are none', () => fromJSON(posenc, { ...savedLayer, encodings: {} } as never), 'invalidType', 'saved.encodings'],
  ['an encoding null', () => fromJSON(posenc, { ...savedLayer, encodings: [null] } as never), 'invalidType', 'saved.encodings'],
  ['a description null', () => fromSafetensors(posenc, writeSafetensors({}, { posenc: 'null' })), 'invalidType', 'bytes'],
  ['half floats in place of floats', () => fromSafetensors(posenc, writeSafetensors({ slopes: { dtype: 'F16', data: Uint16Array.of(1, 2), shape: [2] } }, { posenc: JSON.stringify(saved) })), 'invalidType', 'bytes'],
  ['an empty file', () => fromSafetensors(posenc, new Uint8Array(4)), 'invalidType', 'bytes'],
  ['a header beyond the file', () => fromSafetensors(posenc, Uint8Array.of(255, 0, 0, 0, 0, 0, 0, 0, 1)), 'invalidType', 'bytes'],
  ['a header that is no JSON', () => fromSafetensors(posenc, Uint8Array.of(1, 0, 0, 0, 0, 0, 0, 0, 120)), 'invalidType', 'bytes'],
  ['a file of others', () => fromSafetensors(posenc, writeSafetensors({})), 'missingOption', 'bytes'],
  ['an encoding without a tensor', () => fromJSON(posenc, { ...saved, tensors: {} }), 'missingOption', 'saved'],
  ['a layer without a weight', () => fromJSON(posenc, { ...savedLayer, tensors: { ...savedLayer.tensors, Wk: undefined as never } }), 'invalidType', 'saved.tensors.Wk'],
  ['a layer without weights', () => fromJSON(posenc, { ...savedLayer, tensors: {} }), 'missingOption', 'saved'],
  ['a file without a tensor', () => fromSafetensors(posenc, writeSafetensors({}, { posenc: JSON.stringify(saved) })), 'missingOption', 'bytes'],
  ['a file cut short', () => fromSafetensors(posenc, toSafetensors(posenc.alibi({ heads: 2 })).slice(0, -4)), 'outOfRange', 'bytes'],
  ['text that is no JSON', () => fromJSON(posenc, 'x'), 'invalidType', 'saved'],
  ['JSON of something else', () => fromJSON(posenc, '{}'), 'invalidType', 'saved'],
  ['an encoding of another version', () => fromJSON(posenc, { kind: 'encoding', id: 'later', name: 'later', seed: 0, options: {}, tensors: {} }), 'unknownOption', 'saved'],
  ['a tensor that is none', () => fromJSON(posenc, { ...toJSON(posenc.alibi({ heads: 2 })), tensors: { slopes: { shape: [2], data: 'AAA' } } }), 'invalidType', 'saved.tensors.slopes'],
  ['a tensor of another shape', () => fromJSON(posenc, { ...toJSON(posenc.alibi({ heads: 2 })), tensors: { slopes: { shape: [1], data: 'AAAAAA==' } } }), 'shapeMismatch', 'weights.slopes'],
])('refuses %s', (_, call, code, parameter) => {
  expect(errorOf(call)).toMatchObject({ code, parameter });
});

test('what is no encoding, no layer or no instance is refused by name', () => {
  for (const object of [undefined, null, 3, {}, [], new Float32Array(1)]) {
    expect(errorOf(() => toSafetensors(object as never))).toMatchObject({ code: 'invalidType', parameter: 'object' });
    expect(errorOf(() => toJSON(object as never))).toMatchObject({ code: 'invalidType', parameter: 'object' });
  }
  expect(errorOf(() => fromSafetensors(new Uint8Array(8) as never, undefined as never))).toMatchObject({ code: 'invalidType', parameter: 'posenc' });
  expect(errorOf(() => fromJSON(undefined as never, '{}'))).toMatchObject({ code: 'invalidType', parameter: 'posenc' });
});
