// Calls of attention with every option drawn at random, for the module and for the plain loops.
import type { Alibi, AttentionCallOptions, AttentionConfig, Encoding, Posenc, Rope, Shaw, TensorLike } from 'posenc';

import type { PlainCall, Sizes } from './plain-attention.js';
import { numbers } from './posenc.js';

/** Numbers drawn one after the other, the same in every run. */
export class Draw {
  #state: number;
  constructor(seed: number) {
    this.#state = Math.imul(seed + 1, 0x9e3779b1) >>> 0;
  }
  /** In [0, 1). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let x = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
    return ((x ^ (x >>> 14)) >>> 0) / 2 ** 32;
  }
  below(bound: number): number {
    return Math.floor(this.next() * bound);
  }
  chance(oneIn: number): boolean {
    return this.below(oneIn) === 0;
  }
  pick<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)] as Item;
  }
  list(count: number, of: () => number): number[] {
    return Array.from({ length: count }, of);
  }
}

export interface RandomCall {
  readonly sizes: Sizes;
  readonly config: AttentionConfig;
  readonly options: AttentionCallOptions;
  readonly encodings: readonly Encoding<object>[];
  readonly q: Tensor;
  readonly k: Tensor;
  readonly v: Tensor;
  /** The same as plain loops see it, tensors read anew at every use. */
  plain(): PlainCall;
  dispose(): void;
}

type Tensor = TensorLike & { data: Float32Array; shape: readonly number[] };

export function drawSizes(draw: Draw, lengths: { readonly queries: readonly number[]; readonly keys: readonly number[] }): Sizes {
  const kvHeads = draw.pick([1, 2]);
  return {
    batch: draw.pick([1, 1, 2, 3]),
    kvHeads,
    heads: kvHeads * draw.pick([1, 2, 3]),
    queries: draw.pick(lengths.queries),
    keys: draw.pick(lengths.keys),
    dim: draw.pick([2, 4, 6, 8]),
    valueDim: draw.pick([1, 3, 4, 8]),
  };
}

/** A call without a cache. */
export function drawCall(posenc: Posenc, draw: Draw, sizes: Sizes): RandomCall {
  const { batch, heads, kvHeads, queries, keys, dim, valueDim } = sizes;
  const cosine = draw.chance(5);
  const causal = draw.pick([false, false, true, 'topLeft'] as const);
  const left = draw.chance(3) ? draw.below(keys + 1) : undefined;
  const right = draw.chance(4) ? draw.below(keys + 1) : undefined;
  const chunk = draw.chance(6) ? 1 + draw.below(keys) : undefined;
  const scale = draw.chance(3) ? draw.pick([0.5, 1, 2]) : undefined;
  const softcap = draw.chance(3) ? 0.9 : 0;
  const temperature = draw.pick([undefined, undefined, undefined, { type: 'llama4', floorScale: 3, weight: 0.3 }, { type: 'logN', length: 4 }] as const);

  const rope = draw.chance(2) ? posenc.rope({ headDim: dim, rotaryDim: draw.pick([2, dim]), layout: draw.pick(['half', 'interleaved'] as const) }) : undefined;
  const alibi = draw.chance(2) ? posenc.alibi({ heads, sides: draw.pick(['symmetric', 'two'] as const), trainable: true, seed: 3 }) : undefined;
  const shaw = !cosine && draw.chance(3) ? posenc.shaw({ headDim: dim, valueDim, left: draw.below(4), right: draw.below(3), values: draw.pick(['table', 'none'] as const), seed: 4 }) : undefined;
  const encodings = [rope, alibi, shaw].filter((each) => each !== undefined) as unknown as Encoding<object>[];

  const keyLengths = draw.chance(3) ? draw.list(batch, () => draw.below(keys + 1)) : undefined;
  const qOffset = draw.chance(4) ? draw.list(batch, () => draw.below(2 * keys) - Math.floor(keys / 2)) : undefined;
  const segments = draw.chance(4)
    ? { q: draw.list(batch * queries, () => draw.below(2)), k: draw.list(batch * keys, () => draw.below(2)) }
    : undefined;
  const global = draw.chance(4)
    ? { q: draw.list(batch * queries, () => (draw.chance(6) ? 1 : 0)), k: draw.list(batch * keys, () => (draw.chance(6) ? 1 : 0)) }
    : undefined;
  const sinks = draw.chance(4) ? Float32Array.from(draw.list(heads, () => 3 * draw.next() - 1)) : undefined;
  const logitScale = cosine && draw.chance(2) ? Float32Array.from(draw.list(heads, () => 2 * draw.next())) : undefined;
  const mask = drawMask(draw, sizes);
  const positions = encodings.length > 0 && draw.chance(3)
    ? { q: draw.list(queries, () => draw.below(12) - 2), k: draw.list(keys, () => draw.below(12) - 2) }
    : undefined;
  const relations = undefined;

  const optional = { keyLengths, qOffset, segments, global, sinks, logitScale, mask: mask?.given, positions, relations };
  const options = Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined)) as AttentionCallOptions;
  const seed = draw.below(1 << 20);
  const tensor = (count: number, length: number, width: number, at: number): Tensor =>
    ({ data: numbers(batch * count * length * width, seed + at), shape: [batch, count, length, width] });
  const [q, k, v] = [tensor(heads, queries, dim, 0), tensor(kvHeads, keys, dim, 1), tensor(kvHeads, keys, valueDim, 2)];

  const config: AttentionConfig = {
    ...sizesOfConfig(sizes),
    causal,
    ...(left === undefined && right === undefined ? {} : { window: { ...(left === undefined ? {} : { left }), ...(right === undefined ? {} : { right }) } }),
    ...(chunk === undefined ? {} : { chunk }),
    ...(scale === undefined ? {} : { scale }),
    softcap,
    ...(cosine ? { logits: 'cosine' as const } : {}),
    ...(temperature === undefined ? {} : { temperature }),
    encodings,
  };

  const lengthOf = (b: number): number => keyLengths?.[b] ?? keys;
  const place = (b: number, i: number): number => (qOffset?.[b] ?? (causal === true ? lengthOf(b) - queries : 0)) + i;
  const positionOf = (side: 'query' | 'key', b: number, at: number): number =>
    side === 'query' ? (positions?.q[at] ?? place(b, at)) : (positions?.k[at] ?? at);
  const distance = (b: number, i: number, j: number): number => positionOf('key', b, j) - positionOf('query', b, i);
  const sees = (b: number, h: number, i: number, j: number): boolean => {
    const p = place(b, i);
    if (j >= lengthOf(b) || (causal !== false && j > p)) return false;
    if (chunk !== undefined && Math.floor(j / chunk) !== Math.floor(p / chunk)) return false;
    if (segments && segments.q[b * queries + i] !== segments.k[b * keys + j]) return false;
    if (mask && !mask.shows(b, h, i, j)) return false;
    if (global && (global.q[b * queries + i] === 1 || global.k[b * keys + j] === 1)) return true;
    return (left === undefined || j >= p - left) && (right === undefined || j <= p + right);
  };
  return {
    sizes,
    config,
    options,
    encodings,
    q,
    k,
    v,
    plain: () => ({
      ...sizes,
      scale: scale ?? (cosine ? 1 : 1 / Math.sqrt(dim)),
      softcap,
      cosine,
      q: q.data,
      k: k.data,
      v: v.data,
      temperature: (b, i) => temperatureOf(temperature, positionOf('query', b, i)),
      turn: (row, b, at, side) => (rope ? turned(rope, row, positionOf(side, b, at)) : row),
      keyRow: (b, i, j) => shaw && shawRow(shaw, 'keyTable', distance(b, i, j)),
      valueRow: (b, i, j) => shaw && shawRow(shaw, 'valueTable', distance(b, i, j)),
      bias: (b, h, i, j) => (alibi ? alibiAt(alibi, h, distance(b, i, j)) : 0) + (mask ? mask.added(b, h, i, j) : 0),
      sees,
      logitScale,
      sinks,
    }),
    dispose: () => encodings.forEach((each) => each.dispose()),
  };
}

export const sizesOfConfig = ({ heads, kvHeads, dim, valueDim }: Sizes): { heads: number; kvHeads: number; headDim: number; valueDim: number } =>
  ({ heads, kvHeads, headDim: dim, valueDim });

export function temperatureOf(temperature: { type: 'llama4'; floorScale: number; weight: number } | { type: 'logN'; length: number } | undefined, p: number): number {
  if (temperature === undefined) return 1;
  if (temperature.type === 'logN') return p + 1 > temperature.length ? Math.log(p + 1) / Math.log(temperature.length) : 1;
  return 1 + temperature.weight * Math.log(1 + Math.max(0, Math.floor((p + 1) / temperature.floorScale)));
}

export function turned(rope: Rope, row: number[], p: number): number[] {
  const { base = 10000, layout = 'half' } = rope.options as { base?: number; layout?: string };
  const { rotaryDim: d } = rope;
  const out = [...row];
  for (let m = 0; m < d / 2; m++) {
    const [a, b] = layout === 'half' ? [m, m + d / 2] : [2 * m, 2 * m + 1];
    const angle = p * base ** ((-2 * m) / d);
    out[a] = row[a]! * Math.cos(angle) - row[b]! * Math.sin(angle);
    out[b] = row[a]! * Math.sin(angle) + row[b]! * Math.cos(angle);
  }
  return out;
}

const cached = new WeakMap<object, Record<string, Float32Array>>();
/** Tensors of an encoding, read once; `forgetTables` after they changed. */
function tables(encoding: Encoding<object>): Record<string, Float32Array> {
  let found = cached.get(encoding);
  if (found === undefined) {
    found = Object.fromEntries(Object.entries(encoding.parameters as Record<string, { data: Float32Array }>).map(([name, { data }]) => [name, data]));
    cached.set(encoding, found);
  }
  return found;
}
export const tablesOf = tables;

export function shawRow(shaw: Shaw, name: string, distance: number): number[] | undefined {
  const table = tables(shaw as unknown as Encoding<object>)[name];
  if (table === undefined) return undefined;
  const { left, right = left } = shaw.options as { left: number; right?: number };
  const width = table.length / (left + right + 1);
  const row = Math.min(Math.max(distance, -left), right) + left;
  return Array.from(table.subarray(row * width, (row + 1) * width));
}

export function alibiAt(alibi: Alibi, h: number, distance: number): number {
  const { slopes, slopesAhead } = tables(alibi as unknown as Encoding<object>);
  const slope = (distance > 0 ? slopesAhead?.[h] : undefined) ?? slopes?.[h] ?? NaN;
  return -slope * Math.abs(distance);
}

interface DrawnMask {
  readonly given: NonNullable<AttentionCallOptions['mask']>;
  shows(b: number, h: number, i: number, j: number): boolean;
  added(b: number, h: number, i: number, j: number): number;
}

/** Rank 1 to 4, extents of 1 or full, the last axis sometimes shorter; booleans or numbers. */
function drawMask(draw: Draw, { batch, heads, queries, keys }: Sizes): DrawnMask | undefined {
  if (!draw.chance(2)) return undefined;
  const last = draw.chance(4) ? 1 + draw.below(keys) : keys;
  const full = [batch, heads, queries].map((extent) => (draw.chance(2) ? 1 : extent));
  const shape = [...full, last].slice(draw.below(4));
  const count = shape.reduce((a, b) => a * b, 1);
  const index = (...place: number[]): number => {
    if ((place[3] ?? 0) >= last) return -1;
    const own = place.slice(4 - shape.length);
    return shape.reduce((at, extent, axis) => at * extent + (extent === 1 && axis < shape.length - 1 ? 0 : (own[axis] ?? 0)), 0);
  };
  if (draw.chance(2)) {
    const data = Uint8Array.from(draw.list(count, () => (draw.chance(4) ? 0 : 1)));
    return { given: { data, shape }, shows: (...at) => (data[index(...at)] ?? 0) === 1, added: () => 0 };
  }
  const data = Float32Array.from(draw.list(count, () => (draw.chance(6) ? -Infinity : 2 * draw.next() - 1)));
  const value = (...at: number[]): number => data[index(...at)] ?? -Infinity;
  return { given: { data, shape }, shows: (...at) => value(...at) !== -Infinity, added: value };
}
