// Getters among the arguments of a call do what they like: make another call, make wasm memory grow, dispose of what the call
// is reading, lengthen the list that is being read. The call goes on with what it was given.
import type { AttentionCallOptions, TensorLike } from 'posenc';
import { expect, test } from 'vitest';

import { errorOf, loadPosenc, numbers, random } from '../support/posenc.js';

const posenc = await loadPosenc();
const [heads, length, headDim] = [2, 30, 4];
const alibi = posenc.alibi({ heads });
const attention = posenc.attention({ heads, headDim, encodings: [alibi] });
const rows = posenc.sinusoidal({ dim: 64 });
const x = random([heads, length, headDim], 1);
const mask = random([heads, length, length], 2);
const at = Array.from({ length }, (_, i) => 2 * i);
const sinks = Float32Array.of(0.5, -1);
const want = attention.forward(x, x, x, { mask, sinks, positions: { q: at, k: at } });

/** Calls with space of their own, small and large, one that fails, and memory that grows. */
function meanwhile(): void {
  rows.encode(3);
  rows.encode(3000);
  errorOf(() => rows.encode([NaN]));
  posenc.tensor([300_000], new Float32Array(300_000).fill(7)).dispose();
}

function hooked<Value>(target: Record<string, unknown>, name: string, value: Value, hook = meanwhile): Value {
  return Object.defineProperty(target, name, {
    enumerable: true,
    get() {
      hook();
      return value;
    },
  }) as Value;
}
const lazy = ({ data, shape }: { data: Float32Array; shape: readonly number[] }, hook = meanwhile): TensorLike =>
  hooked({ shape }, 'data', data, hook) as unknown as TensorLike;
const withGetter = (options: AttentionCallOptions, name: keyof AttentionCallOptions): AttentionCallOptions => {
  const others = Object.fromEntries(Object.entries(options).filter(([each]) => each !== name));
  hooked(others, name, options[name]);
  return others;
};

const options: AttentionCallOptions = { mask, sinks, positions: { q: at, k: at } };
const positionOf = (name: 'q' | 'k'): AttentionCallOptions['positions'] => {
  const positions = name === 'q' ? { k: at } : { q: at };
  hooked(positions, name, at);
  return positions;
};
const element = [...at];
hooked(element as unknown as Record<string, unknown>, '3', 6);

test.each<[string, TensorLike, TensorLike, AttentionCallOptions]>([
  ['q', lazy(x), x, options],
  ['v', x, lazy(x), options],
  ['mask', x, x, withGetter(options, 'mask')],
  ['mask.data', x, x, { ...options, mask: lazy(mask) as typeof mask }],
  ['sinks', x, x, withGetter(options, 'sinks')],
  ['sinks.data', x, x, { ...options, sinks: lazy({ data: sinks, shape: [heads] }) }],
  ['positions', x, x, withGetter(options, 'positions')],
  ['positions.q', x, x, { ...options, positions: positionOf('q') as object }],
  ['positions.k', x, x, { ...options, positions: positionOf('k') as object }],
  ['an element of positions.k', x, x, { ...options, positions: { q: at, k: element } }],
  ['every option', x, x, new Proxy(options, { get: (target, name) => (meanwhile(), Reflect.get(target, name) as unknown) })],
])('another call while %s is read', (_, q, v, given) => {
  const out = attention.forward(q, x, v, given);
  expect(out.data).toEqual(want.data);
  const used = posenc.memory().usedBytes;
  attention.forward(q, x, v, given);
  expect(posenc.memory().usedBytes).toBe(used);
});

test.each(['encoding', 'attention', 'q', 'mask', 'into'] as const)('%s is disposed of while the call reads', (what) => {
  const own = posenc.alibi({ heads });
  const bare = posenc.attention({ heads, headDim, encodings: [own] });
  const [q, bias, into] = [posenc.tensor(x.shape, x), posenc.tensor(mask.shape, mask), posenc.tensor(x.shape)];
  const before = { ...posenc.memory() };
  const owned = { encoding: own, attention: bare, q, mask: bias, into }[what];
  const v = lazy(x, () => {
    owned.dispose();
    // What was freed would be handed out again.
    for (let i = 0; i < 8; i++) posenc.tensor([960], numbers(960, i)).dispose();
    expect(owned.disposed).toBe(true);
  });
  const plain = attention.forward(x, x, x, { mask });
  const call = (): unknown => bare.forward(q, x, v, { mask: bias, into });
  if (what === 'mask') expect(errorOf(call).code).toBe('disposed'); // it is read after v
  else if (what === 'into') expect(errorOf(call).code).toBe('disposed');
  else {
    call();
    expect(into.view()).toEqual(plain.data);
  }
  expect(posenc.memory().usedBytes).toBeLessThan(before.usedBytes + 1); // freed when the call ended
  for (const each of [bare, own, q, bias, into]) if (!each.disposed) each.dispose();
});

test('a list that grows while it is read overruns nothing', () => {
  // The first element is looked at to see whether there are lists in the list.
  const list = [0, 1, 2, 3];
  hooked(list as unknown as Record<string, unknown>, '1', 1, () => {
    while (list.length < 100_000) list.push(0.125);
  });
  const others = Array.from({ length: 20 }, () => posenc.tensor([1000], new Float32Array(1000).fill(7)));
  const cells = posenc.sinusoidal({ dim: 1 });
  const rows = cells.encode(list);
  expect(rows.size).toBe(list.length);
  for (const other of others) {
    expect(other.view().every((number) => number === 7)).toBe(true);
    other.dispose();
  }
  cells.dispose();
  expect(attention.forward(x, x, x, options).data).toEqual(want.data);
});
