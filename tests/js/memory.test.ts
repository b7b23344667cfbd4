// What memory() tells, and requests that cannot be met: errors after which everything goes on. (That memory stays flat:
// flat.test.ts and faults/webassembly.test.ts.)
import { expect, test } from 'vitest';

import { errorOf, loadPosenc } from './support/posenc.js';

const posenc = await loadPosenc();
const dim = 16;

test('memory() counts what lives', () => {
  const make = (): { dispose(): void }[] => {
    const rope = posenc.rope({ headDim: 8 });
    const attention = posenc.attention({ heads: 2, headDim: 8, encodings: [rope] });
    return [attention.cache(), attention, rope, posenc.tensor([1000])];
  };
  for (const object of make()) object.dispose(); // staging space has its size now
  const before = posenc.memory();
  const objects = make();
  const during = posenc.memory();
  expect(during).toMatchObject({
    tensors: before.tensors + 1,
    encodings: before.encodings + 1,
    attentions: before.attentions + 1,
    caches: before.caches + 1,
  });
  expect(during.usedBytes - before.usedBytes).toBeGreaterThanOrEqual(4000);
  expect(during.heapBytes).toBeGreaterThanOrEqual(during.usedBytes);
  for (const object of objects) object.dispose();
  expect(posenc.memory()).toEqual(before);
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
