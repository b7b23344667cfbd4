import type { Core } from './core.js';
import { PosencError, describe } from './errors.js';
import { writeCacheCall } from './generated/calls.js';
import type { KvCacheOptions } from './generated/options.js';
import { CacheHandle } from './handles.js';
import { Kind } from './generated/names.js';
import { type Layout, readLayout, splitHeads } from './heads.js';
import { type TensorLike, place, readTensor } from './inputs.js';
import { placeIntegers } from './integers.js';
import { checkOptions, placeOptions } from './options.js';
import { Owned } from './owned.js';
import { type NumberArray, type Positions, noPositions, readAnyPositions, readNumber, readNumbers } from './positions.js';
import { readSize } from './shape.js';

/** What `append` takes beside keys and values. */
export interface KvCacheAppendOptions {
  /** 'heads' [.., kvHeads, n, dim] (default) or 'packed' [.., n, kvHeads · dim]. */
  layout?: Layout;
  /** `[batch]`: how many of the n tokens each row takes. Default: all. */
  counts?: NumberArray;
  /** Positions of the tokens. Default: where each row goes on. */
  positions?: Positions;
}

/** @internal What a cache knows of the attention that made it. */
export interface CacheMaker {
  readonly kvHeads: number;
  readonly headDim: number;
  readonly valueDim: number;
  readonly axes: number;
  readonly address: number;
  /** Throws when it was disposed. */
  liveCore(): Core;
}

/** Keys and values of the tokens seen so far, in wasm memory. Rows of the batch have lengths of their own. */
export class KvCache extends Owned {
  /** @internal Minifying takes the name that consoles show. */
  static override readonly name = 'KvCache';
  readonly #attention: CacheMaker;
  readonly #handle: CacheHandle;
  /** @internal */
  readonly address: number;

  /** @internal */
  constructor(core: Core, attention: CacheMaker, handle: CacheHandle) {
    super(core, 'caches', () => handle.delete());
    this.#attention = attention;
    this.#handle = handle;
    this.address = handle.address;
  }

  /** Number of batch rows. */
  get batch(): number {
    return this.#live().batch();
  }

  /** Tokens that each row holds. */
  get lengths(): Int32Array {
    const handle = this.#live();
    return Int32Array.from({ length: handle.batch() }, (_, row) => handle.length(row));
  }

  /** Tokens that the longest row holds. */
  get length(): number {
    return this.#live().longest();
  }

  /** Tokens per row before more memory is taken. */
  get capacity(): number {
    return this.#live().capacity();
  }

  /** Bytes of wasm memory that it holds. */
  get bytes(): number {
    return this.#live().bytes();
  }

  /**
   * Appends tokens.
   * @param k [.., kvHeads, n, headDim]
   * @param v [.., kvHeads, n, valueDim]
   */
  append(k: TensorLike, v: TensorLike, options?: KvCacheAppendOptions): void {
    const core = this.#liveCore();
    checkOptions(options, ['layout', 'counts', 'positions'], 'options');
    core.begin();
    try {
      const { kvHeads, headDim, valueDim, address } = this.#attention;
      const layout = readLayout(options?.layout);
      const keySource = readTensor(core, k, 'k');
      const valueSource = readTensor(core, v, 'v');
      const key = splitHeads(keySource, layout, headDim, kvHeads);
      const value = splitHeads(valueSource, layout, valueDim, kvHeads);
      expectSame('k', 'batch rows', key.batch, this.#handle.batch());
      expectSame('v', 'batch rows', value.batch, key.batch);
      expectSame('v', 'tokens', value.length, key.length);
      const positions =
        options?.positions === undefined
          ? noPositions
          : readAnyPositions(core, options.positions, key.length, key.batch, this.#attention.axes, 'positions');
      writeCacheCall(core, {
        cache: this.address,
        attention: address,
        length: key.length,
        packed: layout === 'packed' ? 1 : 0,
        k: place(core, keySource),
        v: place(core, valueSource),
        counts: placeIntegers(core, options?.counts, key.batch, 'counts'),
        positions,
      });
      core.check(core.wasm._posenc_cache_append(core.frame));
    } finally {
      core.end();
    }
  }

  /** Keeps the first `length` tokens of every row, or as many as `length` says for each. */
  truncate(length: number | NumberArray): void {
    const core = this.#liveCore();
    if (typeof length === 'number') {
      core.check(this.#handle.truncate(readSize(length, 'length')));
      return;
    }
    this.#withRows(core, length, 'length', (address, count) => this.#handle.truncateRows(address, count));
  }

  /** Row i becomes what row rows[i] was, and the batch as long as `rows`: beam search. */
  reorder(rows: NumberArray): void {
    const core = this.#liveCore();
    this.#withRows(core, rows, 'rows', (address, count) => this.#handle.reorder(address, count));
  }

  /** Drops the oldest tokens of rows that hold more than `length`. Positions stay as they are. */
  slide(length: number): void {
    const core = this.#liveCore();
    core.check(this.#handle.slide(readSize(length, 'length')));
  }

  /** A copy with memory of its own. */
  clone(): KvCache {
    const core = this.#liveCore();
    return new KvCache(core, this.#attention, new CacheHandle(core, { from: this.address }, Kind.cacheCopy));
  }

  /** @internal Throws unless this cache was made by `attention` and may be used with it. */
  ownedBy(attention: CacheMaker, core: Core): this {
    this.coreOf('cache', core);
    if (attention !== this.#attention) {
      throw new PosencError('unsupported', 'cache', 'the cache of another attention', 'one that this attention made');
    }
    return this;
  }

  /** @internal Tokens of the longest row when `count` more, or as many as `counts` says, have come in. */
  lengthAfter(count: number, counts: NumberArray | undefined): number {
    const values = counts === undefined ? [] : readNumbers(this.#liveCore(), counts, 'keyLengths').values;
    const taken = (row: number): number => (row < values.length ? readNumber(values[row], `keyLengths[${row}]`) : count);
    return this.lengths.reduce((longest, length, row) => Math.max(longest, length + taken(row)), 0);
  }

  #withRows(core: Core, rows: NumberArray, parameter: string, run: (address: number, count: number) => number): void {
    core.begin();
    try {
      const { values } = readNumbers(core, rows, parameter);
      const address = placeIntegers(core, values as NumberArray, undefined, parameter);
      core.check(run(address, values.length));
    } finally {
      core.end();
    }
  }

  #live(): CacheHandle {
    this.coreOf('cache');
    return this.#handle;
  }

  #liveCore(): Core {
    const core = this.coreOf('cache');
    this.#attention.liveCore();
    return core;
  }
}

/** @internal */
export function makeCache(core: Core, attention: CacheMaker, options: KvCacheOptions | undefined): KvCache {
  if (options !== undefined && (typeof options !== 'object' || options === null)) {
    throw new PosencError('invalidType', 'options', describe(options), 'an object of options');
  }
  core.begin();
  try {
    const made = new CacheHandle(core, { from: attention.address, options: placeOptions(core, options ?? {}, []) });
    return new KvCache(core, attention, made);
  } finally {
    core.end();
  }
}

function expectSame(parameter: string, what: string, received: number, allowed: number): void {
  if (received === allowed) return;
  throw new PosencError('shapeMismatch', parameter, `${received} ${what}`, `${allowed} ${what}`);
}

/** @internal */
export function readCache(core: Core, attention: CacheMaker, cache: unknown): KvCache | undefined {
  if (cache === undefined || cache instanceof KvCache) return cache?.ownedBy(attention, core);
  throw new PosencError('invalidType', 'cache', describe(cache), 'what attention.cache() made');
}
