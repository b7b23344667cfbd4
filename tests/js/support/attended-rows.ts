// Rows of heads [batch, heads, seq, dim] and their attention by plain loops, for cases that no published file has.
import { plainAttention } from './plain-attention.js';
import { numbers } from './posenc.js';

export interface Rows {
  data: Float32Array;
  shape: [number, number, number, number];
}

export interface PlainOptions {
  scale?: number;
  softcap?: number;
  /** Added to the capped score; -Infinity hides the key. */
  bias?: (batch: number, head: number, query: number, key: number) => number;
}

export function noisy(shape: [number, number, number, number], seed: number): Rows {
  return { data: numbers(shape.reduce((a, b) => a * b), seed), shape };
}

/** [batch, heads, queries, value dim]; query heads share key heads in groups. */
export function attended(q: Rows, k: Rows, v: Rows, options: PlainOptions = {}): Rows {
  const [batch, heads, queries, dim] = q.shape;
  const [, kvHeads, keys] = k.shape;
  const valueDim = v.shape[3];
  const { scale = 1 / Math.sqrt(dim), softcap = 0, bias = () => 0 } = options;
  const { out } = plainAttention({
    ...{ batch, heads, kvHeads, queries, keys, dim, valueDim, scale, softcap, bias, cosine: false },
    ...{ q: q.data, k: k.data, v: v.data, temperature: () => 1, turn: (row) => row, sees: () => true },
    ...{ keyRow: () => undefined, valueRow: () => undefined, logitScale: undefined, sinks: undefined },
  });
  return { data: Float32Array.from(out), shape: [batch, heads, queries, valueDim] };
}

/** [batch, heads, seq, dim] → [batch, seq, heads · dim]. */
export function packed({ data, shape: [batch, heads, seq, dim] }: Rows): { data: Float32Array; shape: number[] } {
  const out = new Float32Array(data.length);
  data.forEach((value, n) => {
    const [c, s, h, b] = [n % dim, Math.floor(n / dim) % seq, Math.floor(n / (dim * seq)) % heads, Math.floor(n / (dim * seq * heads))];
    out[((b * seq + s) * heads + h) * dim + c] = value;
  });
  return { data: out, shape: [batch, seq, heads * dim] };
}
