// What all encodings that are compared get: tokens to be projected, or queries, keys and values from a file.
import { PosencError } from 'posenc';
import { makeTokens } from '../families/tokens.js';
import { t } from '../lib/language.js';
import type { Floats } from 'posenc/formats';

/** Heads and their width where the page makes the tokens. */
export const ownSizes = { heads: 4, headDim: 16 } as const;
const ownWidth = ownSizes.heads * ownSizes.headDim;

export interface Material {
  count: number;
  heads: number;
  headDim: number;
  /** What the tokens are called, where they are words. */
  names?: readonly string[];
  /** Tokens [count, heads * headDim], which are projected; or queries, keys and values of that shape as they came. */
  rows: { tokens: Float32Array } | { q: Float32Array; k: Float32Array; v: Float32Array };
}

export type MaterialKind = 'random' | 'alike' | 'sentence' | 'file';

/** Random tokens share a mean, as trained ones do: without it nothing but the token itself would be found. */
const aroundMean = (value: number): number => 0.7 * value + 0.7;

export function ownMaterial(kind: 'random' | 'alike', count: number): Material {
  const made = makeTokens(kind, count * ownWidth, 1);
  return { ...ownSizes, count, rows: { tokens: kind === 'alike' ? made : made.map(aroundMean) } };
}

/** Words, and single characters of scripts that write none. */
export function wordsOf(sentence: string): string[] {
  const trimmed = sentence.trim();
  if (!('Segmenter' in Intl)) return trimmed.split(/\s+/).filter(Boolean);
  return [...new Intl.Segmenter(undefined, { granularity: 'word' }).segment(trimmed)].map(({ segment }) => segment.trim()).filter(Boolean);
}

/** A vector for a word: random numbers, the same for the same word. Seeded by its FNV-1a hash. */
function vectorOf(word: string): Float32Array {
  let state = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(word.toLowerCase())) state = Math.imul(state ^ byte, 0x01000193) >>> 0;
  state = (state % 2147483646) + 1;
  return Float32Array.from({ length: ownWidth }, () => {
    state = (state * 48271) % 2147483647;
    return aroundMean((2 * state) / 2147483647 - 1);
  });
}

const mostTokens = 256;

export function sentenceMaterial(sentence: string): Material {
  const words = wordsOf(sentence).slice(0, mostTokens);
  if (words.length < 2) throw new PosencError('outOfRange', 'sentence', `${words.length} words`, 'at least 2 words');
  const tokens = new Float32Array(words.length * ownWidth);
  for (const [i, word] of words.entries()) tokens.set(vectorOf(word), i * ownWidth);
  return { ...ownSizes, count: words.length, names: words, rows: { tokens } };
}

const spellings: Readonly<Record<'q' | 'k' | 'v', RegExp>> = { q: /^(q|query|queries)$/i, k: /^(k|keys?)$/i, v: /^(v|values?)$/i };

/** [count, heads * headDim] from [count, dim], [heads, count, dim] or [1, heads, count, dim], cut to `count` rows. */
function packed({ data, shape }: Floats, count: number): Float32Array {
  const [rows, dim] = shape.slice(-2) as [number, number];
  const heads = shape.length > 2 ? shape.at(-3)! : 1;
  const out = new Float32Array(count * heads * dim);
  for (let head = 0; head < heads; head++) {
    for (let row = 0; row < count; row++) out.set(data.subarray((head * rows + row) * dim, (head * rows + row + 1) * dim), (row * heads + head) * dim);
  }
  return out;
}

/** Queries, keys and values of a file; one tensor alone is taken for all three. */
export function fileMaterial(tensors: Readonly<Record<string, Floats>>): Material {
  const all = Object.entries(tensors);
  const found = (which: keyof typeof spellings): Floats | undefined => all.find(([name]) => spellings[which].test(name))?.[1];
  const q = found('q') ?? all[0]?.[1];
  const [k, v] = [found('k') ?? q, found('v') ?? found('k') ?? q];
  const describe = (tensor: Floats | undefined): string => `[${tensor?.shape.join(', ') ?? ''}]`;
  if (!q || !k || !v || q.shape.length < 2 || q.shape.length > 4 || (q.shape.length === 4 && q.shape[0] !== 1)) {
    throw new PosencError('shapeMismatch', 'q', describe(q), '[tokens, dim], [heads, tokens, dim] or [1, heads, tokens, dim]');
  }
  const outer = (tensor: Floats): string => [...tensor.shape.slice(0, -2), tensor.shape.at(-1)].join();
  for (const [name, other] of [['k', k], ['v', v]] as const) {
    if (outer(other) !== outer(q)) throw new PosencError('shapeMismatch', name, describe(other), `the heads and the width of q ${describe(q)}`);
  }
  const count = Math.min(mostTokens, ...[q, k, v].map(({ shape }) => shape.at(-2)!));
  return {
    count, heads: q.shape.length > 2 ? q.shape.at(-3)! : 1, headDim: q.shape.at(-1)!,
    rows: { q: packed(q, count), k: packed(k, count), v: packed(v, count) },
  };
}

/** Rows in another order: row i of the result is row order[i]. */
export function reorder(rows: Float32Array, order: readonly number[]): Float32Array {
  const width = rows.length / order.length;
  const out = new Float32Array(rows.length);
  for (const [i, from] of order.entries()) out.set(rows.subarray(from * width, (from + 1) * width), i * width);
  return out;
}

export function reordered(material: Material, order: readonly number[]): Material {
  const { rows, names } = material;
  const mixed = Object.fromEntries(Object.entries(rows).map(([name, values]) => [name, reorder(values, order)])) as unknown as Material['rows'];
  return { ...material, rows: mixed, ...(names ? { names: order.map((from) => names[from]!) } : {}) };
}

/** A fixed shuffle of `count` places. */
export function shuffled(count: number): number[] {
  const order = Array.from({ length: count }, (_, i) => i);
  const random = makeTokens('random', count, 1);
  for (let i = count - 1; i > 0; i--) {
    const j = Math.min(i, Math.floor(((random[i]! + 1) / 2) * (i + 1)));
    [order[i], order[j]] = [order[j]!, order[i]!];
  }
  return order;
}

export const describeMaterial = ({ count, heads, headDim }: Material): string =>
  t('{0} tokens, {1} heads of width {2}', count, heads, headDim);
