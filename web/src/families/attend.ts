// Attention over the tokens of a picture, with an encoding or without.
import type { AttentionConfig, Posenc } from 'posenc';
import type { Coordinates, Ground } from './ground.js';

/** Numbers [heads, count, width], for queries and keys alike. */
export interface Vectors {
  data: Float32Array;
  shape: readonly number[];
}

/** Where tokens stand and how they are related, as calls of attention and of biases take it. */
export interface PairCall {
  positions?: { q: Coordinates; k: Coordinates };
  relations?: Int32Array;
  gateInput?: Vectors;
}

export function callOf({ positions }: Pick<Ground, 'positions'>, relations?: Int32Array): PairCall {
  return {
    ...(positions ? { positions: { q: positions, k: positions } } : {}),
    ...(relations ? { relations } : {}),
  };
}

/** The same as code: ", { positions: ... }", or nothing. */
export function callCode({ place }: Ground, relations = false): string {
  const parts = [...(place === undefined ? [] : ['positions: { q: positions, k: positions }']), ...(relations ? ['relations'] : [])];
  return parts.length > 0 ? `, { ${parts.join(', ')} }` : '';
}

/** Weights [heads, count, count]. */
export function weightsOf(posenc: Posenc, options: AttentionConfig, x: Vectors, call: PairCall): Float32Array {
  const attention = posenc.attention(options);
  try {
    return attention.weights(x, x, call).data;
  } finally {
    attention.dispose();
  }
}

/** Scores before the softmax, without softcap and masks, [heads, count, count]. */
export function scoresOf(posenc: Posenc, options: AttentionConfig, x: Vectors, call: PairCall): Float32Array {
  const attention = posenc.attention(options);
  try {
    return attention.scores(x, x, 'raw', call).data;
  } finally {
    attention.dispose();
  }
}
