// A cache that was cut back to n tokens is the cache that only ever got the first n: where positions were given with
// gaps, and where they have several axes, text goes on behind what was kept.
import type { Attention, Positions } from 'posenc';
import { expect, test } from 'vitest';

import { loadPosenc, numbers } from '../support/posenc.js';

const posenc = await loadPosenc();
const [heads, width] = [2, 6];
const tokens = (from: number, to: number): { data: Float32Array; shape: number[] } => {
  const all = numbers(heads * 16 * width, 5);
  const rows = Array.from({ length: heads }, (_, h) => [...all.slice((h * 16 + from) * width, (h * 16 + to) * width)]);
  return { data: Float32Array.from(rows.flat()), shape: [1, heads, to - from, width] };
};

/** What the next token sees after `count` tokens at these positions, cut back from more or not. */
function goesOn(attention: Attention, count: number, kept: number, positions: (to: number) => Positions): Float32Array {
  const cache = attention.cache();
  cache.append(tokens(0, count), tokens(0, count), { positions: positions(count) });
  if (kept < count) cache.truncate(kept);
  const out = attention.forward(tokens(8, 9), tokens(8, 9), tokens(8, 9), { cache });
  cache.dispose();
  return out.data;
}

test.each([0.5, 5, 100])('positions with gaps of %s', (gap) => {
  const alibi = posenc.alibi({ heads, sides: 'symmetric' });
  const attention = posenc.attention({ heads, headDim: width, encodings: [alibi] });
  const positions = (to: number): number[] => Array.from({ length: to }, (_, i) => i * gap);
  for (const kept of [1, 2, 3]) {
    expect(goesOn(attention, 4, kept, positions)).toEqual(goesOn(attention, kept, kept, positions));
  }
  attention.dispose();
  alibi.dispose();
});

test('within a picture', () => {
  const rope = posenc.mrope({ headDim: width });
  const attention = posenc.attention({ heads, headDim: width, encodings: [rope] });
  const all = posenc.mrope.positions({ data: [1, 0, 0, 1, 2, 3], shape: [2, 3] });
  const positions = (to: number): Positions => ({ data: all.data.slice(0, 3 * to), shape: [to, 3] });
  for (const kept of [1, 2, 3, 4, 5, 6]) {
    expect(goesOn(attention, 7, kept, positions), `${kept} kept`).toEqual(goesOn(attention, kept, kept, positions));
  }
  attention.dispose();
  rope.dispose();
});
