// 100,000 calls of every kind, in an order that is drawn, errors among them: the module's memory stays as it was to the
// byte, and what JavaScript holds does not grow.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { PosencError } from 'posenc';
import { expect, test } from 'vitest';

import { loadPosenc, numbers, random } from './support/posenc.js';
import { Draw } from './support/random-attention.js';

const posenc = await loadPosenc();
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const [heads, headDim, dim, seq] = [2, 4, 8, 5];
const x = random([seq, dim], 1);
const q = random([heads, seq, headDim], 2);
const token = random([heads, 1, headDim], 3);
const place = new Float32Array(heads * seq * headDim);
const sinusoidal = posenc.sinusoidal({ dim });
const learned = posenc.learned({ dim, maxLength: 9 });
const rope = posenc.rope({ headDim });
const alibi = posenc.alibi({ heads, trainable: true });
const t5 = posenc.t5({ heads });
const shaw = posenc.shaw({ headDim, left: 4 });
const attention = posenc.attention({ heads, headDim, causal: true, encodings: [rope, alibi, shaw] });
const layer = posenc.attentionLayer({ dim, heads, causal: true, encodings: [sinusoidal, t5] });
const cache = attention.cache({ capacity: 16 });
const heap = posenc.tensor([heads, seq, headDim], q.data);
const slopes = numbers(heads, 4);

/** One of each kind: what a program that runs for days does. */
const calls: readonly (() => unknown)[] = [
  () => sinusoidal.encode(seq),
  () => sinusoidal.add(x, { positions: [4, 1, 0.5, -3, 7] }),
  () => learned.concat(x),
  () => learned.backward(x, { positions: 2 }),
  () => rope.apply(q, { positions: 100, into: place }),
  () => rope.apply(heap, { into: heap }),
  () => rope.table(seq),
  () => alibi.bias(seq, seq, { qOffset: 3 }),
  () => t5.bias(2, 7),
  () => shaw.rows(5, { offset: -2 }),
  () => attention.forward(q, q, q, { keyLengths: [3] }),
  () => attention.scores(q, q, 'biased'),
  () => {
    const { out, lse } = attention.forwardForGrad(q, q, q);
    return attention.backward({ q, k: q, v: q, out, lse, dOut: q });
  },
  () => {
    if ((cache.lengths[0] ?? 0) > 40) cache.truncate(0);
    return attention.forward(token, token, token, { cache });
  },
  () => {
    const copy = cache.clone();
    copy.append(token, token);
    copy.dispose();
  },
  () => layer.forward(x),
  () => {
    const { attended, lse } = layer.forwardForGrad(x);
    return layer.backward({ x, attended, lse, dOut: x });
  },
  () => (alibi.parameters = { slopes }),
  () => layer.parameters,
  () => posenc.toHalf(posenc.fromHalf(Uint16Array.of(1, 2), [2], 'f16'), 'bf16'),
  () => posenc.learned.resample(x, { to: [7] }),
  () => posenc.tensor([3, 3]).dispose(),
  () => posenc.rope({ headDim: 6, layout: 'interleaved' }).dispose(),
  () => {
    const inner = posenc.attentionLayer({ dim, heads });
    inner.forward(x, { context: random([3, dim], 7) });
    inner.dispose();
  },
  // What is refused.
  () => sinusoidal.encode([1, NaN]),
  () => rope.apply({ data: place, shape: [3, 3] }),
  () => attention.forward(q, q, q, { keyLengths: [-1] }),
  () => posenc.alibi({ heads: 0 }),
  () => posenc.tensor([65536, 65536]),
  () => layer.forward(q),
  () => (layer.parameters = { Wq: x }),
  () => cache.append(token, q),
];

test('memory is flat', () => {
  const draw = new Draw(1);
  let refused = 0;
  const run = (count: number): void => {
    for (let i = 0; i < count; i++) {
      try {
        draw.pick(calls)();
      } catch (error) {
        if (!(error instanceof PosencError)) throw error;
        refused++;
      }
    }
    cache.truncate(0);
    collect();
  };
  run(5000);
  const [before, held] = [posenc.memory(), process.memoryUsage()];
  run(100_000);
  expect(posenc.memory()).toEqual(before);
  const now = process.memoryUsage();
  expect((now.heapUsed - held.heapUsed) / 2 ** 20).toBeLessThan(4);
  expect((now.arrayBuffers - held.arrayBuffers) / 2 ** 20).toBeLessThan(4);
  // A quarter of the calls are errors, and none beside those that are meant to be.
  expect(refused / 105_000).toBeGreaterThan(0.2);
  expect(refused / 105_000).toBeLessThan(0.3);
  expect(attention.forward(q, q, q)).toEqual(attention.forward(q, q, q));
});
