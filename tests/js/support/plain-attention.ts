// Attention as its documentation says it, one pair of query and key at a time in double precision.

/** Extents of a call. */
export interface Sizes {
  readonly batch: number;
  readonly heads: number;
  readonly kvHeads: number;
  readonly queries: number;
  readonly keys: number;
  readonly dim: number;
  readonly valueDim: number;
}

/** What a call is, with every option as a function of indices where that is simplest. */
export interface PlainCall extends Sizes {
  readonly scale: number;
  readonly softcap: number;
  readonly cosine: boolean;
  /** [batch, heads, queries, dim], [batch, kvHeads, keys, dim] and [batch, kvHeads, keys, valueDim]. */
  readonly q: Numbers;
  readonly k: Numbers;
  readonly v: Numbers;
  /** Factor on the query, beside the scale. */
  readonly temperature: (b: number, i: number) => number;
  /** Rows turned by their positions. */
  readonly turn: (row: number[], b: number, at: number, side: 'query' | 'key') => number[];
  /** What distances add to a key and to a value: Shaw's terms. */
  readonly keyRow: (b: number, i: number, j: number) => Numbers | undefined;
  readonly valueRow: (b: number, i: number, j: number) => Numbers | undefined;
  /** What is added after softcap. */
  readonly bias: (b: number, h: number, i: number, j: number) => number;
  readonly sees: (b: number, h: number, i: number, j: number) => boolean;
  readonly logitScale: Numbers | undefined;
  readonly sinks: Numbers | undefined;
}

type Numbers = ArrayLike<number>;

export interface PlainResult {
  readonly out: number[];
  readonly lse: number[];
  /** Of every pair: scale · q·k and relative terms, after softcap, after biases and hiding, after softmax. */
  readonly stages: { raw: number[]; capped: number[]; biased: number[]; weights: number[] };
}

const rowOf = (values: Numbers, row: number, width: number): number[] =>
  Array.from({ length: width }, (_, c) => values[row * width + c] ?? NaN);
const dot = (a: Numbers, b: Numbers): number => {
  let sum = 0;
  for (let c = 0; c < a.length; c++) sum += (a[c] ?? NaN) * (b[c] ?? NaN);
  return sum;
};
const unit = (row: number[]): number[] => {
  const length = Math.max(Math.sqrt(dot(row, row)), 1e-12);
  return row.map((x) => x / length);
};

export function plainAttention(call: PlainCall): PlainResult {
  const { batch, heads, kvHeads, queries, keys, dim, valueDim } = call;
  const result: PlainResult = { out: [], lse: [], stages: { raw: [], capped: [], biased: [], weights: [] } };
  for (let b = 0; b < batch; b++) {
    for (let h = 0; h < heads; h++) {
      const group = b * kvHeads + Math.floor(h / (heads / kvHeads));
      const keyRows = Array.from({ length: keys }, (_, j) => call.turn(prepared(call, rowOf(call.k, group * keys + j, dim)), b, j, 'key'));
      for (let i = 0; i < queries; i++) {
        const query = call.turn(prepared(call, rowOf(call.q, (b * heads + h) * queries + i, dim)), b, i, 'query');
        plainRow(call, { b, h, i, group, query, keyRows }, result, valueDim);
      }
    }
  }
  return result;
}

const prepared = (call: PlainCall, row: number[]): number[] => (call.cosine ? unit(row) : row);

interface Row {
  readonly b: number;
  readonly h: number;
  readonly i: number;
  readonly group: number;
  readonly query: number[];
  readonly keyRows: number[][];
}

function plainRow(call: PlainCall, { b, h, i, group, query, keyRows }: Row, result: PlainResult, valueDim: number): void {
  const { keys, softcap } = call;
  const factor = call.scale * call.temperature(b, i) * (call.logitScale ? Math.exp(Math.min(call.logitScale[h] ?? NaN, Math.log(100))) : 1);
  const sink = call.sinks?.[h] ?? -Infinity;
  const scores = keyRows.map((key, j) => {
    const extra = call.keyRow(b, i, j);
    const raw = factor * (dot(query, key) + (extra ? dot(query, extra) : 0));
    const capped = softcap > 0 ? softcap * Math.tanh(raw / softcap) : raw;
    const biased = call.sees(b, h, i, j) ? capped + call.bias(b, h, i, j) : -Infinity;
    result.stages.raw.push(raw);
    result.stages.capped.push(capped);
    result.stages.biased.push(biased);
    return biased;
  });
  const largest = Math.max(sink, ...scores);
  const parts = scores.map((score) => (score === -Infinity ? 0 : Math.exp(score - largest)));
  const total = parts.reduce((sum, part) => sum + part, 0) + (sink === -Infinity ? 0 : Math.exp(sink - largest));
  result.lse.push(total === 0 ? -Infinity : largest + Math.log(total));
  const weights = parts.map((part) => (total === 0 ? 0 : part / total));
  result.stages.weights.push(...weights);
  for (let c = 0; c < valueDim; c++) {
    let sum = 0;
    for (let j = 0; j < keys; j++) {
      if (weights[j] === 0) continue; // what is hidden does not count, NaN included
      sum += (weights[j] ?? NaN) * ((call.v[(group * keys + j) * valueDim + c] ?? NaN) + (call.valueRow(b, i, j)?.[c] ?? 0));
    }
    result.out.push(sum);
  }
}
