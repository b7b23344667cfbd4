// Attention with every option at random against the plain double loop: outputs, log-sum-exps, the stages of the scores,
// gradients against finite differences of the loop, both layouts, and the same call made token by token with a cache.
import type { Encoding } from 'posenc';
import { describe, expect, test } from 'vitest';

import { plainAttention } from '../support/plain-attention.js';
import { loadPosenc, numbers } from '../support/posenc.js';
import { Draw, type RandomCall, alibiAt, drawCall, drawSizes, shawRow, sizesOfConfig, tablesOf, turned } from '../support/random-attention.js';

const posenc = await loadPosenc();

/** Largest |a - b| / (1 + |b|), infinities being equal; NaN where one is not a number. */
function error(got: ArrayLike<number>, want: ArrayLike<number>): number {
  expect(got.length).toBe(want.length);
  let largest = 0;
  for (let i = 0; i < want.length; i++) {
    const [a, b] = [got[i] ?? NaN, want[i] ?? NaN];
    const difference = a === b ? 0 : Math.abs(a - b) / (1 + Math.abs(b));
    if (!(difference <= largest)) largest = difference;
  }
  return largest;
}

const small = { queries: [1, 2, 3, 5], keys: [1, 2, 4, 7] };
const large = { queries: [1, 17, 64, 65], keys: [63, 64, 65, 130] };
const seeds = (count: number): number[] => Array.from({ length: count }, (_, seed) => seed);

function withCall(seed: number, lengths: typeof small, body: (call: RandomCall, attention: ReturnType<typeof posenc.attention>) => void): void {
  const draw = new Draw(seed);
  const call = drawCall(posenc, draw, drawSizes(draw, lengths));
  const attention = posenc.attention(call.config);
  try {
    body(call, attention);
  } finally {
    attention.dispose();
    call.dispose();
  }
}

describe.each([['small', small, 300], ['over several tiles', large, 40]] as const)('calls %s', (_, lengths, count) => {
  test('outputs, log-sum-exps and the four stages of the scores', () => {
    for (const seed of seeds(count)) {
      withCall(seed, lengths, ({ q, k, v, options, plain, config, sizes }, attention) => {
        const want = plainAttention(plain());
        const what = `seed ${seed}, ${JSON.stringify({ ...config, encodings: config.encodings?.map(({ id }) => id) })}, ${JSON.stringify(sizes)}, ${Object.keys(options).join()}`;
        const { out, lse } = attention.forwardForGrad(q, k, v, options);
        expect(error(out.data, want.out), `out of ${what}`).toBeLessThan(3e-6);
        expect(error(lse.data, want.lse), `lse of ${what}`).toBeLessThan(3e-6);
        expect(attention.forward(q, k, v, options), what).toEqual(out);
        for (const stage of ['raw', 'capped', 'biased', 'weights'] as const) {
          expect(error(attention.scores(q, k, stage, options).data, want.stages[stage]), `${stage} of ${what}`).toBeLessThan(4e-6);
        }
      });
    }
  });

  test('packed layout makes the same bits', () => {
    const pack = ({ data, shape }: { data: Float32Array; shape: readonly number[] }): { data: Float32Array; shape: number[] } => {
      const [batch, heads, seq, width] = shape as [number, number, number, number];
      const out = new Float32Array(data.length);
      for (let row = 0; row < batch * heads * seq; row++) {
        const [b, h, s] = [Math.floor(row / (heads * seq)), Math.floor(row / seq) % heads, row % seq];
        out.set(data.subarray(row * width, (row + 1) * width), ((b * seq + s) * heads + h) * width);
      }
      return { data: out, shape: [batch, seq, heads * width] };
    };
    for (const seed of seeds(Math.floor(count / 4))) {
      withCall(seed, lengths, ({ q, k, v, options }, attention) => {
        const out = attention.forward(q, k, v, options);
        const packed = attention.forward(pack(q), pack(k), pack(v), { ...options, layout: 'packed' });
        expect(packed.data, `seed ${seed}`).toEqual(pack(out).data);
      });
    }
  });
});

/** Central differences of sum(out · dOut), in double, over some of the elements of `values`. */
function differences(values: Float32Array | number[], at: readonly number[], loss: () => number): number[] {
  const step = 2 ** -9; // exact in a float, and an error of 1e-6 or so
  return at.map((index) => {
    const old = values[index]!;
    const sample = (times: number): number => {
      values[index] = old + times * step;
      const moved = values[index]! - old;
      return moved === 0 ? 0 : loss();
    };
    const [a, b, c, d] = [sample(1), sample(-1), sample(2), sample(-2)];
    values[index] = old;
    return (8 * (a - b) - (c - d)) / (12 * step);
  });
}

test.each([['small', small, 120], ['over several tiles', large, 6]] as const)('gradients of calls %s are the differences of the plain loop', (_, lengths, count) => {
  for (const seed of seeds(count)) {
    withCall(1000 + seed, lengths, ({ q, k, v, options, plain, encodings, config, sizes }, attention) => {
      const what = `seed ${seed}, ${JSON.stringify({ ...config, encodings: encodings.map(({ id }) => id) })}, ${JSON.stringify(sizes)}, ${Object.keys(options).join()}`;
      const { out, lse } = attention.forwardForGrad(q, k, v, options);
      const dOut = { data: numbers(out.data.length, 77), shape: out.shape };
      const got = attention.backward({ q, k, v, out, lse, dOut, ...options });
      const loss = (): number => plainAttention(plain()).out.reduce((sum, x, i) => sum + x * dOut.data[i]!, 0);
      const confirm = (name: string, values: Float32Array | number[], gradient: ArrayLike<number> | undefined): void => {
        const draw = new Draw(seed);
        const some = draw.list(Math.min(values.length, lengths === small ? 6 : 2), () => draw.below(values.length));
        const finite = some.filter((i) => Number.isFinite(values[i]));
        // What is added up for a shared number: that many pairs of weights of at most 1.
        const most = name === 'v' ? 1 : Math.max(1, sizes.queries / 4);
        const want = differences(values, finite, loss);
        expect(error(finite.map((i) => gradient?.[i] ?? NaN), want) / most, `d${name} of ${what}`).toBeLessThan(2e-5);
      };
      confirm('q', q.data, got.dq.data);
      confirm('k', k.data, got.dk.data);
      confirm('v', v.data, got.dv.data);
      if (options.sinks) confirm('Sinks', options.sinks as Float32Array, got.dSinks?.data);
      if (options.logitScale) confirm('LogitScale', options.logitScale as Float32Array, got.dLogitScale?.data);
      const mask = options.mask as { data: Float32Array } | undefined;
      if (mask?.data instanceof Float32Array) confirm('Mask', mask.data, got.dMask?.data);
      for (const encoding of encodings) {
        for (const [name, values] of Object.entries(tablesOf(encoding))) {
          if (encoding.trainable.includes(name)) confirm(`${encoding.id}.${name}`, values, got.params[`${encoding.id}.${name}`]?.data);
        }
      }
      expect(Object.keys(got.params).sort()).toEqual(encodings.flatMap(({ id, trainable }) => trainable.map((name) => `${id}.${name}`)).sort());
    });
  }
});

/** Rows from..to of [batch, heads, n, width]. */
function part({ data, shape }: { data: Float32Array; shape: readonly number[] }, from: number, to: number): { data: Float32Array; shape: number[] } {
  const [batch, count, n, width] = shape as [number, number, number, number];
  const rows = Array.from({ length: batch * count }, (_, row) => data.subarray((row * n + from) * width, (row * n + to) * width));
  return { data: Float32Array.from(rows.flatMap((row) => [...row])), shape: [batch, count, to - from, width] };
}

describe('token by token with a cache', () => {
  test('rows of different lengths, each token against the plain loop', () => {
    for (const seed of seeds(60)) {
      const draw = new Draw(5000 + seed);
      const sizes = { ...drawSizes(draw, { queries: [1], keys: [draw.pick([5, 70, 131])] }), batch: draw.pick([1, 2, 3]) };
      const { batch, heads, kvHeads, keys, dim, valueDim } = sizes;
      const rope = draw.chance(2) ? posenc.rope({ headDim: dim }) : undefined;
      const alibi = draw.chance(2) ? posenc.alibi({ heads, sides: 'symmetric', seed: 3 }) : undefined;
      const shaw = draw.chance(2) ? posenc.shaw({ headDim: dim, valueDim, left: 3, seed: 4 }) : undefined;
      const encodings = [rope, alibi, shaw].filter((each) => each !== undefined) as unknown as Encoding<object>[];
      const left = draw.chance(2) ? draw.below(keys) : undefined;
      const softcap = draw.chance(3) ? 2 : 0;
      const sinks = draw.chance(3) ? Float32Array.from(draw.list(heads, () => draw.next())) : undefined;
      const attention = posenc.attention({ ...sizesOfConfig(sizes), causal: true, softcap, encodings, ...(left === undefined ? {} : { window: { left } }) });
      const cache = attention.cache({ batch, keys: draw.pick(['raw', 'rotated'] as const) });
      const tensor = (count: number, width: number, at: number): { data: Float32Array; shape: number[] } =>
        ({ data: numbers(batch * count * keys * width, seed + at), shape: [batch, count, keys, width] });
      const [q, k, v] = [tensor(heads, dim, 0), tensor(kvHeads, dim, 1), tensor(kvHeads, valueDim, 2)];
      // Row b begins with lengths[b] tokens of its own.
      const prefix = 1 + draw.below(keys - 3);
      const lengths = draw.list(batch, () => 1 + draw.below(prefix));
      cache.append(part(k, 0, prefix), part(v, 0, prefix), { counts: lengths });
      expect([...cache.lengths]).toEqual(lengths);
      for (let at = prefix; at < keys; at++) {
        const out = attention.forward(part(q, at, at + 1), part(k, at, at + 1), part(v, at, at + 1), { cache, ...(sinks ? { sinks } : {}) });
        const held = [...cache.lengths];
        if (at > prefix + 1 && at < keys - 1) continue;
        // Row b holds tokens 0 .. lengths[b] - 1 and prefix .. at.
        const tokens = (b: number, j: number): number => (j < lengths[b]! ? j : prefix + j - lengths[b]!);
        const longest = Math.max(...held);
        const gather = (t: { data: Float32Array }, count: number, width: number): number[] =>
          Array.from({ length: batch * count * longest * width }, (_, i) => {
            const [c, j, row] = [i % width, Math.floor(i / width) % longest, Math.floor(i / width / longest)];
            return t.data[(row * keys + tokens(Math.floor(row / count), Math.min(j, held[Math.floor(row / count)]! - 1))) * width + c]!;
          });
        const place = (b: number): number => held[b]! - 1;
        const want = plainAttention({
          ...sizes,
          queries: 1,
          keys: longest,
          scale: 1 / Math.sqrt(dim),
          softcap,
          cosine: false,
          q: part(q, at, at + 1).data,
          k: gather(k, kvHeads, dim),
          v: gather(v, kvHeads, valueDim),
          temperature: () => 1,
          turn: (row, b, j, side) => (rope ? turned(rope, row, side === 'query' ? place(b) : j) : row),
          keyRow: (b, _i, j) => shaw && shawRow(shaw, 'keyTable', j - place(b)),
          valueRow: (b, _i, j) => shaw && shawRow(shaw, 'valueTable', j - place(b)),
          bias: (b, h, _i, j) => (alibi ? alibiAt(alibi, h, j - place(b)) : 0),
          sees: (b, _h, _i, j) => j < held[b]! && (left === undefined || j >= place(b) - left),
          logitScale: undefined,
          sinks,
        });
        expect(error(out.data, want.out), `seed ${seed}, token ${at}, ${JSON.stringify(sizes)}`).toBeLessThan(3e-6);
      }
      for (const owned of [cache, attention, ...encodings]) owned.dispose();
    }
  });
});

describe("BigBird's blocks", () => {
  test('near and outer blocks are seen, as many others as were asked for are drawn from the free ones, and causal ones lie before', () => {
    for (const seed of seeds(40)) {
      const draw = new Draw(9000 + seed);
      const [size, window, global, random] = [1 + draw.below(5), draw.below(3), draw.below(3), draw.below(4)];
      const causal = draw.chance(2);
      const keys = draw.pick([7, 24, 61]);
      const sizes = { batch: 1, heads: 2, kvHeads: 1, queries: keys, keys, dim: 4, valueDim: 4 };
      const attention = posenc.attention({ ...sizesOfConfig(sizes), causal, blocks: { size, window, global, random, seed } });
      const [q, k, v] = [[2, keys, 4], [1, keys, 4], [1, keys, 4]].map((shape, at) => ({ data: numbers(shape.reduce((a, b) => a * b), seed + at), shape })) as [never, never, never];
      const biased = attention.scores(q, k, 'biased').data;
      const count = Math.ceil(keys / size);
      const block = (at: number): number => Math.floor(at / size);
      // Where the text may go on there is no last block.
      const end = (b: number): boolean => b < global || (!causal && b >= count - global);
      const seen = (h: number, i: number, j: number): boolean => biased[(h * keys + i) * keys + j] !== -Infinity;
      for (let h = 0; h < 2; h++) {
        for (let a = 0; a < count; a++) {
          const drawn = new Set<number>();
          for (let i = a * size; i < Math.min(keys, (a + 1) * size); i++) {
            for (let j = 0; j < keys; j++) {
              const sure = end(a) || end(block(j)) || Math.abs(a - block(j)) <= window;
              if (causal && j > i) expect(seen(h, i, j)).toBe(false);
              else if (sure) expect(seen(h, i, j)).toBe(true);
              else if (seen(h, i, j)) drawn.add(block(j));
            }
          }
          // Every place of a drawn block is seen by every query of the block.
          for (const b of drawn) {
            for (let i = a * size; i < Math.min(keys, (a + 1) * size); i++) {
              for (let j = b * size; j < Math.min(keys, (b + 1) * size); j++) expect(seen(h, i, j)).toBe(!causal || j <= i);
            }
          }
          const free = Array.from({ length: count }, (_, b) => b).filter((b) => !end(a) && !end(b) && Math.abs(a - b) > window && (!causal || b < a));
          expect(drawn.size, `seed ${seed}`).toBe(Math.min(random, free.length));
        }
      }
      const want = plainAttention({
        ...sizes, scale: 0.5, softcap: 0, cosine: false, q: (q as { data: Float32Array }).data, k: (k as { data: Float32Array }).data, v: (v as { data: Float32Array }).data,
        temperature: () => 1, turn: (row) => row, keyRow: () => undefined, valueRow: () => undefined, bias: () => 0,
        sees: (_, h, i, j) => seen(h, i, j), logitScale: undefined, sinks: undefined,
      });
      expect(error(attention.forward(q, k, v).data, want.out)).toBeLessThan(2e-6);
      attention.dispose();
    }
  });
});
