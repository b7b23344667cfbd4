// What attention refuses, when it is made and when it is called.
import type { Attention, TensorLike } from 'posenc';
import { expect, test } from 'vitest';

import { dim, heads, inputs, kvHeads, plain } from './support/attention-inputs.js';
import { errorOf, largestDifference, loadPosenc, random } from './support/posenc.js';

const posenc = await loadPosenc();

const setup = inputs([], 3, 4);
const forward = (options: object): ((attention: Attention) => unknown) => (attention) => attention.forward(setup.q, setup.k, setup.v, options);

test.each<[string, (attention: Attention) => unknown, string, string]>([
  ['heads of q', (a) => a.forward(random([3, 3, dim]), setup.k, setup.v), 'shapeMismatch', 'q'],
  ['width of k', (a) => a.forward(setup.q, random([kvHeads, 4, dim + 1]), setup.v), 'shapeMismatch', 'k'],
  ['length of v', (a) => a.forward(setup.q, setup.k, random([kvHeads, 5, dim])), 'shapeMismatch', 'v'],
  ['batch of k', (a) => a.forward(random([2, heads, 3, dim]), setup.k, setup.v), 'shapeMismatch', 'k'],
  ['kind of q', (a) => a.forward({ data: new Float64Array(96), shape: [heads, 3, dim] } as unknown as TensorLike, setup.k, setup.v), 'invalidType', 'q.data'],
  ['shape of the mask', forward({ mask: random([2, 4]) }), 'shapeMismatch', 'mask'],
  ['rank of the mask', forward({ mask: random([1, 1, 1, 3, 4]) }), 'shapeMismatch', 'mask'],
  ['kind of the mask', forward({ mask: { data: new Int32Array(4), shape: [4] } }), 'invalidType', 'mask.data'],
  ['numbers in a boolean mask', forward({ mask: { data: [1, 0, 1, 1], shape: [4] } }), 'invalidType', 'mask.data'],
  ['number of keyLengths', forward({ keyLengths: [3, 4] }), 'shapeMismatch', 'keyLengths'],
  ['fraction in keyLengths', forward({ keyLengths: [2.5] }), 'invalidType', 'keyLengths[0]'],
  ['fraction in qOffset', forward({ qOffset: 0.5 }), 'invalidType', 'qOffset[0]'],
  ['size of qOffset', forward({ qOffset: 2 ** 40 }), 'outOfRange', 'qOffset[0]'],
  ['half of the segments', forward({ segments: { q: [0, 0, 0] } }), 'missingOption', 'segments.k'],
  ['number of segments', forward({ segments: [0, 0, 0] }), 'shapeMismatch', 'segments.k'],
  ['length of positions', forward({ positions: { k: [0, 1, 2] } }), 'shapeMismatch', 'positions.k'],
  ['names of positions', forward({ positions: { keys: 1 } }), 'unknownOption', 'positions.keys'],
  ['layout', forward({ layout: 'bshd' }), 'outOfRange', 'layout'],
  ['an unknown option', forward({ causal: true }), 'unknownOption', 'causal'],
  ['shape of into', forward({ into: new Float32Array(5) }), 'shapeMismatch', 'into'],
  ['into that is an input', forward({ into: setup.q }), 'aliasing', 'into'],
])('refuses wrong %s, and goes on', (_, call, code, parameter) => {
  const attention = posenc.attention({ heads, kvHeads, headDim: dim });
  expect(errorOf(() => call(attention))).toMatchObject({ code, parameter });
  const out = attention.forward(setup.q, setup.k, setup.v);
  expect(largestDifference(out.data, plain(setup, 3, 4, () => 0))).toBeLessThan(1e-6);
  attention.dispose();
});

test.each<[string, object, string, string]>([
  ['no heads', { headDim: dim }, 'missingOption', 'heads'],
  ['key heads that do not divide', { heads: 4, kvHeads: 3, headDim: dim }, 'outOfRange', 'kvHeads'],
  ['a causal that is none', { heads, headDim: dim, causal: 'left' }, 'outOfRange', 'causal'],
  ['an unknown option', { heads, headDim: dim, dropout: 0.1 }, 'unknownOption', 'dropout'],
  ['an unknown option of a group', { heads, headDim: dim, window: { size: 4 } }, 'unknownOption', 'window.size'],
  ['encodings that are no list', { heads, headDim: dim, encodings: {} }, 'invalidType', 'encodings'],
  ['something that is no encoding', { heads, headDim: dim, encodings: [{ id: 'rope' }] }, 'invalidType', 'encodings[0]'],
])('refuses an attention with %s', (_, options, code, parameter) => {
  expect(errorOf(() => posenc.attention(options as { heads: number; headDim: number }))).toMatchObject({ code, parameter });
});

test('refuses encodings that do not fit', () => {
  const [one, two] = [posenc.alibi({ heads }), posenc.alibi({ heads })];
  const narrow = posenc.rope({ headDim: 4 });
  const input = posenc.sinusoidal({ dim: heads * dim });
  const make = (...encodings: Parameters<typeof posenc.attention>[0]['encodings'] & {}): (() => unknown) => () => posenc.attention({ heads, headDim: dim, encodings });
  expect(errorOf(make(one, two))).toMatchObject({ code: 'outOfRange', parameter: 'encodings[1].name' });
  expect(errorOf(make(posenc.alibi({ heads: 3 }))).code).toBe('shapeMismatch');
  expect(errorOf(make(narrow)).code).toBe('shapeMismatch');
  expect(errorOf(make(input)).code).toBe('unsupported');
  for (const encoding of [one, two, narrow, input]) encoding.dispose();
});

test('an encoding disposed under an attention is an error, not a stale answer', () => {
  const alibi = posenc.alibi({ heads });
  const attention = posenc.attention({ heads, kvHeads, headDim: dim, encodings: [alibi] });
  alibi.dispose();
  expect(errorOf(() => attention.forward(setup.q, setup.k, setup.v))).toMatchObject({ code: 'disposed', parameter: 'encodings[0]' });
  attention.dispose();
  expect(errorOf(() => attention.forward(setup.q, setup.k, setup.v))).toMatchObject({ code: 'disposed', parameter: 'attention' });
});
