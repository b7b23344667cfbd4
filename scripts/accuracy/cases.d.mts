import type { Posenc } from 'posenc';

export interface AccuracyCase {
  readonly name: string;
  readonly header: string;
  readonly bound: number;
  readonly slack?: number;
  measure(posenc: Posenc): number;
}
export const cases: readonly AccuracyCase[];
