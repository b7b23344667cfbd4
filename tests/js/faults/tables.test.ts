// Faults that users reported of other implementations, section A: rows of positions, computed and from tables. Each name
// says what went wrong elsewhere; every encoding with the same kind of input is tried, from the catalogue.
//
//   A1 odd widths                          odd widths: ...
//   A2 exponents per column                columns 2i and 2i + 1 share an angle ...
//   A3 precedence of a floor division      the slowest wavelength ...
//   A4 half precision within the formula   rows are rounded to halves at the end ...
//   A5 past the end of a table             past the end: ... (and relations in relations.test.ts)
//   A6 reserved rows and left padding      padding on the left ... (and attention in attention.test.ts)
//   A7 integer inputs                      whole numbers for positions ...
import type { Encoding, InputEncoding } from 'posenc';
import { PosencError } from 'posenc';
import { type CatalogField, catalog } from 'posenc/catalog';
import { describe, expect, test } from 'vitest';

import { errorOf, largestDifference, loadPosenc, random } from '../support/posenc.js';
import { type Sample, completed, headDim, holds, make, places, samples, samplesIn } from '../support/samples.js';

const posenc = await loadPosenc();
const close = (got: ArrayLike<number>, want: ArrayLike<number>, bound = 1e-6): void => {
  expect(largestDifference(got, want)).toBeLessThanOrEqual(bound);
};

describe('odd widths', () => {
  test('of sines: values at width 3, 5, 29 and 127, in every layout', () => {
    close(posenc.sinusoidal({ dim: 5 }).encode([1]).data, [0.841471, 0.540302, 0.025116, 0.999685, 0.000631]);
    close(posenc.sinusoidal({ dim: 3 }).encode([1]).data, [0.841471, 0.540302, 0.002154]);
    for (const dim of [1, 3, 5, 9, 29, 127, 169]) {
      const angle = (i: number, p: number): number => p / 10000 ** ((2 * i) / dim);
      for (const p of [0, 1, 77]) {
        const row = Array.from({ length: dim }, (_, c) => (c % 2 === 0 ? Math.sin : Math.cos)(angle(Math.floor(c / 2), p)));
        close(posenc.sinusoidal({ dim }).encode([p]).data, row, 1e-7);
        // Marian: the sines get the odd one.
        const sorted = [...row.filter((_, c) => c % 2 === 0), ...row.filter((_, c) => c % 2 === 1)];
        close(posenc.sinusoidal({ dim, layout: 'concat' }).encode([p]).data, sorted, 1e-7);
        const padded = posenc.sinusoidal({ dim, layout: 'concat', exponent: 'tensor2tensor', odd: 'zero' }).encode([p]).data;
        expect(padded[dim - 1]).toBe(0);
      }
    }
  });

  test('169 channels on two axes', () => {
    for (const dim of [1, 2, 3, 7, 169]) {
      const made = attempt(() => posenc.grid({ dim }).encode([3, 4]));
      if (made instanceof PosencError) expect(made).toMatchObject({ parameter: 'dim' });
      else expect(made.shape).toEqual([3, 4, dim]);
    }
  });

  test('of rotations are an error that names the width', () => {
    for (const { id, fields } of catalog.encodings.filter(({ family }) => family === 'rotary')) {
      for (const width of [1, 3, 5, 9, 127]) {
        for (const name of ['headDim', 'rotaryDim'].filter((each) => fields.some((field) => field.name === each))) {
          const options = name === 'headDim' ? { headDim: width } : { headDim: 128, rotaryDim: width };
          const error = errorOf(() => make(posenc, { id, values: {} } as never, options));
          expect(['outOfRange', 'shapeMismatch']).toContain(error.code);
          expect(error.parameter).toMatch(/headDim|rotaryDim/);
        }
      }
      // A part may turn where the head is odd.
      expect(make(posenc, { id, values: {} } as never, { headDim: 9, rotaryDim: 8 })).toMatchObject({ rotaryDim: 8 });
    }
  });

  const isWidth = ({ name, type }: CatalogField): boolean => type === 'integer' && /(^dim|[dD]im|hidden|width|features|rank|digits|bands|frequencies)$/.test(name);
  const widths = samples.flatMap((sample) => sample.info.fields.filter((field) => isWidth(field) && holds(field, sample.values, sample.info)).map((field): [string, Sample, string] => [`${sample.title}, ${field.name}`, sample, field.name]));
  test.each(widths)('%s: every width works or is refused by name', (_, sample, name) => {
    let worked = 0;
    for (const width of [1, 2, 3, 4, 5, 7, 8, 9, 16, 29, 127]) {
      const made = attempt(() => make(posenc, { ...sample, values: completed(sample.info, { ...sample.values, [name]: width }) }));
      if (made instanceof PosencError) {
        expect(made.parameter).not.toBe('');
        continue;
      }
      worked++;
      if (made.family === 'input' && !(made as InputEncoding).readsX) {
        const rows = (made as InputEncoding).encode(places(made.axes, 0, 2));
        expect(rows.data.every(Number.isFinite)).toBe(true);
        expect(rows.shape).toEqual([2, (made as InputEncoding).width]);
      }
      made.dispose();
    }
    expect(worked).toBeGreaterThan(0);
  });
});

/** What a call gives, or the error that names what was wrong with it; anything else thrown is thrown on. */
function attempt<Result>(call: () => Result): Result | PosencError {
  try {
    return call();
  } catch (error) {
    if (error instanceof PosencError) return error;
    throw error;
  }
}

test('columns 2i and 2i + 1 share an angle, which the divisor divides', () => {
  const row = posenc.sinusoidal({ dim: 8 }).encode([1]).data;
  close(row, [0.841471, 0.540302, 0.099833, 0.995004, 0.01, 0.99995, 0.001, 1]);
  for (const base of [1, 2, 10000, 5e5, 1e9]) {
    for (const dim of [2, 6, 8, 64]) {
      const got = posenc.sinusoidal({ dim, base }).encode([3]).data;
      close(got, Array.from(got, (_, c) => (c % 2 === 0 ? Math.sin : Math.cos)(3 / base ** (Math.floor(c / 2) * 2 / dim))), 1e-7);
    }
  }
});

test('the slowest wavelength of n columns is 2π·base^((n - 2) / n), on one axis and on two', () => {
  for (const n of [4, 64, 128]) {
    const slowest = 1 / 10000 ** ((n - 2) / n);
    const row = posenc.sinusoidal({ dim: n }).encode([1]).data;
    close(row.slice(-2), [Math.sin(slowest), Math.cos(slowest)], 1e-7);
    const grid = posenc.grid({ dim: 2 * n }).encode({ data: [1, 1], shape: [1, 2] }).data;
    close([grid[n - 1], grid[2 * n - 1]].map((x) => Number(x)), [Math.cos(slowest), Math.cos(slowest)], 1e-7);
    for (let i = 0; i < n / 2; i++) {
      const angle = 1 / 10000 ** (2 * i / n);
      const [first, second] = [grid.slice(0, n), grid.slice(n)];
      // Whatever the layout, both halves hold every pair once.
      for (const half of [first, second]) expect(Math.min(...Array.from(half, (x) => Math.abs(x - Math.sin(angle))))).toBeLessThan(1e-7);
    }
  }
});

test.each(['f16', 'bf16'] as const)('rows are rounded to halves at the end: %s, to position 100,000', (format) => {
  const dim = 32;
  const pe = posenc.sinusoidal({ dim });
  const bits = format === 'f16' ? 10 : 7;
  for (const offset of [0, 1857, 8190, 65504, 100_000 - 64]) {
    const rows = pe.encode(64, { offset });
    const halves = posenc.toHalf(rows, format);
    const wide = posenc.fromHalf(halves.data, halves.shape, format).data;
    for (let at = 0; at < wide.length; at++) {
      const [p, c] = [offset + Math.floor(at / dim), at % dim];
      const exact = (c % 2 === 0 ? Math.sin : Math.cos)(p / 10000 ** ((2 * Math.floor(c / 2)) / dim));
      const step = 2 ** (Math.max(Math.floor(Math.log2(Math.abs(exact))), format === 'f16' ? -14 : -126) - bits);
      expect(Math.abs((wide[at] ?? NaN) - exact)).toBeLessThanOrEqual(step / 2 + 4e-8);
    }
  }
});

describe('past the end', () => {
  test('8 rows, offset 6, length 3: an error naming 8 and 9, or the policy that was named', () => {
    const learned = posenc.learned({ dim: 4, maxLength: 8 });
    const error = errorOf(() => learned.encode(3, { offset: 6 }));
    expect(error).toMatchObject({ code: 'outsideDomain' });
    expect(`${error.message}`).toMatch(/\b8\b.*\b9\b|\b9\b.*\b8\b/);
    const rows = learned.parameters.table.toArray() as number[][];
    const same = (extend: 'clamp' | 'wrap'): number[][] =>
      posenc.learned({ dim: 4, maxLength: 8, extend, weights: { table: learned.table } }).encode(4, { offset: 6 }).toArray() as number[][];
    expect(same('clamp')).toEqual([rows[6], rows[7], rows[7], rows[7]]);
    expect(same('wrap')).toEqual([rows[6], rows[7], rows[0], rows[1]]);
  });

  const bounded = samplesIn('input').filter(({ info, id }) => id !== 'conv' && info.domain.kind !== 'reals');
  test.each(bounded.map((sample): [string, Sample] => [sample.title, sample]))('%s: no row is read from elsewhere', (_, sample) => {
    const encoding = make<InputEncoding>(posenc, sample);
    const { axes, width } = encoding;
    const into = new Float32Array(width).fill(7);
    const one = (p: number): PosencError | Float32Array => attempt(() => encoding.encode(axes === 1 ? [p] : [Array.from({ length: axes }, () => p)], { into }));
    const policy = ['extend', 'outside'].some((name) => !['error', undefined].includes(sample.values[name] as string | undefined));
    for (const p of [NaN, 1.5, Infinity, -Infinity, -0.25, 2 ** 53, ...(policy ? [] : [-1, -(2 ** 31)])]) {
      if (sample.id === 'learned' && p === -1) continue; // -1 may be padding: its own test in learned_test.cpp
      const made = one(p);
      if (made instanceof PosencError) {
        expect(made.code).toBe('outsideDomain');
        expect(made.parameter).toMatch(/positions/);
        expect([...into]).toEqual(Array.from(into, () => 7));
      } else {
        // A policy that takes it reads rows that there are.
        expect(policy).toBe(true);
        expect(made.every(Number.isFinite)).toBe(true);
        into.fill(7);
      }
    }
    // The first position that is refused: everything from there on is, contiguous or given.
    if (!policy && one(2 ** 31 - 2) instanceof PosencError) {
      let [works, fails] = [0, 2 ** 31 - 2];
      while (fails - works > 1) {
        const middle = Math.floor((works + fails) / 2);
        if (one(middle) instanceof PosencError) fails = middle;
        else works = middle;
      }
      into.fill(7);
      for (const beyond of [fails, fails + 1, 2 ** 31, 2 ** 32, 2 ** 32 + 1]) expect(one(beyond)).toMatchObject({ code: 'outsideDomain' });
      if (axes === 1) {
        const error = errorOf(() => encoding.encode(3, { offset: works - 1 }));
        expect(error.code).toBe('outsideDomain');
        expect(error.message).toContain(String(fails));
        const long = new Float32Array(3 * width).fill(7);
        expect(errorOf(() => encoding.encode(3, { offset: works - 1, into: long })).code).toBe('outsideDomain');
        expect(long.every((x) => x === 7)).toBe(true);
        expect(errorOf(() => encoding.add(random([3, width]), { positions: works - 1 })).code).toBe('outsideDomain');
        expect(errorOf(() => encoding.backward(random([3, width]), { positions: works - 1 })).code).toBe('outsideDomain');
        expect(encoding.encode(2, { offset: works - 1 }).shape).toEqual([2, width]);
      }
    }
    encoding.dispose();
  });

  test('relative tables: Shaw with 10 rows and length 11, Transformer-XL, CoPE', () => {
    const x = random([1, 11, 8]);
    for (const beyond of ['error', 'clip'] as const) {
      const shaw = posenc.shaw({ headDim: 8, left: 9, beyond });
      const attention = posenc.attention({ heads: 1, headDim: 8, encodings: [shaw] });
      const made = attempt(() => attention.forward(x, x, x));
      if (beyond === 'clip') expect(made).toMatchObject({ shape: [1, 11, 8] });
      else expect(made).toMatchObject({ code: 'outsideDomain' });
      attention.dispose();
    }
  });
});

describe('padding on the left', () => {
  test('mask 0, 0, 1, 1, 1: real tokens get 0, 1, 2', () => {
    for (const { positions } of [posenc.learned, posenc.sinusoidal]) {
      expect([...positions({ data: [0, 0, 1, 1, 1], shape: [1, 5] }).data].slice(2)).toEqual([0, 1, 2]);
      expect([...positions({ data: [1, 1, 1, 0, 0], shape: [1, 5] }).data].slice(0, 3)).toEqual([0, 1, 2]);
      // Token ids with padding 1, as RoBERTa and fairseq count them.
      expect([...positions([1, 1, 8, 9, 1], { paddingIndex: 1 }).data]).toEqual([1, 1, 2, 3, 1]);
    }
  });

  test('rows of a padded row are those of the row alone', () => {
    const mask = { data: [0, 0, 1, 1, 1], shape: [1, 5] };
    for (const encoding of [posenc.learned({ dim: 6, maxLength: 9, offset: 2 }), posenc.sinusoidal({ dim: 6, paddingIndex: -1 })]) {
      const positions = posenc.learned.positions(mask);
      const x = random([1, 5, 6]);
      const padded = encoding.add(x, { positions }).data;
      const alone = encoding.add({ data: x.data.slice(12), shape: [3, 6] }).data;
      expect(padded.slice(12)).toEqual(alone);
      encoding.dispose();
    }
  });
});

describe('whole numbers', () => {
  const input = samplesIn('input').filter(({ id }) => id !== 'conv');
  test.each(input.map((sample): [string, Sample] => [sample.title, sample]))('for positions of %s do not make whole numbers of rows', (_, sample) => {
    const encoding = make<InputEncoding>(posenc, sample);
    const flat = places(encoding.axes, 1, 5).flat();
    const shape = encoding.axes === 1 ? [5] : [5, encoding.axes];
    const rows = encoding.encode({ data: flat, shape });
    expect(rows.data).toBeInstanceOf(Float32Array);
    for (const data of [Int32Array.from(flat), BigInt64Array.from(flat.map(BigInt)), Uint8Array.from(flat), Float64Array.from(flat)]) {
      expect(encoding.encode({ data, shape }).data).toEqual(rows.data);
    }
    const wrong = { data: Int32Array.from({ length: 5 * encoding.width }), shape: [5, encoding.width] };
    expect(errorOf(() => encoding.add(wrong as never, { positions: { data: flat, shape } }))).toMatchObject({ code: 'invalidType', parameter: 'x.data' });
    // A width that is not that of x.
    const x = random([5, encoding.width + 3]);
    expect(errorOf(() => encoding.add(x, { positions: { data: flat, shape } }))).toMatchObject({ code: 'shapeMismatch', parameter: 'x' });
    encoding.dispose();
  });

  test('for queries are refused by rotations', () => {
    for (const sample of samplesIn('rotary')) {
      const encoding = make<Encoding<object> & { apply(x: unknown): unknown }>(posenc, sample);
      expect(errorOf(() => encoding.apply({ data: new Int32Array(headDim), shape: [1, 1, headDim] }))).toMatchObject({ code: 'invalidType', parameter: 'x.data' });
      encoding.dispose();
    }
  });
});
