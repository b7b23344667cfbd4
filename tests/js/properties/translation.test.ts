// Moving all positions by the same amount leaves the scores of rotations, relative terms and biases of the distance as
// they were; no encoding makes them follow the order of tokens, and every encoding makes order count.
import { expect, test } from 'vitest';

import { largestDifference, loadPosenc, random } from '../support/posenc.js';
import { type Sample, attentionOptions, headDim, heads, make, places, samples, samplesIn } from '../support/samples.js';

const posenc = await loadPosenc();

/** Encodings that do not go by differences of positions alone, and why. */
const absolute: Readonly<Record<string, string>> = {
  swin: 'positions are the places of a window',
  swinV2: 'positions are the places of a window',
  beit: 'positions are the places of a window behind a class token',
  relation: 'reads relations, not positions',
  'shaw beyond=error': 'positions end where a distance would leave the table',
};
const followsLength = ({ values }: Sample): boolean => ['dynamic', 'longrope'].includes(String(values['scaling.type']));

const moved = (positions: number[] | number[][], by: number): number[] | number[][] =>
  positions.map((p) => (typeof p === 'number' ? p + by : p.map((x) => x + by))) as number[] | number[][];

const relative = samplesIn('rotary', 'bias', 'relative', 'none').filter((sample) => !(sample.id in absolute || sample.title in absolute) && !followsLength(sample));

test.each(relative.map((sample): [string, Sample] => [sample.title, sample]))('translation and %s', (_, sample) => {
  expect(['relative', 'none']).toContain(sample.info.kind);
  const encoding = make(posenc, sample);
  const attention = posenc.attention({ ...attentionOptions, encodings: [encoding] });
  const [q, k] = [random([heads, 6, headDim], 1), random([2, 12, headDim], 2)];
  const [queries, keys] = [places(encoding.axes, 6, 6), places(encoding.axes, 0, 12)];
  const here = attention.scores(q, k, 'biased', { positions: { q: queries, k: keys } }).data;
  for (const by of [1, 37, 400]) {
    const there = attention.scores(q, k, 'biased', { positions: { q: moved(queries, by), k: moved(keys, by) } }).data;
    expect(largestDifference(there, here)).toBeLessThan(3e-6);
  }
  attention.dispose();
  encoding.dispose();
});

/** [heads, n, headDim] with tokens in another order. */
function permuted({ data, shape }: { data: Float32Array; shape: readonly number[] }, order: readonly number[]): ReturnType<typeof random> {
  const n = order.length;
  const out = Float32Array.from(data, (__, at) => {
    const row = Math.floor(at / headDim);
    return data[(Math.floor(row / n) * n + (order[row % n] ?? 0)) * headDim + (at % headDim)] ?? NaN;
  });
  return { data: out, shape };
}
const order = [3, 0, 4, 6, 1, 5, 2];
const [q, k, v] = [random([heads, 7, headDim], 1), random([heads, 7, headDim], 2), random([heads, 7, headDim], 3)];

test('attention without positions is permutation-equivariant, and with a causal mask it is not', () => {
  const nope = posenc.nope();
  const difference = (causal: boolean, encodings: ReturnType<typeof make>[]): number => {
    const attention = posenc.attention({ heads, headDim, causal, encodings });
    const plain = permuted(attention.forward(q, k, v), order);
    const other = attention.forward(permuted(q, order), permuted(k, order), permuted(v, order));
    attention.dispose();
    return largestDifference(plain.data, other.data);
  };
  expect(difference(false, [nope])).toBeLessThan(1e-6);
  expect(difference(false, [])).toBeLessThan(1e-6);
  expect(difference(true, [nope])).toBeGreaterThan(0.1);
  nope.dispose();
});

/** Encodings in which order does not show, and why. */
const unordered: Readonly<Record<string, string>> = {
  relation: 'the same relations of every query and key',
  layoutBias: 'its positions have to be given',
  decomposed: 'its positions have to be given',
  'transformerXL segments=true': 'its positions have to be given',
};

test.each(samples.filter(({ info, id, title }) => !['input', 'none'].includes(info.family) && !(id in unordered || title in unordered)).map((sample): [string, Sample] => [sample.title, sample]))(
  'the order of tokens counts with %s',
  (_, sample) => {
    const encoding = make(posenc, sample);
    const attention = posenc.attention({ heads, headDim, encodings: [encoding] });
    const plain = permuted(attention.forward(q, k, v), order);
    const other = attention.forward(permuted(q, order), permuted(k, order), permuted(v, order));
    expect(largestDifference(plain.data, other.data)).toBeGreaterThan(1e-4);
    attention.dispose();
    encoding.dispose();
  },
);

test.each(samplesIn('rotary').filter(({ id }) => id === 'mrope').map((sample): [string, Sample] => [sample.title, sample]))(
  'equal axes: %s is RoPE bit for bit',
  (_, sample) => {
    const { sections: __, order: ___, ...shared } = sample.values;
    const mrope = make<ReturnType<typeof posenc.mrope>>(posenc, sample);
    const rope = make<ReturnType<typeof posenc.rope>>(posenc, { ...sample, id: 'rope', values: shared });
    for (const positions of [[0, 1, 2], [5, 70000, 3.5], [-4, 2 ** 24, 1e9]]) {
      const axes = positions.map((p) => [p, p, p]);
      expect(mrope.table(axes)).toEqual(rope.table(positions));
      for (const side of ['query', 'key'] as const) {
        for (const call of ['apply', 'invert', 'backward'] as const) {
          const x = random([heads, 3, headDim], 9);
          expect(mrope[call](x, { positions: axes, side })).toEqual(rope[call](x, { positions, side }));
        }
      }
    }
    const x = random([heads, 9, headDim], 4);
    const out = [mrope, rope].map((encoding) => {
      const attention = posenc.attention({ heads, headDim, causal: true, encodings: [encoding] });
      const { data } = attention.forward(x, x, x);
      attention.dispose();
      return data;
    });
    expect(out[0]).toEqual(out[1]);
    mrope.dispose();
    rope.dispose();
  },
);
