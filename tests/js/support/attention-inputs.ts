// Queries, keys and values for tests of attention, and what comes of them.
import { random } from './posenc.js';

export const [heads, kvHeads, dim] = [4, 2, 8] as const;

export interface Setup {
  q: { data: Float32Array; shape: readonly number[] };
  k: { data: Float32Array; shape: readonly number[] };
  v: { data: Float32Array; shape: readonly number[] };
}

/** Of heads of keys that two heads of queries share. */
export const inputs = (batch: number[], queries: number, keys: number): Setup => ({
  q: random([...batch, heads, queries, dim], 1),
  k: random([...batch, kvHeads, keys, dim], 2),
  v: random([...batch, kvHeads, keys, dim], 3),
});

/** Attention of one batch row as the formula says, in double; `bias` gives what is added to a score. */
export function plain({ q, k, v }: Setup, queries: number, keys: number, bias: (h: number, i: number, j: number) => number): number[] {
  const out: number[] = [];
  for (let h = 0; h < heads; h++) {
    const group = Math.floor(h / (heads / kvHeads));
    for (let i = 0; i < queries; i++) {
      const scores = Array.from({ length: keys }, (_, j) => {
        let sum = 0;
        for (let c = 0; c < dim; c++) sum += q.data[(h * queries + i) * dim + c]! * k.data[(group * keys + j) * dim + c]!;
        return sum / Math.sqrt(dim) + bias(h, i, j);
      });
      const largest = Math.max(...scores);
      const weights = scores.map((score) => (largest === -Infinity ? 0 : Math.exp(score - largest)));
      const total = weights.reduce((a, b) => a + b, 0);
      for (let c = 0; c < dim; c++) {
        const sum = weights.reduce((part, weight, j) => part + weight * v.data[(group * keys + j) * dim + c]!, 0);
        out.push(total === 0 ? 0 : sum / total);
      }
    }
  }
  return out;
}
