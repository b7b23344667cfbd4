// Gradients of attention layers: of tokens, weights, encodings by name, sinks and gates, against finite differences.
import { expect, test } from 'vitest';

import { dim, heads, plain, project } from './support/plain-layer.js';
import { errorOf, largestDifference, loadPosenc, numbers, random } from './support/posenc.js';

const posenc = await loadPosenc();
const seq = 5;

test('backward gives gradients that finite differences confirm, and those of encodings by name', () => {
  const alibi = posenc.alibi({ heads, trainable: true, sides: 'symmetric', name: 'far' });
  const rope = posenc.rope({ headDim: 4 });
  const layer = posenc.attentionLayer({ dim, heads, contextDim: 6, encodings: [rope, alibi] });
  const [x, context, mask, dOut] = [random([seq, dim], 1), random([3, 6], 2), random([seq, 3], 3), random([seq, dim], 4)];
  const call = { context, mask };
  const loss = (): number => layer.forward(x, call).data.reduce((sum, value, i) => sum + value * dOut.data[i]!, 0);
  const { out, attended, lse } = layer.forwardForGrad(x, call);
  expect(out.data).toEqual(layer.forward(x, call).data);
  expect([attended.shape, lse.shape]).toEqual([[seq, dim], [heads, seq]]);
  const gradients = layer.backward({ x, attended, lse, dOut, ...call });
  expect(Object.keys(gradients.params)).toEqual(layer.trainable);
  expect(layer.trainable).toEqual(['Wq', 'Wk', 'Wv', 'Wo', 'bq', 'bk', 'bv', 'bo', 'far.slopes']);

  const slope = (values: Float32Array, at: number, apply = (): void => undefined): number => {
    const [old, step] = [values[at]!, 1 / 64];
    const sides = [old + step, old - step].map((value) => {
      values[at] = value;
      apply();
      return loss();
    }) as [number, number];
    values[at] = old;
    apply();
    return (sides[0] - sides[1]) / (2 * step);
  };
  for (const [values, gradient] of [[x.data, gradients.dx], [context.data, gradients.dContext], [mask.data, gradients.dMask]] as const) {
    for (const at of [0, values.length - 1]) expect(gradient?.data[at]).toBeCloseTo(slope(values, at), 3);
  }
  const { parameters } = layer;
  for (const name of layer.trainable) {
    const { data } = parameters[name]!;
    const apply = (): void => void (layer.parameters = { [name]: data });
    expect(gradients.params[name]?.shape).toEqual(parameters[name]!.shape);
    expect(gradients.params[name]?.data[data.length - 1]).toBeCloseTo(slope(data, data.length - 1, apply), 3);
  }

  const into = { dx: new Float32Array(seq * dim), dContext: posenc.tensor([3, 6]) };
  const again = layer.backward({ x, attended, lse, dOut, ...call, into });
  expect(again.dx).toBe(into.dx);
  expect(into.dx).toEqual(gradients.dx.data);
  expect(into.dContext.view()).toEqual(gradients.dContext?.data);
  for (const object of [into.dContext, layer, alibi, rope]) object.dispose();
});

/** (f(x + step) - f(x - step)) / (2 step) for one number of x. */
function slopeAt(values: Float32Array, at: number, loss: () => number): number {
  const [old, step] = [values[at]!, 1 / 64];
  const [above, below] = [old + step, old - step].map((value) => {
    values[at] = value;
    return loss();
  }) as [number, number];
  values[at] = old;
  return (above - below) / (2 * step);
}

test('backward gives gradients of sinks and of the factors on cosines', () => {
  const [x, dOut] = [random([seq, dim], 1), random([seq, dim], 4)];
  const [sinks, logitScale] = [new Float32Array([0.3, -0.5]), new Float32Array([0.7, 1.2])];
  for (const [options, call] of [
    [{}, { sinks }],
    [{ logits: 'cosine' }, { logitScale }],
    [{ logits: 'cosine' }, { sinks, logitScale }],
  ] as const) {
    const layer = posenc.attentionLayer({ dim, heads, ...options });
    const loss = (): number => layer.forward(x, call).data.reduce((sum, value, i) => sum + value * dOut.data[i]!, 0);
    const { attended, lse } = layer.forwardForGrad(x, call);
    const { dSinks, dLogitScale } = layer.backward({ x, attended, lse, dOut, ...call });
    expect([dSinks?.shape, dLogitScale?.shape]).toEqual(['sinks' in call ? [heads] : undefined, 'logitScale' in call ? [heads] : undefined]);
    for (let h = 0; h < heads; h++) {
      if ('sinks' in call) expect(dSinks?.data[h]).toBeCloseTo(slopeAt(sinks, h, loss), 3);
      if ('logitScale' in call) expect(dLogitScale?.data[h]).toBeCloseTo(slopeAt(logitScale, h, loss), 3);
    }
    if ('sinks' in call) {
      const into = { dSinks: new Float32Array(heads) };
      expect(layer.backward({ x, attended, lse, dOut, ...call, into }).dSinks).toBe(into.dSinks);
      expect(into.dSinks).toEqual(dSinks?.data);
    } else {
      const into = { dSinks: new Float32Array(heads) };
      expect(errorOf(() => layer.backward({ x, attended, lse, dOut, ...call, into }))).toMatchObject({ code: 'unknownOption', parameter: 'into.dSinks' });
    }
    layer.dispose();
  }
});

test("gates of T5's bias read the queries or the layer's input, and give gradients of both", () => {
  for (const gate of ['query', 'input'] as const) {
    const t5 = posenc.t5({ heads, numBuckets: 8, maxDistance: 20, gate, headDim: dim / heads, weights: { table: numbers(16, 5), gateScale: numbers(heads, 6) } });
    const layer = posenc.attentionLayer({ dim, heads, encodings: [t5] });
    const [x, dOut] = [random([seq, dim], 1), random([seq, dim], 4)];
    const p = layer.parameters;
    const content = gate === 'input' ? [...x.data] : project(x.data, p['Wq']!.data, p['bq']?.data, dim, dim);
    const bias = t5.bias(seq, seq).data;
    const logits = (h: number, i: number, half: number): number => {
      let sum = 0;
      for (let n = 4 * half; n < 4 * half + 4; n++) {
        sum += p['t5.gateBias']!.data[n]!;
        for (let c = 0; c < 4; c++) sum += content[i * dim + h * 4 + c]! * p['t5.gateWeight']!.data[c * 8 + n]!;
      }
      return 1 / (1 + Math.exp(-sum));
    };
    const gated = (h: number, i: number, j: number): number =>
      (logits(h, i, 0) * (logits(h, i, 1) * p['t5.gateScale']!.data[h]! - 1) + 2) * bias[(h * seq + i) * seq + j]!;
    expect(largestDifference(layer.forward(x).data, plain(layer, x.data, x.data, gated))).toBeLessThan(3e-6);

    const loss = (): number => layer.forward(x).data.reduce((sum, value, i) => sum + value * dOut.data[i]!, 0);
    const { attended, lse } = layer.forwardForGrad(x);
    const { dx, params } = layer.backward({ x, attended, lse, dOut });
    for (const at of [0, 13, seq * dim - 1]) expect(dx.data[at]).toBeCloseTo(slopeAt(x.data, at, loss), 3);
    for (const name of ['table', 'gateWeight', 'gateBias', 'gateScale']) {
      const { data } = t5.parameters[name as 'table'];
      const apply = (): number => {
        t5.parameters = { [name]: data };
        return loss();
      };
      expect(params[`t5.${name}`]?.data[1], name).toBeCloseTo(slopeAt(data, 1, apply), 3);
      apply();
    }
    // One by one with a cache is the whole.
    const cache = layer.cache();
    const rows = Array.from({ length: seq }, (_, i) => {
      const token = { data: x.data.slice(i * dim, (i + 1) * dim), shape: [1, 1, dim] };
      return [...layer.forward(token, { cache }).data];
    });
    const last = layer.forward(x).data.slice((seq - 1) * dim);
    expect(largestDifference(rows[seq - 1]!, last)).toBeLessThan(2e-6);
    for (const object of [cache, layer, t5]) object.dispose();
  }
  const narrow = posenc.t5({ heads, gate: 'input', headDim: 3 });
  expect(errorOf(() => posenc.attentionLayer({ dim, heads, headDim: 3, encodings: [narrow] }))).toMatchObject({ code: 'shapeMismatch', parameter: 'encodings' });
  narrow.dispose();
});
