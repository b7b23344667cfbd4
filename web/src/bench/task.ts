// A case said without the library: what rivals have to compute, with everything made ready that belongs to a model
// (tables, factors, biases) and not to a call.
import type { Run } from './measure.js';
import type { Output } from './plan.js';

interface Common {
  shape: readonly number[];
}

export type Task = Common &
  (
    | { kind: 'sines'; length: number; width: number; x: Float32Array | undefined }
    | { kind: 'copy'; table: Float32Array }
    | { kind: 'digits'; length: number; width: number; places: number; radix: number; table: Float32Array }
    | { kind: 'lowRank'; length: number; width: number; rank: number; coefficients: Float32Array; basis: Float32Array }
    | Turn
    | { kind: 'bias'; heads: number; count: number; line: Float32Array }
    | Attend
  );

/** Rotation of pairs of x [heads, length, width] by factors [length, width / 2]. */
export interface Turn extends Common {
  kind: 'turn';
  x: Float32Array;
  cos: Float32Array;
  sin: Float32Array;
  heads: number;
  length: number;
  width: number;
  isHalf: boolean;
}

/** Causal attention of [heads, count, width]. */
export interface Attend extends Common {
  kind: 'attend';
  q: Float32Array;
  k: Float32Array;
  v: Float32Array;
  heads: number;
  count: number;
  width: number;
  /** [heads, count, count] */
  bias: Float32Array | undefined;
  /** Factors by which queries and keys are turned first. */
  turn: { cos: Float32Array; sin: Float32Array; isHalf: boolean } | undefined;
}

export interface Contestant {
  run: Run;
  /** What the last run gave. */
  result(): Float32Array;
  dispose?(): void;
}

/** Someone who computes tasks; undefined for those it has no way to. */
export interface Rival {
  /** Milliseconds that it took to get ready. */
  loadTime: number;
  prepare(task: Task, output: Output): Promise<Contestant | undefined>;
}

export const countOf = (shape: readonly number[]): number => shape.reduce((product, extent) => product * extent, 1);
