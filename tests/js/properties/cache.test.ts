// whole = prefix + one by one, with a cache of rotated keys and with one of raw keys, for every encoding that attention takes.
import { expect, test } from 'vitest';

import { largestDifference, loadPosenc, random } from '../support/posenc.js';
import { type Sample, attentionOptions, headDim, heads, make, places, relationsOf, samplesIn } from '../support/samples.js';

const posenc = await loadPosenc();
const kvHeads = 2;
const [tokens, prefix] = [13, 6];

/** Forms whose positions have to be given, and why. */
const given: Readonly<Record<string, string>> = {
  layoutBias: 'a position is a place in the text and a box on the page',
  ropeNd: 'a cache keeps coordinates, not places in a grid',
  decomposed: 'a position is a row and a column',
  'transformerXL segments=true': 'a position is a place and a segment',
};

/** Angles follow the length reached: keys that were turned before keep those of their time, as inference engines do. */
const followsLength = ({ values }: Sample): boolean => ['dynamic', 'longrope'].includes(String(values['scaling.type']));

type Tokens = ReturnType<typeof random>;
const slice = ({ data }: { data: Float32Array }, count: number, from: number, to: number): Tokens => ({
  data: Float32Array.from({ length: count * (to - from) * headDim }, (_, at) => {
    const [row, c] = [Math.floor(at / headDim), at % headDim];
    return data[(Math.floor(row / (to - from)) * tokens + from + (row % (to - from))) * headDim + c] ?? NaN;
  }),
  shape: [count, to - from, headDim],
});

const forms = samplesIn('rotary', 'bias', 'relative', 'none').flatMap((sample) =>
  (['rotated', 'raw'] as const)
    .filter((keys) => keys === 'raw' || !followsLength(sample))
    .flatMap((keys) => (sample.id in given || sample.title in given ? [true] : [false, true]).map((giving): [string, Sample, 'rotated' | 'raw', boolean] =>
      [`${sample.title}, ${keys} keys${giving ? ', positions given' : ''}`, sample, keys, giving])),
);

test.each(forms)('%s', (_, sample, keys, giving) => {
  const encoding = make(posenc, sample);
  const attention = posenc.attention({ ...attentionOptions, encodings: [encoding] });
  const [q, k, v] = [random([heads, tokens, headDim], 1), random([kvHeads, tokens, headDim], 2), random([kvHeads, tokens, headDim], 3)];
  const options = (from: number, to: number): object => {
    const positions = { q: places(encoding.axes, from, to - from), k: places(encoding.axes, from, to - from) };
    return { ...(giving ? { positions } : {}), ...relationsOf(encoding, from, to - from, to) };
  };
  const whole = attention.forward(q, k, v, options(0, tokens));
  expect(whole.data.every(Number.isFinite)).toBe(true);
  const cache = attention.cache({ keys });
  for (let from = 0, to = prefix; from < tokens; from = to, to++) {
    const out = attention.forward(slice(q, heads, from, to), slice(k, kvHeads, from, to), slice(v, kvHeads, from, to), { cache, ...options(from, to) });
    // A length that grows changes the angles of what came before: the row that was last is the whole's.
    if (followsLength(sample) && to < tokens) continue;
    expect(largestDifference(out.data, slice(whole, heads, from, to).data)).toBeLessThan(3e-6);
  }
  for (const owned of [cache, attention, encoding]) owned.dispose();
});

// What a token sees may not depend on how far the text goes on behind it.
test.each<[string, Parameters<typeof posenc.attention>[0]]>([
  ['a window', { ...attentionOptions, window: { left: 3 } }],
  ['chunks', { ...attentionOptions, chunk: 5 }],
  ['blocks', { ...attentionOptions, blocks: { size: 2, window: 0, global: 0, random: 2 } }],
  ['blocks with global ones', { ...attentionOptions, blocks: { size: 2, window: 1, global: 1, random: 1 } }],
  ['blocks beside a window', { ...attentionOptions, blocks: { size: 3, global: 2, random: 1 }, window: { left: 1 } }],
])('%s', (_, options) => {
  const attention = posenc.attention(options);
  const [q, k, v] = [random([heads, tokens, headDim], 1), random([kvHeads, tokens, headDim], 2), random([kvHeads, tokens, headDim], 3)];
  const whole = attention.forward(q, k, v);
  const cache = attention.cache();
  for (let from = 0, to = prefix; from < tokens; from = to, to++) {
    const out = attention.forward(slice(q, heads, from, to), slice(k, kvHeads, from, to), slice(v, kvHeads, from, to), { cache });
    expect(largestDifference(out.data, slice(whole, heads, from, to).data)).toBeLessThan(3e-6);
  }
  for (const owned of [cache, attention]) owned.dispose();
});
