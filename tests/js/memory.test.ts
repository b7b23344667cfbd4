// Memory stays flat, and a request that cannot be met is an error after which everything goes on.
import { expect, test } from 'vitest';

import { errorOf, loadPosenc, random } from './support/posenc.js';

const posenc = await loadPosenc();
const [heads, dim] = [4, 16];

test('10,000 calls leave memory as it was', () => {
  const sinusoidal = posenc.sinusoidal({ dim });
  const rope = posenc.rope({ headDim: dim });
  const alibi = posenc.alibi({ heads });
  const attention = posenc.attention({ heads, headDim: dim, causal: true, encodings: [rope, alibi] });
  const q = random([heads, 6, dim]);
  const round = (): void => {
    sinusoidal.encode(6);
    sinusoidal.add({ data: q.data, shape: [heads * 6, dim] }, { positions: 3 });
    rope.apply(q, { positions: [5, 4, 3, 2, 1, 0] });
    alibi.bias(6, 6);
    attention.forward(q, q, q);
    try {
      sinusoidal.encode([1, NaN]);
    } catch {
      // Errors leave nothing behind either.
    }
  };
  round();
  const before = posenc.memory();
  for (let i = 0; i < 2000; i++) round();
  expect(posenc.memory()).toEqual(before);
  for (const object of [attention, alibi, rope, sinusoidal]) object.dispose();
});

test('10,000 objects made and disposed leave memory as it was', () => {
  const round = (): void => {
    const tensor = posenc.tensor([64, 64]);
    const alibi = posenc.alibi({ heads });
    const attention = posenc.attention({ heads, headDim: dim, encodings: [alibi] });
    const cache = attention.cache({ capacity: 8 });
    for (const object of [cache, attention, alibi, tensor]) object.dispose();
  };
  round();
  const before = posenc.memory();
  for (let i = 0; i < 2500; i++) round();
  expect(posenc.memory()).toEqual(before);
});

test('memory() counts what lives', () => {
  const before = posenc.memory();
  const tensor = posenc.tensor([1000]);
  const rope = posenc.rope({ headDim: 8 });
  const attention = posenc.attention({ heads: 2, headDim: 8, encodings: [rope] });
  const cache = attention.cache();
  const during = posenc.memory();
  expect(during).toMatchObject({
    tensors: before.tensors + 1,
    encodings: before.encodings + 1,
    attentions: before.attentions + 1,
    caches: before.caches + 1,
  });
  expect(during.usedBytes - before.usedBytes).toBeGreaterThanOrEqual(4000);
  expect(during.heapBytes).toBeGreaterThanOrEqual(during.usedBytes);
  for (const object of [cache, attention, rope, tensor]) object.dispose();
  expect(posenc.memory()).toEqual({ ...before, heapBytes: posenc.memory().heapBytes });
});

test('a large call gives its staging space back', () => {
  const sinusoidal = posenc.sinusoidal({ dim });
  sinusoidal.encode(4);
  const { usedBytes } = posenc.memory();
  sinusoidal.encode(200_000);
  expect(posenc.memory().usedBytes).toBe(usedBytes);
  sinusoidal.dispose();
});

test('40 GB are refused, and the module goes on', () => {
  const sinusoidal = posenc.sinusoidal({ dim });
  const expected = sinusoidal.encode(4).data;
  const before = posenc.memory();
  const requests: [() => unknown, string][] = [
    [() => posenc.tensor([100_000, 100_000]), 'tooLarge'],
    [() => posenc.tensor([65536, 65536]), 'tooLarge'],
    [() => posenc.tensor([2 ** 31 - 1]), 'outOfMemory'],
    [() => sinusoidal.encode(2 ** 31 - 1), 'tooLarge'],
    [() => sinusoidal.encode(2 ** 27 - 1), 'outOfMemory'],
    [() => posenc.alibi({ heads: 32 }).bias(200_000, 200_000), 'tooLarge'],
    [() => posenc.attention({ heads: 64, headDim: 65536 }).cache({ capacity: 2 ** 20 }), 'tooLarge'],
  ];
  for (const [request, code] of requests) {
    const error = errorOf(request);
    expect(error.code).toBe(code);
    expect(sinusoidal.encode(4).data).toEqual(expected);
    expect(posenc.memory().usedBytes - before.usedBytes).toBeLessThan(10_000);
  }
  sinusoidal.dispose();
});
