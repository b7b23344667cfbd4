// Faults that users reported of other implementations, section B: relative positions and biases.
//
//   B1 slopes of odd head counts           ALiBi's slopes ...
//   B2 ALiBi with cached keys, two sides   ALiBi: ...
//   B3 T5's last bucket                    T5's buckets ...
//   B4 the relative shift                  relative rows: ...
//   B5 DeBERTa's index and buckets         DeBERTa: ...
//   B7 windows that are not square         Swin: ..., Swin v2: ...
import { describe, expect, test } from 'vitest';

import { errorOf, largestDifference, loadPosenc, numbers, random } from '../support/posenc.js';

const posenc = await loadPosenc();
const close = (got: ArrayLike<number>, want: ArrayLike<number>, bound = 1e-6): void => {
  expect(largestDifference(got, want)).toBeLessThanOrEqual(bound);
};

describe("ALiBi's slopes", () => {
  const powers = (heads: number, most: number): number[] => Array.from({ length: heads }, (_, h) => 2 ** ((-most * (h + 1)) / heads));
  const rules = {
    // The authors' recursion: of the lower power of two, then every other one of twice that.
    press(heads: number, most: number): number[] {
      const lower = 2 ** Math.floor(Math.log2(heads));
      const doubled = powers(2 * lower, most).filter((_, h) => h % 2 === 0);
      return [...powers(lower, most), ...doubled].slice(0, heads);
    },
    power: powers,
    // MPT: every other one of the next power of two, then the others.
    mpt(heads: number, most: number): number[] {
      const upper = powers(2 ** Math.ceil(Math.log2(heads)), most);
      if (upper.length === heads) return upper;
      const parts = [1, 0].map((parity) => upper.filter((_, h) => h % 2 === parity));
      return parts.flat().slice(0, heads);
    },
  };

  test('of 3, 6 and 12 heads are those of the authors', () => {
    const of = (heads: number): number[] => [...posenc.alibi({ heads }).slopes.data];
    expect(of(6)).toEqual([0.25, 0.0625, 0.015625, 0.00390625, 0.5, 0.125]);
    expect(of(3)).toEqual([0.0625, 0.00390625, 0.25]);
    close(of(12), [...Array.from({ length: 8 }, (_, h) => 2 ** -(h + 1)), ...[0.5, 1.5, 2.5, 3.5].map((x) => 2 ** -x)], 1e-7);
  });

  test.each(['press', 'power', 'mpt'] as const)('rule %s at every number of heads', (slopeRule) => {
    for (let heads = 1; heads <= 72; heads++) {
      for (const biasMax of [8, 4, 10.5]) {
        for (const sides of ['causal', 'symmetric', 'two'] as const) {
          const alibi = posenc.alibi({ heads, slopeRule, biasMax, sides });
          const want = rules[slopeRule](heads, biasMax);
          close(alibi.slopes.data, want, 1e-7);
          if (sides === 'two') close(alibi.slopesAhead?.data ?? [], want, 1e-7);
          alibi.dispose();
        }
      }
    }
    expect(posenc.alibi({ heads: 6, slopeRule: 'power' }).slopes.data[0]).toBeCloseTo(0.39685, 5);
  });
});

describe('ALiBi', () => {
  const [heads, dim] = [3, 4];
  const [q, k, v] = [random([heads, 5, dim], 1), random([heads, 5, dim], 2), random([heads, 5, dim], 3)];
  const alibi = posenc.alibi({ heads, sides: 'symmetric' });
  const slopes = alibi.slopes.data;
  /** slope · j: the same as slope · (j - i) but for a constant in each row. */
  const keyOnly = { data: Float32Array.from({ length: heads * 25 }, (_, at) => (slopes[Math.floor(at / 25)] ?? 0) * (at % 5)), shape: [heads, 5, 5] };
  const out = (causal: boolean, options: object, encodings: typeof alibi[] = []): Float32Array => {
    const attention = posenc.attention({ heads, headDim: dim, causal, encodings });
    const { data } = attention.forward(q, k, v, options);
    attention.dispose();
    return data;
  };

  test('a constant in a row of a causal softmax changes nothing, so the key-only form agrees', () => {
    close(out(true, { mask: keyOnly }), out(true, {}, [alibi]));
  });

  test('with two sides it does not', () => {
    expect(largestDifference(out(false, { mask: keyOnly }), out(false, {}, [alibi]))).toBeGreaterThan(1e-3);
  });

  test('one query after four cached keys, slope 1: -4, -3, -2, -1, 0', () => {
    const one = posenc.alibi({ heads: 1, weights: { slopes: Float32Array.of(1) } });
    expect([...one.bias(1, 5, { qOffset: 4 }).data]).toEqual([-4, -3, -2, -1, 0]);
    const attention = posenc.attention({ heads: 1, headDim: dim, causal: true, scale: 0, encodings: [one] });
    const scores = attention.scores(random([1, 1, dim]), random([1, 5, dim]), 'biased').data;
    expect([...scores].map((x) => x + 0)).toEqual([-4, -3, -2, -1, 0]);
  });

  test('at position 60,000 the distance is still a distance', () => {
    const near = alibi.bias(1, 3, { positions: { q: [2], k: [0, 1, 2] } }).data;
    for (const far of [60_000, 2 ** 24, 2 ** 40]) {
      expect(alibi.bias(1, 3, { positions: { q: [far + 2], k: [far, far + 1, far + 2] } }).data).toEqual(near);
      expect(alibi.bias(1, 3, { qOffset: far + 2, positions: { k: far } }).data).toEqual(near);
    }
  });
});

describe("T5's buckets", () => {
  test('the last bucket of each side holds all that is farther', () => {
    const two = posenc.t5({ heads: 1 });
    const at = (distances: readonly number[]): number[] => [...two.buckets([...distances]).data];
    expect(at([-200, 200, -16, -64, -127, 8, 12, 16])).toEqual([15, 31, 10, 14, 15, 24, 25, 26]);
    expect(at([-1e9, 1e9])).toEqual([15, 31]);
    const one = posenc.t5({ heads: 1, bidirectional: false });
    expect([...one.buckets([-15, -16, -18, -20, -64, -128, -1e9, 1, 500]).data]).toEqual([15, 16, 16, 17, 26, 31, 31, 0, 0]);
  });

  /** floor(log(d / e) / log(D / e) · (n - e)) in whole numbers: the largest b with (D / e)^b <= (d / e)^(n - e). */
  function bucket(d: number, n: number, most: number): number {
    const e = Math.floor(n / 2);
    if (d < e) return d;
    const [D, E, P] = [BigInt(most), BigInt(e), BigInt(d)];
    let b = 0;
    while (b < n - 1 - e && D ** BigInt(b + 1) * E ** BigInt(n - e) <= P ** BigInt(n - e) * E ** BigInt(b + 1)) b++;
    return e + b;
  }

  test.each([[32, 128], [32, 256], [64, 128], [16, 20], [7, 100], [128, 800]])('%i buckets to %i: every distance to 1024 against whole numbers', (numBuckets, maxDistance) => {
    const distances = Array.from({ length: 2049 }, (_, at) => at - 1024);
    const two = posenc.t5({ heads: 1, numBuckets, maxDistance });
    const half = Math.floor(numBuckets / 2);
    expect([...two.buckets(distances).data]).toEqual(distances.map((d) => (d > 0 ? half : 0) + bucket(Math.abs(d), half, maxDistance)));
    const one = posenc.t5({ heads: 1, numBuckets, maxDistance, bidirectional: false });
    expect([...one.buckets(distances).data]).toEqual(distances.map((d) => bucket(Math.max(-d, 0), numBuckets, maxDistance)));
  });

  test('the sign is key minus query, in the bias as in the operation', () => {
    const t5 = posenc.t5({ heads: 2, seed: 3 });
    const table = t5.table.data;
    const bias = t5.bias(4, 6, { qOffset: 1 }).data;
    const want = Array.from({ length: 48 }, (_, at) => {
      const [h, i, j] = [Math.floor(at / 24), Math.floor(at / 6) % 4, at % 6];
      return table[2 * (t5.buckets([j - i - 1]).data[0] ?? NaN) + h];
    });
    expect([...bias]).toEqual(want);
  });
});

describe('relative rows', () => {
  /** Row r of the table is the unit vector r, and keys are 0: a query's score is its own number for that distance. */
  function shifted(queries: number[][], keys: number, causal: boolean, left: number, right: number): number[][] {
    const rows = left + right + 1;
    const unit = Float32Array.from({ length: rows * rows }, (_, at) => (at % (rows + 1) === 0 ? 1 : 0));
    const shaw = posenc.shaw({ headDim: rows, left, right, values: 'none', weights: { keyTable: unit } });
    const attention = posenc.attention({ heads: 1, headDim: rows, scale: 1, causal, encodings: [shaw] });
    const q = { data: Float32Array.from(queries.flat()), shape: [1, queries.length, rows] };
    const k = { data: new Float32Array(keys * rows), shape: [1, keys, rows] };
    const scores = attention.scores(q, k, 'biased', { qOffset: keys - queries.length, positions: { q: keys - queries.length } }).toArray() as number[][][];
    attention.dispose();
    shaw.dispose();
    return scores[0] ?? [];
  }

  test('2 queries, 4 keys, distances 3 to 0: 2 3 4 and 5 6 7 8', () => {
    const scores = shifted([[1, 2, 3, 4], [5, 6, 7, 8]], 4, true, 3, 0);
    expect(scores).toEqual([[2, 3, 4, -Infinity], [5, 6, 7, 8]]);
  });

  test('2 x 3: 2 3 and 4 5 6', () => {
    const scores = shifted([[1, 2, 3], [4, 5, 6]], 3, true, 2, 0);
    expect(scores).toEqual([[2, 3, -Infinity], [4, 5, 6]]);
  });

  test('without a mask keys ahead have rows of their own, at any lengths', () => {
    for (const [q, k] of [[1, 1], [2, 4], [5, 9], [7, 7], [9, 30], [65, 65]] as const) {
      const rows = 2 * k - 1;
      const queries = Array.from({ length: q }, (_, i) => [...numbers(rows, i + 1)]);
      const want = queries.map((row, i) => Array.from({ length: k }, (_, j) => row[j - (i + k - q) + k - 1]));
      expect(shifted(queries, k, false, k - 1, k - 1)).toEqual(want);
    }
  });

  test("Transformer-XL's rows are those of every pair's own distance, ahead too", () => {
    const [heads, headDim, queries, keys] = [2, 4, 3, 5];
    const xl = posenc.transformerXL({ heads, headDim, seed: 2 });
    const attention = posenc.attention({ heads, headDim, scale: 1, encodings: [xl] });
    const [q, k] = [random([heads, queries, headDim], 1), random([heads, keys, headDim], 2)];
    const [u, v, w] = [xl.contentBias.data, xl.positionBias?.data ?? [], xl.projection?.data ?? []];
    const dim = heads * headDim;
    const got = attention.scores(q, k, 'raw', { positions: { q: 2 } }).data;
    const want = Array.from(got, (_, at) => {
      const [h, i, j] = [Math.floor(at / (queries * keys)), Math.floor(at / keys) % queries, at % keys];
      let sum = 0;
      for (let c = 0; c < headDim; c++) {
        const [x, y] = [q.data[(h * queries + i) * headDim + c]!, k.data[(h * keys + j) * headDim + c]!];
        let row = 0;
        for (let m = 0; m < dim; m++) {
          const angle = (i + 2 - j) / 10000 ** ((2 * (m % (dim / 2))) / dim);
          row += w[(h * headDim + c) * dim + m]! * (m < dim / 2 ? Math.sin(angle) : Math.cos(angle));
        }
        sum += (x + u[h * headDim + c]!) * y + (x + v[h * headDim + c]!) * row;
      }
      return sum;
    });
    close(got, want, 2e-6);
    attention.dispose();
  });
});

describe('DeBERTa', () => {
  const [heads, headDim, queries, keys, span] = [2, 4, 3, 5, 4];
  const [q, k] = [random([heads, queries, headDim], 1), random([heads, keys, headDim], 2)];

  test.each([
    ['both', 'code', 3],
    ['both', 'paper', 3],
    ['c2p', 'code', 2],
    ['p2c', 'code', 2],
    ['p2c', 'paper', 2],
  ] as const)('terms %s, rows of the %s: every score at 3 x 5 against the loop over i - j, scale 1/sqrt(%i d)', (terms, p2cRow, products) => {
    const deberta = posenc.deberta({ heads, headDim, span, rows: 'projected', terms, p2cRow, seed: 4 });
    const attention = posenc.attention({ heads, headDim, encodings: [deberta] });
    const [toKeys, toQueries] = [deberta.positionKeys?.data ?? [], deberta.positionQueries?.data ?? []];
    const got = attention.scores(q, k, 'raw').data;
    const row = (distance: number): number => Math.min(Math.max(distance + span, 0), 2 * span - 1);
    const want = Array.from(got, (_, at) => {
      const [h, i, j] = [Math.floor(at / (queries * keys)), Math.floor(at / keys) % queries, at % keys];
      let sum = 0;
      for (let c = 0; c < headDim; c++) {
        const [x, y] = [q.data[(h * queries + i) * headDim + c]!, k.data[(h * keys + j) * headDim + c]!];
        const at1 = (h * 2 * span + row(i - j)) * headDim + c;
        const at2 = (h * 2 * span + row(p2cRow === 'code' ? i - j : j - i)) * headDim + c;
        sum += x * y + (terms === 'p2c' ? 0 : x * toKeys[at1]!) + (terms === 'c2p' ? 0 : y * toQueries[at2]!);
      }
      return sum / Math.sqrt(products * headDim);
    });
    close(got, want);
    attention.dispose();
    deberta.dispose();
  });

  test('the two forms agree on the diagonal only', () => {
    const scores = (['code', 'paper'] as const).map((p2cRow) => {
      const deberta = posenc.deberta({ heads, headDim, span, p2cRow, seed: 4 });
      const attention = posenc.attention({ heads, headDim, encodings: [deberta] });
      return attention.scores(q, k, 'raw').data;
    }) as [Float32Array, Float32Array];
    scores[0].forEach((value, at) => {
      const [i, j] = [Math.floor(at / keys) % queries, at % keys];
      if (i === j) expect(scores[1][at]).toBeCloseTo(value, 6);
      else expect(Math.abs((scores[1][at] ?? NaN) - value)).toBeGreaterThan(1e-6);
    });
    expect(posenc.deberta({ heads, headDim, span }).options).not.toHaveProperty('p2cRow');
  });

  test('logarithmic buckets are rounded up in magnitude, and negatives mirror', () => {
    const distances = [127, 128, 129, 200, 511];
    const of = (list: number[]): number[] => [...posenc.deberta.buckets(list, { span: 256, maxRelativePositions: 512 }).data];
    expect(of(distances)).toEqual([127, 128, 129, 169, 255]);
    expect(of(distances.map((d) => -d))).toEqual([-127, -128, -129, -169, -255]);
    const all = Array.from({ length: 512 }, (_, d) => d);
    const want = all.map((d) => (d <= 128 ? d : 128 + Math.ceil((Math.log(d / 128) / Math.log(511 / 128)) * 127 - 1e-9)));
    expect(of(all)).toEqual(want);
  });
});

describe('Swin', () => {
  test('a window of 2 x 3 has 15 rows: 7 6 5 2 1 0 from the first token, 14 from the last to the first', () => {
    const index = posenc.swin({ heads: 1, window: { height: 2, width: 3 } }).index().toArray() as number[][];
    expect(index[0]).toEqual([7, 6, 5, 2, 1, 0]);
    expect(index[5]?.[0]).toBe(14);
    expect(new Set(index.flat()).size).toBe(15);
  });

  test.each([[1, 1], [1, 5], [5, 1], [2, 3], [3, 2], [4, 7], [7, 7]])('%i x %i: every offset has a row of its own, in every windowed bias', (height, width) => {
    const window = { height, width };
    const places = Array.from({ length: height * width }, (_, p) => [Math.floor(p / width), p % width] as const);
    const want = places.map(([y, x]) => places.map(([v, u]) => (y - v + height - 1) * (2 * width - 1) + (x - u + width - 1)));
    expect(posenc.swin({ heads: 1, window }).index().toArray()).toEqual(want);
    expect(posenc.swinV2({ heads: 1, window, hidden: 4 }).index().toArray()).toEqual(want);
    const beit = posenc.beit({ heads: 1, window }).index().toArray() as number[][];
    expect(beit.slice(1).map((row) => row.slice(1))).toEqual(want);
    expect(new Set(want.flat()).size).toBe((2 * height - 1) * (2 * width - 1));
  });

  test('Swin v2: coordinates go by the window of training', () => {
    const at = (side: number, trained: number, offset: number): number => {
      const v2 = posenc.swinV2({ heads: 1, window: { height: side, width: side }, pretrainedWindow: { height: trained, width: trained }, hidden: 4 });
      const { data } = v2.coordinates();
      v2.dispose();
      return data[(side - 1) * 2 * (2 * side - 1) + 2 * (side - 1 + offset) + 1] ?? NaN;
    };
    // log2(8 · 7/7 + 1) / log2(8): beyond 1, since the offset is divided by the side less one.
    expect(at(8, 8, 7)).toBeCloseTo(1.056642, 6);
    expect(at(16, 8, 15)).toBeCloseTo(Math.log2((8 * 15) / 7 + 1) / 3, 6); // 1.39378
    expect(at(8, 8, -7)).toBeCloseTo(-1.056642, 6);
    expect(at(8, 8, 0)).toBe(0);
  });
});

test('a table of relations is not read outside', () => {
  const relation = posenc.relation({ heads: 1, relations: 3 });
  for (const id of [-1, 3, 2 ** 31 - 1, -(2 ** 31)]) {
    expect(errorOf(() => relation.bias(1, 2, { relations: [0, id] }))).toMatchObject({ code: 'outOfRange' });
  }
  for (const id of [NaN, 1.5, 2 ** 31, Infinity]) {
    expect(['invalidType', 'outOfRange']).toContain(errorOf(() => relation.bias(1, 2, { relations: [0, id] })).code);
  }
});
