// The gradient of every tensor of every encoding, in every form, against central differences of what the encoding
// makes. (The C++ tests hold them to the plain loops far more closely; here nothing new is left out.) Sizes are one number,
// and those around one and two vectors of four.
import type { BiasEncoding, Encoding, InputEncoding, Tensor } from 'posenc';
import { PosencError } from 'posenc';
import { expect, test } from 'vitest';

import { loadPosenc, numbers, random } from '../support/posenc.js';
import { type Sample, attentionOptions, completed, headDim, heads, make, places, relationsOf, samples } from '../support/samples.js';

const posenc = await loadPosenc();

interface Made {
  readonly data: Float32Array;
  readonly shape: readonly number[];
}
/** What an encoding makes from its tensors, and the gradients of those from that of what it made. */
interface Maker {
  make(): Made;
  gradients(dMade: Made): Record<string, Tensor | undefined>;
}

function ofInput(encoding: InputEncoding, count: number): Maker {
  const { axes, width, readsX } = encoding;
  const x = random([count, width], 8);
  const options = readsX ? { grid: axes === 1 ? [count] : [1, count] } : { positions: places(axes, 1, count) };
  return {
    // Sums hide what is small: only the rows.
    make: () => (readsX ? encoding.add(x, options) : encoding.encode(places(axes, 1, count))),
    gradients: (dRows) => encoding.backward(dRows, readsX ? { ...options, x } : options) as Record<string, Tensor | undefined>,
  };
}

function ofBias(encoding: BiasEncoding, count: number): Maker {
  const { axes } = encoding;
  const at = { positions: { q: places(axes, 2, count), k: places(axes, 0, count + 2) }, ...relationsOf(encoding, 0, count, count + 2) };
  return { make: () => encoding.bias(count, count + 2, at), gradients: (dBias) => encoding.backward(dBias, at) as Record<string, Tensor | undefined> };
}

function ofAttention(encoding: Encoding<object>, count: number, width: number, valueDim: number): Maker & { dispose(): void } {
  const attention = posenc.attention({ ...attentionOptions, headDim: width, valueDim, encodings: [encoding] });
  const [q, k, v] = [random([heads, count, width], 1), random([2, count + 2, width], 2), random([2, count + 2, valueDim], 3)];
  const at = encoding.axes === 1 ? {} : { positions: { q: places(encoding.axes, 2, count), k: places(encoding.axes, 0, count + 2) } };
  return {
    make: () => attention.forward(q, k, v, at),
    gradients(dOut) {
      const { out, lse } = attention.forwardForGrad(q, k, v, at);
      const { params } = attention.backward({ q, k, v, out, lse, dOut, ...at });
      return Object.fromEntries(Object.entries(params).map(([name, gradient]) => [name.slice(encoding.name.length + 1), gradient]));
    },
    dispose: () => attention.dispose(),
  };
}

function compare(encoding: Encoding<object>, maker: Maker, title: string): void {
  const first = maker.make();
  const dMade = { data: numbers(first.data.length, 21), shape: first.shape };
  const gradients = maker.gradients(dMade);
  expect(Object.keys(gradients).filter((name) => encoding.trainable.includes(name) || name !== 'x').sort()).toEqual([...encoding.trainable].sort());
  const loss = (): number => maker.make().data.reduce((sum, value, i) => sum + value * (dMade.data[i] ?? NaN), 0);
  for (const name of encoding.trainable) {
    const gradient = gradients[name]?.data ?? new Float32Array();
    const kept = (encoding.parameters as Record<string, Tensor>)[name]?.data ?? new Float32Array();
    expect(gradient.length).toBe(kept.length);
    const largest = gradient.reduce((most, x) => Math.max(most, Math.abs(x)), 2e-2);
    // Some elements, the last among them, where tails of vectors are; of those that were never read, one.
    const all = Array.from(kept, (_, i) => i);
    const read = all.filter((i) => gradient[i] !== 0);
    const some = [...all.slice(-1), ...read.slice(-3), ...read.slice(0, 3), ...read.filter((i) => i % 7 === 3).slice(0, 4)];
    for (const at of new Set(some)) {
      const moved = (by: number): number => {
        encoding.parameters = { [name]: kept.map((x, i) => (i === at ? x + by : x)) };
        return loss();
      };
      // Of order four, so that steps may be long against the rounding of floats; shorter ones where a corner lies near, and
      // one side alone where the corner is here.
      const errors = [1 / 128, 1 / 1024, 1 / 4096].flatMap((step) => {
        const [back2, back, here, on, on2] = [-2, -1, 0, 1, 2].map((times) => moved(times * step)) as [number, number, number, number, number];
        const slopes = [(8 * (on - back) - (on2 - back2)) / (12 * step), (4 * on - on2 - 3 * here) / (2 * step), (3 * here - 4 * back + back2) / (2 * step)];
        return slopes.map((slope) => Math.abs((gradient[at] ?? NaN) - slope) / largest);
      });
      expect(Math.min(...errors), `${title}: ${name}[${at}] = ${gradient[at]}`).toBeLessThan(2e-2);
    }
    encoding.parameters = { [name]: kept };
  }
}

/** Forms whose differences at such steps say nothing, and why. */
const rough: Readonly<Record<string, string>> = {
  'activation=relu': 'a corner may lie within the step; with the other activations the same code is differentiated',
};

const sizes = [1, 3, 4, 5, 9];
const widthOf = (sample: Sample): string | undefined => ['dim', 'headDim', 'width', 'hidden', 'heads'].find((name) => sample.info.fields.some((field) => field.name === name && (field.required || name === 'width')));
const forms = samples
  .filter(({ info, title }) => info.tensors.length > 0 && !Object.keys(rough).some((form) => title.endsWith(form)))
  .flatMap((sample) => sizes.map((size): [string, Sample, number] => [`${sample.title}, ${size}`, sample, size]));

test.each(forms)('%s', (title, sample, size) => {
  const width = widthOf(sample);
  const isHeads = width === 'heads';
  let encoding: Encoding<object>;
  try {
    const given = width === undefined || isHeads ? {} : { [width]: size };
    encoding = make(posenc, { ...sample, values: completed(sample.info, { ...sample.values, ...given }) }, { seed: 3 });
  } catch (error) {
    // Some widths do not suit all forms; the usual one always does.
    expect(error).toBeInstanceOf(PosencError);
    expect(size).not.toBe(8);
    return;
  }
  const count = Math.min(size, 5);
  if (encoding.family === 'input') compare(encoding, ofInput(encoding as InputEncoding, count), title);
  else if (encoding.family === 'bias') compare(encoding, ofBias(encoding as BiasEncoding, size), title);
  else {
    const own = width === 'headDim' ? size : headDim;
    const maker = ofAttention(encoding, size, own, own);
    compare(encoding, maker, title);
    maker.dispose();
  }
  encoding.dispose();
});

test('nothing with tensors is left out', () => {
  const ids = new Set(forms.map(([, { id }]) => id));
  for (const { id, info } of samples) if (info.tensors.length > 0) expect(ids).toContain(id);
});
