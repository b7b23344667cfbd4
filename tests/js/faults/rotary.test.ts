// Faults that users reported of other implementations, section C: rotations.
//
//   C1 angles in half precision            angles: ...
//   C2 layouts mixed                       layouts: ...
//   C4 dynamic NTK does not come back      dynamic: ...
//   C5 YaRN's amplitude                    the amplitude ...
//   C7 sections of M-RoPE                  M-RoPE: ... (equal axes: properties/translation.test.ts)
//   C8 xPos with a cache                   xPos: ... (every rotation: properties/cache.test.ts)
//   C9 a base that is ignored              bases: ...
import type { RotaryEncoding } from 'posenc';
import { describe, expect, test } from 'vitest';

import { errorOf, largestDifference, loadPosenc, random } from '../support/posenc.js';
import { type Sample, headDim, make, samplesIn } from '../support/samples.js';

const posenc = await loadPosenc();
const close = (got: ArrayLike<number>, want: ArrayLike<number>, bound = 1e-6): void => {
  expect(largestDifference(got, want)).toBeLessThanOrEqual(bound);
};
const rotary = samplesIn('rotary').map((sample): [string, Sample] => [sample.title, sample]);

describe('angles', () => {
  test('position 1857 of 32 channels, pair 1: 1044.267841', () => {
    const { cos } = posenc.rope({ headDim: 32 }).table([1857]);
    expect(cos.data[1]).toBeCloseTo(0.306693, 6);
  });

  test('positions 8190 and 8191 are two: their score is cos 1', () => {
    const attention = posenc.attention({ heads: 1, headDim: 2, scale: 1, encodings: [posenc.rope({ headDim: 2 })] });
    const x = { data: Float32Array.of(1, 0), shape: [1, 1, 2] };
    for (const p of [8190, 1e6, 1e7, 2 ** 24]) {
      const score = attention.scores(x, x, 'raw', { positions: { q: [p + 1], k: [p] } }).data[0];
      expect(score).toBeCloseTo(Math.cos(1), 6);
    }
  });

  test.each(rotary)('%s: factors at 1e6 and 1e7 are those of double precision, never above the amplitude', (_, sample) => {
    const encoding = make<RotaryEncoding & { frequencies?(o?: object): { data: Float32Array }; attentionFactor?(o?: object): { data: Float32Array } }>(posenc, sample);
    if (encoding.axes === 1 && encoding.frequencies !== undefined && encoding.attentionFactor !== undefined) {
      for (const p of [1, 1857, 96079, 1e6, 1e7]) {
        const amplitude = encoding.attentionFactor({ reached: p + 1 }).data[0] ?? NaN;
        const { cos, sin } = encoding.table([p]);
        cos.data.forEach((c, m) => {
          expect(Math.hypot(c, sin.data[m] ?? NaN)).toBeCloseTo(amplitude, 5);
          expect(Math.abs(c)).toBeLessThanOrEqual(amplitude);
        });
      }
    }
    encoding.dispose();
  });

  test('sin of the float nearest 96079.33, and cos(-4994642.5)', () => {
    const p = Math.fround(96079.33);
    const table = posenc.rope({ headDim: 2 }).table({ data: [p, -4994642.5], shape: [2] });
    expect(table.sin.data[0]).toBeCloseTo(Math.sin(p), 12);
    expect(Math.abs((table.sin.data[0] ?? NaN) - -2.63353e-7)).toBeLessThan(1e-12);
    expect(table.cos.data[1]).toBeCloseTo(0.963972, 6);
  });

  test('every pair at far positions against double precision', () => {
    for (const dim of [2, 8, 32, 128]) {
      const rope = posenc.rope({ headDim: dim });
      for (const p of [3, 8191, 65536, 1e6, 1e7, 2 ** 24]) {
        const { cos, sin } = rope.table([p]);
        const angles = Array.from(cos.data, (_, m) => p / 10000 ** ((2 * m) / dim));
        close(cos.data, angles.map(Math.cos), 6e-8);
        close(sin.data, angles.map(Math.sin), 6e-8);
      }
    }
  });
});

describe('layouts', () => {
  const x = { data: Float32Array.of(1, 2, 3, 4), shape: [1, 1, 4] };

  test('1 2 3 4 at position 1, in both; at position 0 nothing turns', () => {
    const turned = (layout: 'half' | 'interleaved', p: number): Float32Array => posenc.rope({ headDim: 4, layout }).apply(x, { positions: p }).data;
    close(turned('interleaved', 1), [-1.14264, 1.922076, 2.959851, 4.0298]);
    close(turned('half', 1), [-1.984111, 1.959901, 2.462378, 4.0198]);
    for (const layout of ['half', 'interleaved'] as const) expect(turned(layout, 0)).toEqual(x.data);
  });

  test('permute, rotate, permute back is the other layout: rows of weights of several heads, parts of a head', () => {
    for (const [heads, dim, rotaryDim] of [[1, 4, 4], [3, 8, 8], [2, 8, 6], [2, 10, 4]] as const) {
      const half = posenc.rope({ headDim: dim, rotaryDim, layout: 'half' });
      const interleaved = posenc.rope({ headDim: dim, rotaryDim, layout: 'interleaved' });
      const weights = random([heads * dim, 1], 5);
      const permuted = posenc.rope.permuteWeights(weights, { heads, to: 'half', rotaryDim });
      expect(posenc.rope.permuteWeights(permuted, { heads, to: 'interleaved', rotaryDim }).data).toEqual(weights.data);
      const asHeads = (data: Float32Array): { data: Float32Array; shape: number[] } => ({ data, shape: [heads, 1, dim] });
      const turned = half.apply(asHeads(permuted.data), { positions: 7 });
      const back = posenc.rope.permuteWeights({ data: turned.data, shape: [heads * dim, 1] }, { heads, to: 'interleaved', rotaryDim });
      expect(back.data).toEqual(interleaved.apply(asHeads(weights.data), { positions: 7 }).data);
      expect(turned.data).not.toEqual(interleaved.apply(asHeads(weights.data), { positions: 7 }).data);
    }
  });
});

describe('dynamic', () => {
  const options = { headDim: 128, scaling: { type: 'dynamic', factor: 2, originalLength: 2048 } } as const;
  const base = (frequencies: Float32Array): number => (1 / (frequencies[1] ?? NaN)) ** 64;

  test('base 30527.74 at 4096, 72195.86 at 8192, 10000 up to 2048 and after a long call', () => {
    const rope = posenc.rope(options);
    const plain = posenc.rope({ headDim: 128 });
    const of = (reached: number): number => base(rope.frequencies({ reached }).data);
    expect(of(4096) / 30527.74).toBeCloseTo(1, 5);
    expect(of(8192) / 72195.86).toBeCloseTo(1, 5);
    const short = plain.table(2048);
    expect(rope.table(2048)).toEqual(short);
    expect(rope.table(8192)).not.toEqual(plain.table(8192));
    expect(rope.table(2048)).toEqual(short);
    for (const reached of [1, 100, 2047, 2048]) expect(rope.frequencies({ reached })).toEqual(plain.frequencies());
    const x = random([1, 16, 128]);
    const before = rope.apply(x);
    rope.apply(random([1, 5000, 128]));
    expect(rope.apply(x)).toEqual(before);
    expect(before).toEqual(plain.apply(x));
  });

  test('keys in a cache keep the base of their time; raw ones are turned again', () => {
    const rope = posenc.rope({ headDim, scaling: { type: 'dynamic', factor: 2, originalLength: 4 } });
    const attention = posenc.attention({ heads: 1, headDim, encodings: [rope] });
    const [q, k, v] = [random([1, 1, headDim], 1), random([1, 8, headDim], 2), random([1, 8, headDim], 3)];
    const part = (t: typeof k, from: number, to: number): typeof k => ({ data: t.data.slice(from * headDim, to * headDim), shape: [1, to - from, headDim] });
    const whole = attention.forward(q, k, v, { positions: { q: 7 } }).data;
    const out = (keys: 'raw' | 'rotated'): Float32Array => {
      const cache = attention.cache({ keys });
      cache.append(part(k, 0, 4), part(v, 0, 4));
      const { data } = attention.forward(q, part(k, 4, 8), part(v, 4, 8), { cache, positions: { q: 7 } });
      cache.dispose();
      return data;
    };
    close(out('raw'), whole);
    expect(largestDifference(out('rotated'), whole)).toBeGreaterThan(1e-3);
    attention.dispose();
  });
});

describe('the amplitude', () => {
  const factor = (scaling: object): number | undefined =>
    posenc.rope({ headDim: 64, scaling: { type: 'yarn', originalLength: 4096, ...scaling } as never }).attentionFactor().data[0];

  test('of YaRN: 1.277259 for 16, 1.485203 for 128, a ratio of 1, and the one that is given', () => {
    expect(factor({ factor: 16 })).toBeCloseTo(1.277259, 6);
    expect(factor({ factor: 128 })).toBeCloseTo(1.485203, 6);
    expect(factor({ factor: 16, mscale: 1, mscaleAllDim: 1 })).toBe(1);
    expect(factor({ factor: 40, mscale: 0.707, mscaleAllDim: 0.707 })).toBe(1);
    expect(factor({ factor: 16, attentionFactor: 1 })).toBe(1);
    expect(factor({ factor: 16, attentionFactor: 1.5, mscale: 1, mscaleAllDim: 0.5 })).toBeCloseTo(1.5, 7);
  });

  test.each(rotary)('of %s is on cosine and sine, so that scores carry its square', (_, sample) => {
    const encoding = make<RotaryEncoding & { attentionFactor?(): { data: Float32Array } }>(posenc, sample);
    if (encoding.attentionFactor !== undefined) {
      const amplitude = encoding.attentionFactor().data[0] ?? NaN;
      const x = random([1, 1, headDim], 3);
      const turnedBy = (p: number): Float32Array => encoding.apply(x, { positions: p }).data;
      const square = (t: Float32Array): number => t.subarray(0, encoding.rotaryDim).reduce((sum, value) => sum + value * value, 0);
      expect(square(turnedBy(1))).toBeCloseTo(amplitude ** 2 * square(x.data), 4);
      const back = encoding.invert({ data: turnedBy(3), shape: x.shape }, { positions: 3 }).data;
      close(back, x.data);
    }
    encoding.dispose();
  });
});

describe('M-RoPE', () => {
  const sections = [24, 20, 20];
  test('chunked is 24 t, 20 h, 20 w; interleaved t h w t h w ..., the last four pairs t', () => {
    const axes = (order: 'chunked' | 'interleaved'): number[] => [...posenc.mrope({ headDim: 128, sections, order }).axisOfPairs().data];
    expect(axes('chunked')).toEqual([...Array<number>(24).fill(0), ...Array<number>(20).fill(1), ...Array<number>(20).fill(2)]);
    expect(axes('interleaved')).toEqual(Array.from({ length: 64 }, (_, m) => (m < 60 ? m % 3 : 0)));
  });

  test('position (5, 7, 9), pair 1: from 7 when interleaved, from 5 when chunked', () => {
    const angle = (order: 'chunked' | 'interleaved'): number => {
      const { cos, sin } = posenc.mrope({ headDim: 128, sections, order }).table([[5, 7, 9]]);
      return Math.atan2(sin.data[1] ?? NaN, cos.data[1] ?? NaN);
    };
    const wrap = (x: number): number => Math.atan2(Math.sin(x), Math.cos(x));
    expect(angle('interleaved')).toBeCloseTo(wrap(7 / 10000 ** (2 / 128)), 5);
    expect(angle('chunked')).toBeCloseTo(wrap(5 / 10000 ** (2 / 128)), 5);
  });

  test('an image advances the text by the larger of rows and columns', () => {
    for (const [rows, cols] of [[2, 3], [3, 2], [1, 7], [4, 4]] as const) {
      const positions = posenc.mrope.positions({ data: [2, 0, 0, 1, rows, cols, 1, 0, 0], shape: [3, 3] });
      expect(positions.shape).toEqual([3 + rows * cols, 3]);
      expect([...positions.data.slice(-3)]).toEqual(Array(3).fill(2 + Math.max(rows, cols)));
    }
  });
});

describe('xPos', () => {
  test('the score depends on q - k only: (10, 7), (110, 107) and farther, whole or cached, layouts alike', () => {
    for (const layout of ['half', 'interleaved'] as const) {
      const xpos = posenc.xpos({ headDim, layout });
      const attention = posenc.attention({ heads: 1, headDim, causal: true, encodings: [xpos] });
      const [q, k, v] = [random([1, 1, headDim], 1), random([1, 1, headDim], 2), random([1, 1, headDim], 3)];
      const score = (i: number, j: number): number => attention.scores(q, k, 'raw', { qOffset: 0, positions: { q: [i], k: [j] } }).data[0] ?? NaN;
      for (const by of [100, 1000, 100_000, 1e7]) expect(score(10 + by, 7 + by)).toBeCloseTo(score(10, 7), 5);
      expect(score(7, 3)).not.toBeCloseTo(score(10, 7), 3);
      // The key has the inverse scale: queries and keys turned apart make the same score.
      for (const [i, j] of [[10, 7], [110, 107]] as const) {
        const [a, b] = [xpos.apply(q, { positions: i, side: 'query' }).data, xpos.apply(k, { positions: j, side: 'key' }).data];
        expect(a.reduce((sum, x, c) => sum + x * (b[c] ?? NaN), 0) / Math.sqrt(headDim)).toBeCloseTo(score(i, j), 5);
      }
      for (const start of [0, 100, 5000]) {
        const cache = attention.cache();
        cache.append(k, v, { positions: start });
        const out = attention.forward(q, k, v, { cache, positions: { q: [start + 3], k: [start + 1] } }).data;
        const both = { data: Float32Array.of(...k.data, ...k.data), shape: [1, 2, headDim] };
        const values = { data: Float32Array.of(...v.data, ...v.data), shape: [1, 2, headDim] };
        close(out, attention.forward(q, both, values, { positions: { q: [3], k: [0, 1] } }).data, 2e-6);
        cache.dispose();
      }
      attention.dispose();
      xpos.dispose();
    }
  });
});

describe('bases', () => {
  test.each([1, 10000, 5e5, 5e6, 1e7, 1e9, 4294967 * 1000])('%d is the base of the frequencies', (base) => {
    for (const dim of [2, 8, 128]) {
      const want = Array.from({ length: dim / 2 }, (_, m) => base ** (-2 * m / dim));
      const got = posenc.rope({ headDim: dim, base }).frequencies().data;
      got.forEach((x, m) => expect(x / (want[m] ?? NaN)).toBeCloseTo(1, 6));
    }
  });

  test.each(rotary.filter(([, { info }]) => info.fields.some(({ name }) => name === 'base')))('%s: another base makes other angles; 0, negative ones and NaN are refused', (_, sample) => {
    const at = (base: number): Float32Array => {
      const encoding = make<RotaryEncoding>(posenc, sample, { base });
      const { cos } = encoding.table(encoding.axes === 1 ? [3, 5] : Array.from({ length: 2 }, () => Array.from({ length: encoding.axes }, () => 3)));
      encoding.dispose();
      return cos.data;
    };
    if (sample.values['frequencies'] !== 'linear') {
      expect(at(10000)).not.toEqual(at(5e6));
      expect(at(1e9).every(Number.isFinite)).toBe(true);
    }
    for (const base of [0, -1, -10000, NaN, Infinity, 0.5]) expect(errorOf(() => at(base))).toMatchObject({ code: 'outOfRange', parameter: 'base' });
  });
});
