// Calls of the main API with shapes and options drawn by fast-check, which shrinks what fails to the smallest such call,
// against the formulas in double precision.
import fc from 'fast-check';
import type { TensorLike } from 'posenc';
import { expect, test } from 'vitest';

import { checked } from '../support/checked.js';
import { plainAttention } from '../support/plain-attention.js';
import { loadPosenc, numbers, random } from '../support/posenc.js';
import { Draw, drawCall, turned } from '../support/random-attention.js';

const posenc = await loadPosenc();

/** Throws where a number is further from what it should be than `bound`, or than `bound` of its size. */
function close(got: ArrayLike<number>, want: ArrayLike<number>, bound: number): void {
  if (got.length !== want.length) throw new Error(`${got.length} numbers in place of ${want.length}`);
  for (let i = 0; i < want.length; i++) {
    const [a, b] = [got[i] ?? NaN, want[i] ?? NaN];
    if (!(a === b || Math.abs(a - b) <= bound * (1 + Math.abs(b)))) throw new Error(`element ${i} is ${a} in place of ${b}`);
  }
}

const position = fc.oneof(fc.integer({ min: -20, max: 100 }), fc.integer({ min: -(2 ** 24), max: 2 ** 24 }), fc.double({ min: -1e6, max: 1e6, noNaN: true }));
const positionsOf = (length: number): fc.Arbitrary<number[]> => fc.array(position, { minLength: length, maxLength: length });
/** A count or a list of positions, as calls take them, with the list that it stands for. */
const rowsOf = fc.integer({ min: 0, max: 9 }).chain((length) =>
  fc.oneof(positionsOf(length), fc.integer({ min: -9, max: 2 ** 24 }).map((first) => Array.from({ length }, (_, i) => first + i))));
const base = fc.oneof(fc.constant(10000), fc.double({ min: 1, max: 1e9, noNaN: true }));

test('sinusoidal: rows, sums, both beside one another, in every option', () => {
  const options = fc.record({
    dim: fc.integer({ min: 1, max: 70 }),
    base,
    layout: fc.constantFrom('interleaved' as const, 'concat' as const),
    exponent: fc.constantFrom('paper' as const, 'tensor2tensor' as const),
    odd: fc.constantFrom('sine' as const, 'zero' as const),
    scaleInput: fc.boolean(),
  });
  checked(fc.property(options, rowsOf, fc.integer({ min: 1, max: 3 }), (given, positions, batch) => {
    const { dim, layout, exponent, odd, scaleInput } = given;
    // An odd width ends in one more sine; in columns of their own the sines are then one more than the cosines.
    const sines = Math.ceil(dim / 2);
    const row = (p: number): number[] => Array.from({ length: dim }, (_, column) => {
      const [pair, cosine] = layout === 'interleaved' ? [Math.floor(column / 2), column % 2 === 1] : [column < sines ? column : column - sines, column >= sines];
      if (odd === 'zero' && dim % 2 === 1) {
        if (column === dim - 1) return 0;
        const half = (dim - 1) / 2;
        if (layout === 'concat') return wave(p, column % half, column >= half);
      }
      return wave(p, pair, cosine);
    });
    const wave = (p: number, pair: number, cosine: boolean): number => {
      const power = exponent === 'paper' ? (2 * pair) / dim : pair / Math.max(Math.floor(dim / 2) - 1, 1);
      const angle = p * given.base ** -power;
      return cosine ? Math.cos(angle) : Math.sin(angle);
    };
    const want = positions.flatMap(row);
    const encoding = posenc.sinusoidal(given);
    try {
      // The angle itself is rounded once in double, which at 2^24 is 2e-9 of a turn.
      close(encoding.encode(positions).data, want, 2e-7);
      const x = random([batch, positions.length, dim], 5);
      const factor = scaleInput ? Math.sqrt(dim) : 1;
      const sum = Array.from(x.data, (value, at) => factor * value + (want[at % want.length] ?? 0));
      const into = new Float32Array(sum.length);
      if (encoding.add(x, { positions, into }) !== into) throw new Error('another place');
      close(into, sum, 1e-6);
    } finally {
      encoding.dispose();
    }
  }), 150);
});

test('rope: any part of a head, both layouts of pairs and of heads, in place or not, and back', () => {
  const shapes = fc.record({ batch: fc.integer({ min: 0, max: 2 }), heads: fc.integer({ min: 1, max: 3 }), half: fc.integer({ min: 1, max: 20 }), part: fc.double({ min: 0, max: 1, noNaN: true }) });
  const options = fc.record({ base, layout: fc.constantFrom('half' as const, 'interleaved' as const) });
  checked(fc.property(shapes, options, rowsOf, fc.boolean(), fc.boolean(), ({ batch, heads, half, part }, given, positions, packed, inPlace) => {
    const [headDim, rotaryDim, seq] = [2 * half, 2 * Math.max(1, Math.round(part * half)), positions.length];
    const rope = posenc.rope({ headDim, rotaryDim, ...given });
    try {
      const shape = packed ? [batch, seq, heads * headDim] : [batch, heads, seq, headDim];
      const x = random(shape, 3);
      const kept = x.data.slice();
      const seqOf = (row: number): number => (packed ? Math.floor(row / heads) : row) % seq;
      const want = Array.from({ length: x.data.length / headDim }, (_, row) => turned(rope, Array.from(kept.subarray(row * headDim, (row + 1) * headDim)), positions[seqOf(row)] as number)).flat();
      const layout = packed ? 'packed' : 'heads';
      const out = rope.apply(x, { positions, layout, ...(inPlace ? { into: x } : {}) }) as { data: Float32Array };
      close(out.data, want, 5e-7);
      close(inPlace ? kept : x.data, kept, 0);
      close(rope.invert({ data: out.data, shape }, { positions, layout }).data, kept, 1e-6);
    } finally {
      rope.dispose();
    }
  }), 150);
});

test('alibi: slopes of any number of heads, on one line, on two sides', () => {
  const options = fc.record({ heads: fc.integer({ min: 1, max: 40 }), sides: fc.constantFrom('causal' as const, 'symmetric' as const), biasMax: fc.constantFrom(8, 4) });
  const line = (heads: number, biasMax: number): number[] => Array.from({ length: heads }, (_, h) => 2 ** ((-biasMax * (h + 1)) / heads));
  checked(fc.property(options, fc.nat(6), fc.nat(9), fc.integer({ min: -20, max: 2 ** 20 }), (given, queries, keys, qOffset) => {
    const below = 2 ** Math.floor(Math.log2(given.heads));
    const slopes = [...line(below, given.biasMax), ...line(2 * below, given.biasMax).filter((_, h) => h % 2 === 0)].slice(0, given.heads);
    const encoding = posenc.alibi(given);
    try {
      const want = slopes.flatMap((slope) => Array.from({ length: queries * keys }, (_, at) => {
        const distance = qOffset + Math.floor(at / keys) - (at % keys);
        return -slope * (given.sides === 'causal' ? distance : Math.abs(distance));
      }));
      close(encoding.bias(queries, keys, { qOffset }).data, want, 1e-6);
    } finally {
      encoding.dispose();
    }
  }), 150);
});

/** T5's bucket of key - query by whole numbers alone. */
function bucketOf(relative: number, { numBuckets, maxDistance, bidirectional }: { numBuckets: number; maxDistance: number; bidirectional: boolean }): number {
  const side = bidirectional ? numBuckets / 2 : numBuckets;
  const first = bidirectional && relative > 0 ? side : 0;
  const distance = bidirectional ? Math.abs(relative) : Math.max(-relative, 0);
  const exact = Math.floor(side / 2);
  if (distance < exact) return first + distance;
  const steps = side - exact;
  const [n, e, max] = [BigInt(distance), BigInt(exact), BigInt(maxDistance)];
  let m = 0;
  while (m + 1 < steps && n ** BigInt(steps) * e ** BigInt(m + 1) >= e ** BigInt(steps) * max ** BigInt(m + 1)) m++;
  return first + exact + m;
}

test("t5: buckets by whole numbers, at any distance", () => {
  const options = fc.record({ side: fc.integer({ min: 2, max: 20 }), beyond: fc.integer({ min: 1, max: 400 }), bidirectional: fc.boolean(), heads: fc.integer({ min: 1, max: 3 }) });
  checked(fc.property(options, fc.integer({ min: -3, max: 900 }), fc.integer({ min: 0, max: 4 }), fc.integer({ min: 0, max: 12 }), ({ side, beyond, bidirectional, heads }, qOffset, queries, keys) => {
    const numBuckets = bidirectional ? 2 * side : side;
    const rule = { numBuckets, maxDistance: Math.floor(side / 2) + beyond, bidirectional };
    const table = numbers(numBuckets * heads, 4);
    const t5 = posenc.t5({ ...rule, heads, weights: { table } });
    try {
      const want = Array.from({ length: heads * queries * keys }, (_, at) => {
        const [h, i, j] = [Math.floor(at / (queries * keys)), Math.floor(at / keys) % queries, at % keys];
        return table[bucketOf(j - qOffset - i, rule) * heads + h] as number;
      });
      close(t5.bias(queries, keys, { qOffset }).data, want, 0);
    } finally {
      t5.dispose();
    }
  }), 150);
});

test('attention: sizes around those of its tiles, every option of a call', () => {
  const sizes = fc.record({
    batch: fc.integer({ min: 1, max: 2 }),
    kvHeads: fc.integer({ min: 1, max: 2 }),
    group: fc.integer({ min: 1, max: 3 }),
    queries: fc.integer({ min: 1, max: 40 }),
    keys: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 60, max: 70 })),
    dim: fc.integer({ min: 1, max: 9 }).map((half) => 2 * half),
    valueDim: fc.integer({ min: 1, max: 17 }),
  });
  checked(fc.property(sizes, fc.nat(2 ** 30), ({ group, ...rest }, seed) => {
    const call = drawCall(posenc, new Draw(seed), { ...rest, heads: rest.kvHeads * group });
    const attention = posenc.attention(call.config);
    try {
      const want = plainAttention(call.plain());
      const { out, lse } = attention.forwardForGrad(call.q, call.k, call.v, call.options);
      close(out.data, want.out, 3e-6);
      close(lse.data, want.lse, 3e-6);
    } finally {
      attention.dispose();
      call.dispose();
    }
  }), 40);
});

test('a cache filled in pieces of any size, turned back and cloned, is the whole', () => {
  const pieces = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 6 });
  checked(fc.property(pieces, fc.constantFrom('rotated' as const, 'raw' as const), fc.boolean(), fc.nat(4), (counts, keys, repeated, left) => {
    const [heads, headDim, total] = [2, 4, counts.reduce((sum, count) => sum + count, 0)];
    const rope = posenc.rope({ headDim });
    const attention = posenc.attention({ heads, kvHeads: 1, headDim, causal: true, window: { left: left + 1 }, encodings: [rope] });
    const cache = attention.cache({ keys });
    const [q, k, v] = [random([heads, total, headDim], 1), random([1, total, headDim], 2), random([1, total, headDim], 3)];
    const cut = ({ data, shape }: { data: Float32Array; shape: readonly number[] }, from: number, to: number): TensorLike & { data: Float32Array } => {
      const rows = Array.from({ length: shape[0] as number }, (_, h) => [...data.subarray((h * total + from) * headDim, (h * total + to) * headDim)]);
      return { data: Float32Array.from(rows.flat()), shape: [shape[0] as number, to - from, headDim] };
    };
    try {
      const whole = attention.forward(q, k, v);
      let at = 0;
      for (const count of counts) {
        const piece = (): Float32Array => attention.forward(cut(q, at, at + count), cut(k, at, at + count), cut(v, at, at + count), { cache }).data;
        const want = cut(whole, at, at + count).data;
        close(piece(), want, 3e-6);
        if (repeated) {
          cache.truncate(at);
          close(piece(), want, 3e-6);
        }
        at += count;
      }
      const copy = cache.clone();
      expect([...copy.lengths]).toEqual([total]);
      copy.dispose();
    } finally {
      for (const owned of [cache, attention, rope]) owned.dispose();
    }
  }), 60);
});

test('half floats: any bits there and back, any number to the nearest', () => {
  checked(fc.property(fc.uint16Array({ maxLength: 40 }), fc.float32Array({ maxLength: 40 }), fc.constantFrom('f16' as const, 'bf16' as const), (bits, floats, format) => {
    const wide = posenc.fromHalf(bits, [bits.length], format);
    const back = posenc.toHalf(wide, format).data;
    bits.forEach((half, at) => {
      if (!Number.isNaN(wide.data[at]) && back[at] !== half) throw new Error(`${half} came back as ${back[at]}`);
    });
    const near = posenc.toHalf({ data: floats, shape: [floats.length] }, format);
    const rounded = posenc.fromHalf(near.data, near.shape, format).data;
    // Not further away than the neighbours on either side, whose bits are one more and one less.
    near.data.forEach((half, at) => {
      const [x, got] = [floats[at] as number, rounded[at] as number];
      if (Number.isNaN(x) !== Number.isNaN(got)) throw new Error(`${x} became ${got}`);
      if (!Number.isFinite(x) || !Number.isFinite(got)) return;
      const around = posenc.fromHalf(Uint16Array.of(half + 1, (half & 0x7fff) === 0 ? half : half - 1), [2], format).data;
      for (const other of around) if (Math.abs(other - x) < Math.abs(got - x)) throw new Error(`${x} became ${got}, and ${other} is nearer`);
    });
  }), 150);
});
