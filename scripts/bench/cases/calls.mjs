// What a small call costs: the same work as in the peer benchmark, with results in wasm memory or in an array of the
// caller's. Times are of this machine, so their bounds are too.
import { random } from '../by-hand.mjs';
import { atMost, largestDifference, shown } from '../marks.mjs';

const microseconds = (milliseconds) => 1000 * milliseconds;

const table = {
  name: 'a table 16 × 64',
  prepare({ posenc, heap }) {
    const encoding = posenc.sinusoidal({ dim: 64 });
    const [inside, outside] = [{ into: heap([16, 64]) }, { into: new Float32Array(1024) }];
    return {
      runs: {
        inside: () => encoding.encode(16, inside),
        outside: () => encoding.encode(16, outside),
        fresh: () => encoding.encode(16),
      },
      error: () => largestDifference(inside.into.view(), outside.into),
      tolerance: 0,
      marks: (time) => [
        atMost('µs, in wasm memory', microseconds(time('inside')), 1.5, 0.8),
        atMost("µs, into the caller's array", microseconds(time('outside')), 3, 1.5),
        shown('µs, as a new tensor', microseconds(time('fresh'))),
      ],
    };
  },
};

const token = {
  name: 'RoPE of one token [32, 1, 128], factors made',
  prepare({ posenc, heap }) {
    const rope = posenc.rope({ headDim: 128 });
    const values = random(32 * 128, 1);
    const shape = [32, 1, 128];
    const x = heap(shape, values);
    const given = { data: values, shape };
    const [inside, outside] = [heap(shape), new Float32Array(values.length)].map((into) => ({ into, positions: 1000 }));
    return {
      runs: {
        inside: () => rope.apply(x, inside),
        outside: () => rope.apply(given, outside),
        fresh: () => rope.apply(given, { positions: 1000 }),
      },
      error: () => largestDifference(inside.into.view(), outside.into),
      tolerance: 0,
      marks: (time) => [
        atMost('µs, in wasm memory', microseconds(time('inside')), 2, 1),
        atMost("µs, into the caller's array", microseconds(time('outside')), 6, 3),
        shown('µs, as a new tensor', microseconds(time('fresh'))),
      ],
    };
  },
};

export const cases = [table, token];
