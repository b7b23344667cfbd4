// One encoding on given tokens: projections to queries, keys and values, and attention with the encoding where it enters.
import type { Encoding, InputEncoding, Posenc } from 'posenc';
import type { TokenKind } from '../families/settings.js';
import { makeTokens } from '../families/tokens.js';

export const heads = 4;
export const headDim = 16;
export const width = heads * headDim;

export interface Trial {
  /** [count, width]. */
  tokens: Float32Array;
  count: number;
  causal: boolean;
  /** Position of the first token. */
  shift: number;
}

export interface Outcome {
  /** Scores with the encoding, [heads, count, count]; NaN where the mask hides a key. */
  scores: Float32Array;
  /** [heads, count, count]. */
  weights: Float32Array;
  /** [count, width]. */
  out: Float32Array;
}

/**
 * Two matrices [width, width], the same on every visit; their entries keep the size of what they project. Queries and
 * keys share one, so that tokens look at those like them.
 */
const [pairing, values] = (() => {
  const all = makeTokens('random', 2 * width * width, 1);
  const scale = Math.sqrt(3 / width);
  return [0, 1].map((i) => all.subarray(i * width * width, (i + 1) * width * width).map((value) => value * scale));
})() as [Float32Array, Float32Array];

/** Tokens [count, width]: equal ones, or random ones around a common mean. */
export function tokensOf(kind: TokenKind, count: number): Float32Array {
  return makeTokens(kind, count * width, 1).map((value) => (kind === 'alike' ? value : 0.7 * value + 0.7));
}

function project(x: Float32Array, matrix: Float32Array): Float32Array {
  const count = x.length / width;
  const out = new Float32Array(count * width);
  for (let row = 0; row < count; row++) {
    for (let inner = 0; inner < width; inner++) {
      const value = x[row * width + inner]!;
      for (let column = 0; column < width; column++) out[row * width + column]! += value * matrix[inner * width + column]!;
    }
  }
  return out;
}

const isInput = (encoding: Encoding): encoding is InputEncoding => encoding.family === 'input';

export function run(posenc: Posenc, encoding: Encoding, { tokens, count, causal, shift }: Trial): Outcome {
  const shape = [count, width];
  const x = isInput(encoding) ? encoding.add({ data: tokens, shape }, { positions: shift }).data : tokens;
  const q = { data: project(x, pairing), shape };
  const k = q;
  const v = { data: project(x, values), shape };
  const attention = posenc.attention({ heads, headDim, causal, encodings: isInput(encoding) ? [] : [encoding] });
  const call = { layout: 'packed', positions: { q: shift, k: shift } } as const;
  try {
    const scores = attention.scores(q, k, 'biased', call).data;
    for (let i = 0; i < scores.length; i++) if (scores[i] === -Infinity) scores[i] = NaN;
    return { scores, weights: attention.weights(q, k, call).data, out: attention.forward(q, k, v, call).data };
  } finally {
    attention.dispose();
  }
}

/** The largest difference between two lists of numbers, those left out that are hidden in both. */
export function largestDifference(a: Float32Array, b: Float32Array): number {
  let largest = 0;
  for (let i = 0; i < a.length; i++) {
    const difference = Math.abs(a[i]! - b[i]!);
    if (difference > largest) largest = difference;
  }
  return largest;
}

/** Rows [count, width] in another order: row i of the result is row order[i]. */
export function reorder(rows: Float32Array, order: readonly number[]): Float32Array {
  const out = new Float32Array(rows.length);
  for (const [i, from] of order.entries()) out.set(rows.subarray(from * width, (from + 1) * width), i * width);
  return out;
}

/** A fixed shuffle of `count` places. */
export function shuffled(count: number): number[] {
  const order = Array.from({ length: count }, (_, i) => i);
  const random = makeTokens('random', count, 1);
  for (let i = count - 1; i > 0; i--) {
    const j = Math.min(i, Math.floor(((random[i]! + 1) / 2) * (i + 1)));
    [order[i], order[j]] = [order[j]!, order[i]!];
  }
  return order;
}
