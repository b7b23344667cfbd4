// Input encodings beside the sinusoidal one, against the same loops in JavaScript, or a fill of the same bytes where that
// asks for less.
import { memoryLimits } from '../limits.mjs';
import { digits, gaussian, gridSines, lowRank, nerf, random, resample } from '../by-hand.mjs';
import { atLeast, largestDifference, shown } from '../marks.mjs';

function made(name, tolerance, make) {
  return {
    name,
    prepare(bench) {
      const { encoding, positions, shape, byHand } = make(bench);
      const out = bench.heap(shape);
      const array = new Float32Array(out.size);
      return {
        runs: {
          posenc: () => encoding.encode(positions, { into: out }),
          JavaScript: () => byHand(array),
          fill: memoryLimits(4 * out.size).fill,
        },
        error: () => largestDifference(out.view(), array),
        tolerance,
        marks: (time) => {
          const gain = time('JavaScript') / time('posenc');
          const share = time('fill') / time('posenc');
          // Whichever of the two demands is met: it is the lower one.
          return [
            share >= 0.6 ? shown('× JavaScript', gain) : atLeast('× JavaScript', gain, 3),
            gain >= 3 ? shown('× SIMD fill', share) : atLeast('× SIMD fill', share, 0.6),
          ];
        },
      };
    },
  };
}

const points = (count, axes) => ({ data: random(count * axes, 9), shape: [count, axes] });

export const cases = [
  made('learned grid 14 × 14 resized to 37 × 37, bicubic, 768 wide', 2e-5, ({ posenc }) => {
    const table = random(14 * 14 * 768, 1);
    const encoding = posenc.gridLearned({ dim: 768, rows: 14, cols: 14, toRows: 37, toCols: 37, weights: { table: { data: table, shape: [196, 768] } } });
    return { encoding, positions: 37 * 37, shape: [37 * 37, 768], byHand: (out) => resample(table, 14, 14, 768, 37, 37, out) };
  }),
  made('grid sines 64 × 64, 512 wide', 2e-7, ({ posenc }) => ({
    encoding: posenc.grid({ dim: 512 }),
    positions: [64, 64],
    shape: [64, 64, 512],
    byHand: (out) => gridSines(64, 64, 512, out),
  })),
  made('digits in radix 4, 4096 × 512', 2e-6, ({ posenc }) => {
    const table = random(6 * 4 * 512, 2);
    const encoding = posenc.binary({ dim: 512, digits: 6, radix: 4, weights: { table: { data: table, shape: [6, 4, 512] } } });
    return { encoding, positions: 4096, shape: [4096, 512], byHand: (out) => digits(4096, 6, 4, 512, table, out) };
  }),
  made('binary digits, 4096 × 512', 2e-6, ({ posenc }) => {
    const table = random(12 * 2 * 512, 2);
    const encoding = posenc.binary({ dim: 512, digits: 12, weights: { table: { data: table, shape: [12, 2, 512] } } });
    return { encoding, positions: 4096, shape: [4096, 512], byHand: (out) => digits(4096, 12, 2, 512, table, out) };
  }),
  made('NeRF features of 16384 points, 3 axes × 10', 2e-6, ({ posenc }) => {
    const positions = points(16384, 3);
    return {
      encoding: posenc.fourier({ axes: 3, frequencies: 10 }),
      positions,
      shape: [16384, 60],
      byHand: (out) => nerf(positions.data, 16384, 3, 10, out),
    };
  }),
  made('random Fourier features of 8192 points, 128 frequencies', 2e-6, ({ posenc }) => {
    const positions = points(8192, 2);
    const encoding = posenc.fourier({ kind: 'random', frequencies: 128 });
    const matrix = encoding.tensor('matrix').data;
    return { encoding, positions, shape: [8192, 256], byHand: (out) => gaussian(positions.data, 8192, 2, 128, matrix, out) };
  }),
  made('low rank 32, 4096 × 768', 2e-5, ({ posenc }) => {
    const encoding = posenc.lowRank({ dim: 768, maxLength: 4096, rank: 32 });
    const [coefficients, basis] = ['coefficients', 'basis'].map((name) => encoding.tensor(name).data);
    return { encoding, positions: 4096, shape: [4096, 768], byHand: (out) => lowRank(coefficients, basis, 4096, 32, 768, out) };
  }),
];
