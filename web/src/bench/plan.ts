// Which cases are measured: every encoding of the catalogue by what its family does, at a size.
import { catalog, type CatalogEncoding } from 'posenc/catalog';
import type { Values } from '../model/fields.js';

export type Operation = 'encode' | 'add' | 'apply' | 'bias' | 'attention';

export interface Size {
  name: string;
  length: number;
  heads: number;
  headDim: number;
  /** Queries and keys where there is a number for each pair. */
  pairs: number;
}

export interface Case {
  id: string;
  operation: Operation;
  size: Size;
}

export const sizes: readonly Size[] = [
  { name: 'small', length: 128, heads: 4, headDim: 32, pairs: 128 },
  { name: 'medium', length: 1024, heads: 8, headDim: 64, pairs: 256 },
  { name: 'large', length: 4096, heads: 16, headDim: 64, pairs: 512 },
];

/** How many samples a contestant gets, and how long one takes at least, in milliseconds. */
export interface Effort {
  name: string;
  samples: number;
  sample: number;
}

export const efforts: readonly Effort[] = [
  { name: 'quick', samples: 9, sample: 4 },
  { name: 'normal', samples: 25, sample: 10 },
  { name: 'thorough', samples: 61, sample: 20 },
];

const operations: Readonly<Record<CatalogEncoding['family'], readonly Operation[]>> = {
  input: ['encode', 'add'],
  rotary: ['apply', 'attention'],
  bias: ['bias', 'attention'],
  relative: ['attention'],
  none: ['attention'],
};

export const allOperations: readonly Operation[] = ['encode', 'add', 'apply', 'bias', 'attention'];

/** Cases at that size, with those operations and of those encodings only where they are named. */
export function planCases(size: Size, only: { operations: readonly Operation[]; ids: readonly string[] }): Case[] {
  return catalog.encodings
    .filter(({ id }) => only.ids.length === 0 || only.ids.includes(id))
    .flatMap(({ id, family }) => operations[family].map((operation) => ({ id, operation, size })))
    .filter(({ operation }) => only.operations.includes(operation));
}

/** Options that sizes give; what else an encoding has to be told has an example. */
export const sizeValues = ({ heads, headDim, length }: Size): Values => ({
  dim: heads * headDim, heads, headDim, maxLength: length,
});
