// One encoding on given material: projections to queries, keys and values where there are tokens, and attention with the
// encoding where it enters.
import type { Attention, Encoding, InputEncoding, Posenc } from 'posenc';
import { makeTokens } from '../families/tokens.js';
import { ownSizes, type Material } from './material.js';

export interface Trial {
  material: Material;
  causal: boolean;
  /** Position of the first token. */
  shift: number;
}

export interface Outcome {
  /** Scores with the encoding, [heads, count, count]; NaN where the mask hides a key. */
  scores: Float32Array;
  /** [heads, count, count]. */
  weights: Float32Array;
  /** [count, heads * headDim]. */
  out: Float32Array;
}

const width = ownSizes.heads * ownSizes.headDim;

/**
 * Two matrices [width, width], the same on every visit; their entries keep the size of what they project. Queries and
 * keys share one, so that tokens look at those like them.
 */
const [pairing, values] = (() => {
  const all = makeTokens('random', 2 * width * width, 1);
  const scale = Math.sqrt(3 / width);
  return [0, 1].map((i) => all.subarray(i * width * width, (i + 1) * width * width).map((value) => value * scale));
})() as [Float32Array, Float32Array];

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

export interface Prepared {
  attention: Attention;
  q: { data: Float32Array; shape: readonly number[] };
  k: Prepared['q'];
  v: Prepared['q'];
  call: { layout: 'packed'; positions: { q: number; k: number } };
}

/** Attention with the encoding, and what it is called with; the caller disposes of `attention`. */
export function prepare(posenc: Posenc, encoding: Encoding, { material, causal, shift }: Trial): Prepared {
  const { count, heads, headDim, rows } = material;
  const shape = [count, heads * headDim];
  const placed = (data: Float32Array): Float32Array => (isInput(encoding) ? encoding.add({ data, shape }, { positions: shift }).data : data);
  let [q, k, v]: Float32Array[] = [];
  if ('tokens' in rows) {
    const x = placed(rows.tokens);
    q = k = project(x, pairing);
    v = project(x, values);
  } else {
    [q, k, v] = [placed(rows.q), placed(rows.k), rows.v];
  }
  const attention = posenc.attention({ heads, headDim, causal, encodings: isInput(encoding) ? [] : [encoding] });
  const tensor = (data: Float32Array): Prepared['q'] => ({ data, shape });
  return { attention, q: tensor(q!), k: tensor(k!), v: tensor(v!), call: { layout: 'packed', positions: { q: shift, k: shift } } };
}

export function run(posenc: Posenc, encoding: Encoding, trial: Trial): Outcome {
  const { attention, q, k, v, call } = prepare(posenc, encoding, trial);
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
