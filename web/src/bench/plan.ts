// Which cases are measured: every encoding of the catalogue by what its family does, by shape, and by where the numbers
// lie. A preset takes some of them, a filter some of those.
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

/**
 * Where operands and result lie: in wasm memory (a backend's own) throughout; in arrays of the caller's; or operands in
 * arrays, and the result in a new one.
 */
export type Output = 'heap' | 'into' | 'new';

export interface Case {
  id: string;
  operation: Operation;
  size: Size;
  output: Output;
}

export const sizes: readonly Size[] = [
  { name: 'small', length: 128, heads: 4, headDim: 32, pairs: 128 },
  { name: 'medium', length: 1024, heads: 8, headDim: 64, pairs: 256 },
  { name: 'large', length: 4096, heads: 16, headDim: 64, pairs: 512 },
];

const outputs: readonly Output[] = ['heap', 'into', 'new'];

const operations: Readonly<Record<CatalogEncoding['family'], readonly Operation[]>> = {
  input: ['encode', 'add'],
  rotary: ['apply', 'attention'],
  bias: ['bias', 'attention'],
  relative: ['attention'],
  none: ['attention'],
};

/** How it is measured: samples of each contestant at least and at most, and seconds after which a case has no more than the least. */
export interface Effort {
  least: number;
  most: number;
  seconds: number;
}

export interface Preset extends Effort {
  name: string;
  takes(one: Case, place: Place): boolean;
}

/** Where a case stands among the encoding's, and its encoding among the family's. */
interface Place {
  isFirstOfFamily: boolean;
  isFirstCall: boolean;
}

const isMedium = ({ size }: Case): boolean => size.name === 'medium';
const isShort = (one: Case, { isFirstOfFamily, isFirstCall }: Place): boolean =>
  isMedium(one) && isFirstOfFamily && isFirstCall && one.output === 'new';

export const presets: readonly Preset[] = [
  { name: 'quick', least: 30, most: 60, seconds: 2, takes: isShort },
  {
    name: 'standard', least: 30, most: 100, seconds: 1.3,
    takes: (one, place) => isShort(one, place) || (isMedium(one) && place.isFirstCall && one.output === 'heap'),
  },
  { name: 'long', least: 30, most: 300, seconds: 3, takes: () => true },
];

/** "rope/apply/medium/heap": how cases are called in filters, files and tables. */
export const nameOf = ({ id, operation, size, output }: Case): string => [id, operation, size.name, output].join('/');

/**
 * Whether a filter lets a name through: one of its terms, separated by commas, has to have all its words, separated by
 * spaces, in the name, where a part of it begins. "rope small, alibi/bias" has ropeNd too, but not mrope.
 */
export function passes(name: string, filter: string): boolean {
  const terms = filter.toLowerCase().split(',').map((term) => term.split(/\s+/).filter(Boolean)).filter((words) => words.length > 0);
  const within = `/${name.toLowerCase()}`;
  return terms.length === 0 || terms.some((words) => words.every((word) => within.includes(`/${word}`)));
}

const casesOf = (id: string, operation: Operation): Case[] =>
  sizes.flatMap((size) => outputs.map((output) => ({ id, operation, size, output })));

/** The preset's cases that the filter lets through. */
export function planCases(preset: Preset, filter = ''): Case[] {
  return catalog.encodings.flatMap(({ id, family }, index) => {
    const isFirstOfFamily = catalog.encodings.findIndex((entry) => entry.family === family) === index;
    return operations[family].flatMap((operation, call) =>
      casesOf(id, operation).filter((one) => preset.takes(one, { isFirstOfFamily, isFirstCall: call === 0 }) && passes(nameOf(one), filter)),
    );
  });
}

/** Options that sizes give; what else an encoding has to be told has an example. */
export const sizeValues = ({ heads, headDim, length }: Size): Values => ({
  dim: heads * headDim, heads, headDim, maxLength: length,
});
