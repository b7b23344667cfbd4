// Gates of T5's bias that read what a call gives them: with q itself they are the gates that read q.
import { PosencError } from 'posenc';
import { expect, test } from 'vitest';

import { loadPosenc, random } from './support/posenc.js';

const posenc = await loadPosenc();
const [heads, headDim, seq] = [4, 8, 11];
const attentionWith = (gate: 'query' | 'input'): ReturnType<typeof posenc.attention> =>
  posenc.attention({ heads, headDim, causal: true, encodings: [posenc.t5({ heads, gate, headDim, seed: 3 })] });
const [q, k, v, dOut] = [random([heads, seq, headDim], 1), random([heads, seq, headDim], 2), random([heads, seq, headDim], 3), random([heads, seq, headDim], 4)];

test('gates of a given tensor equal to q are gates of q, forward and backward', () => {
  const [own, given] = [attentionWith('query'), attentionWith('input')];
  const wanted = own.forwardForGrad(q, k, v);
  const { out, lse } = given.forwardForGrad(q, k, v, { gateInput: q });
  expect(out.data).toEqual(wanted.out.data);
  const all = own.backward({ q, k, v, ...wanted, dOut });
  const parts = given.backward({ q, k, v, out, lse, dOut, gateInput: q });
  expect(parts.dv.data).toEqual(all.dv.data);
  const { dGateInput } = parts;
  expect(dGateInput?.shape).toEqual(q.shape);
  const largest = Math.max(...parts.dq.data.map((x, n) => Math.abs(x + (dGateInput?.data[n] ?? NaN) - (all.dq.data[n] ?? NaN))));
  expect(largest).toBeLessThan(1e-6);
  expect(dGateInput?.data.some((x) => Math.abs(x) > 1e-4)).toBe(true);
  expect(Object.keys(parts.params)).toEqual(Object.keys(all.params));
  for (const [name, gradient] of Object.entries(all.params)) expect(parts.params[name]?.data).toEqual(gradient.data);
});

test('what a gate reads has to be given, and only where one reads it', () => {
  expect(() => attentionWith('input').forward(q, k, v)).toThrow(PosencError);
  expect(() => attentionWith('input').forward(q, k, v, { gateInput: random([heads, seq + 1, headDim], 1) })).toThrow(expect.objectContaining({ parameter: 'gateInput' }));
  expect(() => attentionWith('query').forward(q, k, v, { gateInput: q })).toThrow(expect.objectContaining({ parameter: 'gateInput' }));
});
