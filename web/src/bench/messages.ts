// What the page and the worker that measures say to each other.
import type { Statistics } from './measure.js';
import type { Case, Effort } from './plan.js';

export interface Order {
  cases: readonly Case[];
  effort: Effort;
}

export interface Environment {
  version: string;
  variant: string;
  /** Smallest step of the clock, milliseconds. */
  clock: number;
}

/** Who was measured: the build that the engine runs fastest, the scalar build, plain JavaScript. */
export type Name = 'posenc' | 'scalar' | 'javascript';

export interface Row {
  case: Case;
  shape: readonly number[];
  bytes: number;
  results: Partial<Record<Name, Statistics>>;
  /** Largest difference to the scalar build, relative to 1 + size. */
  difference: number;
}

export type News =
  | { kind: 'environment'; environment: Environment }
  | { kind: 'begin'; index: number }
  | { kind: 'row'; row: Row }
  | { kind: 'skipped'; case: Case; why: string }
  | { kind: 'end' }
  | { kind: 'failed'; message: string };
