/** A bound on |a - b|: absolute + relative·|b|. */
export interface Bound {
  relative: number;
  absolute: number;
}

export interface StoredTensor {
  dtype: string;
  shape: number[];
  data: ArrayBufferView;
}

export interface Outcome {
  name: string;
  outcome: 'passed' | 'failed';
  failures: string[];
}

/** What cases run on. */
export interface Api {
  posenc: object;
  fromConfig: (...args: never[]) => unknown;
  describeConfig: (...args: never[]) => unknown;
}

export class Case {
  constructor(init: {
    name: string;
    ids: string[];
    params?: object;
    described?: string[];
    tensors?: Map<string, StoredTensor>;
    boundsOf?: (tensor: string) => Bound[];
  });
  name: string;
  ids: string[];
  /** Path of the file that it was read from. */
  file?: string;
  failures: string[];
  params: Record<string, unknown>;
  input(name: string, posenc: object): { data: Float32Array; shape: readonly number[] };
  check(name: string, got: { data: ArrayLike<number>; shape: readonly number[] }): void;
  untouched(): string[];
  unread(): string[];
  confirm(values: Record<string, unknown>): void;
  expect(name: string, ...known: unknown[]): void;
}

export function difference(
  got: ArrayLike<number>,
  want: ArrayLike<number>,
  bounds: Bound[],
  where?: (index: number) => boolean,
): string | undefined;
export function goldenBounds(tolerance: number, exception?: number): Bound[];
export function relativeBound(tolerance: { rtol: number; atol: number }): Bound;
/** The encodings that files of this name are about. */
export function idsOfGolden(encoding: string): string[];
export function findCases(roots: string[]): Promise<Case[]>;
export function selected(one: Case, only: Set<string> | undefined): boolean;
export function runCase(one: Case, api: Api): Outcome;
export function summary(outcomes: Outcome[]): string;
