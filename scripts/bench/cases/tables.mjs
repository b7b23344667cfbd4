// Tables, rotations and biases written out, in wasm memory: bound by memory.
import { memoryLimits } from '../limits.mjs';
import { fillBias, random, sinusoidal, t5Bucket, turnPairs } from '../by-hand.mjs';
import { atLeast, largestDifference } from '../marks.mjs';

const sines = (count, width, marks) => ({
  name: `sinusoidal table ${count} × ${width}`,
  prepare({ posenc, heap }) {
    const encoding = posenc.sinusoidal({ dim: width });
    const out = heap([count, width]);
    const byHand = new Float32Array(count * width);
    return {
      runs: {
        posenc: () => encoding.encode(count, { into: out }),
        JavaScript: () => sinusoidal(count, width, byHand),
        fill: memoryLimits(4 * count * width).fill,
      },
      error: () => largestDifference(out.view(), byHand),
      tolerance: 2e-7,
      marks,
    };
  },
});

const turn = (isHalf, given) => {
  const [heads, length, width] = [32, 2048, 128];
  const shape = [heads, length, width];
  return {
    name: `RoPE [${shape.join(', ')}], ${isHalf ? 'half' : 'interleaved'}, factors ${given ? 'given' : 'made'}`,
    prepare({ posenc, heap }) {
      const rope = posenc.rope({ headDim: width, layout: isHalf ? 'half' : 'interleaved' });
      const values = random(heads * length * width, 1);
      const { cos, sin } = rope.table(length);
      const x = heap(shape, values);
      const out = heap(shape);
      const options = { into: out, ...(given ? { table: { cos: heap(cos.shape, cos.data), sin: heap(sin.shape, sin.data) } } : {}) };
      const [byHand, copy] = [new Float32Array(values.length), new Float32Array(values.length)];
      return {
        runs: {
          posenc: () => rope.apply(x, options),
          JavaScript: () => turnPairs(values, cos.data, sin.data, { heads, length, width, isHalf }, byHand),
          'TypedArray.set': () => copy.set(values),
        },
        error: () => largestDifference(out.view(), byHand),
        tolerance: 3e-7,
        marks: (time) => [
          atLeast('× TypedArray.set', time('TypedArray.set') / time('posenc'), 0.8, 0.95),
          atLeast('× JavaScript', time('JavaScript') / time('posenc'), 4),
        ],
      };
    },
  };
};

const written = (name, make, valueOf) => {
  const [heads, count] = [12, 2048];
  return {
    name: `${name} bias written out [${heads}, ${count}, ${count}]`,
    prepare({ posenc, heap }) {
      const table = random(32 * heads, 2);
      const bias = make(posenc, heads, table);
      const out = heap([heads, count, count]);
      const byHand = new Float32Array(heads * count * count);
      const value = valueOf(bias, heads, table);
      return {
        runs: {
          posenc: () => bias.bias(count, count, { into: out }),
          JavaScript: () => fillBias(heads, count, value, byHand),
          fill: memoryLimits(4 * heads * count * count).fill,
        },
        error: () => largestDifference(out.view(), byHand),
        tolerance: 1e-4,
        marks: (time) => [
          atLeast('× SIMD fill', time('fill') / time('posenc'), 0.75, 0.9),
          atLeast('× JavaScript', time('JavaScript') / time('posenc'), 1),
        ],
      };
    },
  };
};

export const cases = [
  sines(4096, 512, (time) => [atLeast('× JavaScript', time('JavaScript') / time('posenc'), 5)]),
  sines(32768, 1024, (time) => [
    atLeast('× JavaScript', time('JavaScript') / time('posenc'), 5),
    atLeast('× SIMD fill', time('fill') / time('posenc'), 0, 0.55),
  ]),
  ...[true, false].flatMap((isHalf) => [turn(isHalf, true), turn(isHalf, false)]),
  written('T5', (posenc, heads, table) => posenc.t5({ heads, weights: { table: { data: table, shape: [32, heads] } } }),
    (_, heads, table) => (head, distance) => table[t5Bucket(distance, 32, 128) * heads + head]),
  written('ALiBi', (posenc, heads) => posenc.alibi({ heads, sides: 'symmetric' }),
    ({ slopes }) => (head, distance) => -slopes.data[head] * Math.abs(distance)),
];
