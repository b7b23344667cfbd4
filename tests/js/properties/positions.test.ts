// Of every encoding: positions that count up and the same positions given one by one make the same bits, and no row
// depends on which others a call asks for.
import type { BiasEncoding, Encoding, InputEncoding, RelativeEncoding, RotaryEncoding } from 'posenc';
import { expect, test } from 'vitest';

import { largestDifference, loadPosenc, random } from '../support/posenc.js';
import { type Sample, attentionOptions, headDim, heads, make, places, relationsOf, samplesIn } from '../support/samples.js';

const posenc = await loadPosenc();
const [count, first] = [11, 2];

/** Encodings whose positions cannot be counted, and why. */
const uncounted: Readonly<Record<string, string>> = {
  box: 'a position is a box on a page',
  coordinates: 'a position is a point of space',
  layoutBias: 'a position is a place in the text and a box on the page',
  decomposed: 'a position is a row and a column',
  'transformerXL segments=true': 'a position is a place and a segment',
};
/** Input encodings whose rows are made from the rows of x beside them. */
const readsNeighbours: Readonly<Record<string, string>> = { conv: 'a convolution of x' };

const using = <Kind extends Encoding<object>>(sample: Sample, body: (encoding: Kind) => void): void => {
  const encoding = make<Kind>(posenc, sample);
  try {
    body(encoding);
  } finally {
    encoding.dispose();
  }
};
const titled = (samples: readonly Sample[]): [string, Sample][] => samples.map((sample) => [sample.title, sample]);

test.each(titled(samplesIn('input').filter(({ id }) => !(id in readsNeighbours))))('rows of %s', (_, sample) => {
  using<InputEncoding>(sample, (encoding) => {
    const { axes, width } = encoding;
    const rows = encoding.encode(places(axes, first, count)).data;
    expect(rows.every(Number.isFinite)).toBe(true);
    if (axes === 1) expect(encoding.encode(count, { offset: first }).data).toEqual(rows);
    else if (axes === 2 && !(sample.id in uncounted)) expect(encoding.encode([3, 5]).data).toEqual(encoding.encode(places(2, 0, 15)).data);
    // Whole = one by one.
    for (let i = 0; i < count; i++) {
      expect(encoding.encode(places(axes, first + i, 1)).data).toEqual(rows.slice(i * width, (i + 1) * width));
    }
    const x = random([count, width]);
    const added = encoding.add(x, { positions: places(axes, first, count) }).data;
    const sums = x.data.map((value, at) => value * encoding.inputScale + (rows[at] ?? NaN));
    if (encoding.inputScale === 1) expect(added).toEqual(sums);
    else expect(largestDifference(added, sums)).toBeLessThan(1e-6);
    if (axes === 1) expect(encoding.add(x, { positions: first }).data).toEqual(added);
    expect(encoding.concat(x, { positions: places(axes, first, count) }).data.slice(width, 2 * width)).toEqual(rows.slice(0, width));

    const dOut = random([count, width], 3);
    const given = encoding.backward(dOut, { positions: places(axes, first, count) });
    if (axes === 1) expect(encoding.backward(dOut, { positions: first })).toEqual(given);
  });
});

test.each(titled(samplesIn('rotary')))('rotations of %s', (_, sample) => {
  using<RotaryEncoding>(sample, (encoding) => {
    const { axes } = encoding;
    const x = random([heads, count, headDim]);
    const counted = Array.from({ length: count }, (__, i) => first + i);
    const turned = encoding.apply(x, { positions: counted });
    expect(encoding.apply(x, { positions: first })).toEqual(turned);
    expect(encoding.backward(x, { positions: first })).toEqual(encoding.backward(x, { positions: counted }));
    const reached = first + count;
    if (axes === 1) expect(encoding.table(count, { offset: first })).toEqual(encoding.table(counted));
    // One by one, told the length that the whole call reaches.
    for (let i = 0; i < count; i++) {
      const row = (t: { data: Float32Array }): Float32Array =>
        Float32Array.from({ length: heads * headDim }, (__, at) => t.data[(Math.floor(at / headDim) * count + i) * headDim + (at % headDim)] ?? NaN);
      const one = encoding.apply({ data: row(x), shape: [heads, 1, headDim] }, { positions: [first + i], reached });
      expect(one.data).toEqual(row(turned));
    }
  });
});

test.each(titled(samplesIn('bias').filter(({ id }) => !(id in uncounted))))('biases of %s', (_, sample) => {
  using<BiasEncoding>(sample, (encoding) => {
    const { axes } = encoding;
    const relations = relationsOf(encoding, 0, 4, count);
    const at = { positions: { q: places(axes, 5, 4), k: places(axes, 0, count) }, ...relations };
    const bias = encoding.bias(4, count, at);
    expect(bias.data.every(Number.isFinite)).toBe(true);
    expect(encoding.bias(4, count, { qOffset: 5, ...relations })).toEqual(bias);
    for (let i = 0; i < 4; i++) {
      const row = encoding.bias(1, count, { qOffset: 5 + i, ...relationsOf(encoding, i, 1, count) }).data;
      for (let h = 0; h < heads; h++) {
        expect(row.slice(h * count, (h + 1) * count)).toEqual(bias.data.slice((h * 4 + i) * count, (h * 4 + i + 1) * count));
      }
    }
    const dBias = random([heads, 4, count], 7);
    expect(encoding.backward(dBias, { qOffset: 5, ...relations })).toEqual(encoding.backward(dBias, at));
  });
});

test.each(titled(samplesIn('relative').filter(({ info }) => info.domain.axes === 1)))('rows of distances of %s', (_, sample) => {
  using<RelativeEncoding>(sample, (encoding) => {
    encoding.terms.forEach((__, term) => {
      if (sample.id === 'cope') return; // its rows are positions that the content counts
      const rows = encoding.rows([-3, -2, -1, 0, 1, 2, 3], { term });
      expect(encoding.rows(7, { term, offset: -3 })).toEqual(rows);
    });
  });
});

test.each(titled(samplesIn('rotary', 'bias', 'relative', 'none').filter(({ id, title }) => !(id in uncounted || title in uncounted))))('attention with %s', (_, sample) => {
  using(sample, (encoding) => {
    const attention = posenc.attention({ ...attentionOptions, encodings: [encoding] });
    const [q, k, v] = [random([heads, 4, headDim], 1), random([2, count, headDim], 2), random([2, count, headDim], 3)];
    const relations = relationsOf(encoding, count - 4, 4, count);
    const axes = sample.id === 'mrope' ? 1 : encoding.axes; // text: all axes alike
    const given = { ...relations, positions: { q: places(axes, count - 4, 4), k: places(axes, 0, count) } };
    const { out, lse } = attention.forwardForGrad(q, k, v, relations);
    expect(out.data.every(Number.isFinite)).toBe(true);
    expect(attention.forwardForGrad(q, k, v, given)).toEqual({ out, lse });
    for (const stage of ['raw', 'biased', 'weights'] as const) {
      expect(attention.scores(q, k, stage, given)).toEqual(attention.scores(q, k, stage, relations));
    }
    const inputs = { q, k, v, out, lse, dOut: random([heads, 4, headDim], 4) };
    expect(attention.backward({ ...inputs, ...given })).toEqual(attention.backward({ ...inputs, ...relations }));
    attention.dispose();
  });
});
