// The builds that posenc/inline carries, and the inflating that unpacks them.
import { readFileSync } from 'node:fs';
import { constants, deflateRawSync } from 'node:zlib';

import { load } from 'posenc/inline';
import { expect, test } from 'vitest';

import { findInlined } from '../../bindings/js/inline/find.js';
import { inflate } from '../../bindings/js/inline/inflate.js';
import { random } from './support/posenc.js';

const build = (name: string): Buffer => readFileSync(new URL(`../../dist/posenc-${name}.wasm`, import.meta.url));

test.each(['simd', 'scalar'] as const)('the %s build is the file beside the library, to the byte', (name) => {
  expect(build(name).equals(findInlined(name, name))).toBe(true);
});

test('where relaxed SIMD runs it takes the simd build, unless relaxed is asked for', async () => {
  expect(build('simd').equals(findInlined('relaxed', 'auto'))).toBe(true);
  expect((await load()).variant).toBe('simd');
  expect((await load({ simd: 'scalar' })).variant).toBe('scalar');
  await expect(load({ simd: 'relaxed' })).rejects.toMatchObject({ code: 'unsupported', parameter: 'simd' });
});

const noise = new Uint8Array(random([20_000], 1).data.buffer);
const runs = Uint8Array.from({ length: 70_000 }, (_, i) => (i % 1000 < 700 ? 7 : i % 13)); // copies of what is just being made
test.each([
  ['nothing', new Uint8Array(0)],
  ['a byte', Uint8Array.of(9)],
  ['noise, which is stored', noise],
  ['runs', runs],
  ['one after the other', Buffer.concat([noise, runs, noise])],
])('inflates what zlib deflated: %s', (_, bytes) => {
  for (const strategy of [constants.Z_DEFAULT_STRATEGY, constants.Z_FIXED, constants.Z_HUFFMAN_ONLY, constants.Z_RLE]) {
    for (const level of [0, 1, 9]) {
      const back = inflate(deflateRawSync(bytes, { level, strategy }), bytes.length);
      expect(Buffer.from(bytes).equals(back)).toBe(true);
    }
  }
});

test.each<[string, Uint8Array, number]>([
  ['data that end too early', deflateRawSync(runs).subarray(0, 100), runs.length],
  ['more than was announced', deflateRawSync(runs), runs.length - 1],
  ['less than was announced', deflateRawSync(runs), runs.length + 1],
  ['a block that is none', Uint8Array.of(7), 1],
])('refuses %s', (_, bytes, size) => {
  expect(() => inflate(bytes, size)).toThrow(RangeError);
});
