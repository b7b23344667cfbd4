import type { Core } from './core.js';
import { Encoding } from './encoding.js';
import { PosencError, describe } from './errors.js';
import { writeRotaryCall } from './generated/calls.js';
import { RotaryDirection, RotarySideNumber } from './generated/names.js';
import { type Layout, readLayout, splitHeads } from './heads.js';
import { type Out, type Source, Target, type TensorLike, expectShape, place, readTensor } from './inputs.js';
import { checkOptions } from './options.js';
import { type Positions, noPositions, readNumber, readPositionList, readAnyPositions } from './positions.js';
import { shapeText } from './shape.js';
import type { Tensor } from './tensor.js';

/** Where a rotation depends on it, as in xPos: what is turned. */
export type RotarySide = 'query' | 'key';

/** Factors of a rotation, [.., rotaryDim / 2] each. */
export interface RotaryTable<Each = Tensor> {
  /** Cosines of the angles, times the encoding's amplitude. */
  cos: Each;
  /** Sines of the angles, times the encoding's amplitude. */
  sin: Each;
}

/** What `apply`, `invert` and `backward` take beside x. */
export interface RotaryOptions<Into extends Out = Tensor> {
  /** Positions of the tokens: a first one, one per token, or [.., n] by batch row. Default 0, 1, 2, ... */
  positions?: Positions;
  /** 'heads' [.., heads, seq, headDim] (default) or 'packed' [.., seq, heads · headDim]. */
  layout?: Layout;
  /** Whether x are queries (default) or keys. */
  side?: RotarySide;
  /** Length reached so far, where the frequencies depend on it. Default: the largest position + 1. */
  reached?: number;
  /**
   * Factors made elsewhere, [rows, rotaryDim / 2] each: rows follow the tokens, or are chosen by `positions` where those
   * are given.
   */
  table?: RotaryTable<TensorLike>;
  /** Where the result goes, instead of a new tensor. May be x itself. */
  into?: Into;
}

/** What `table` takes beside the positions. */
export interface RotaryTableOptions<Into extends Out = Tensor> {
  /** With a count: the first position. Default 0. */
  offset?: number;
  /** Whether the table is for queries (default) or keys. */
  side?: RotarySide;
  /** Length reached so far. Default: the largest position + 1. */
  reached?: number;
  /** Where the two tables go, instead of new tensors. */
  into?: RotaryTable<Into>;
}

const turnOptions = ['positions', 'layout', 'side', 'reached', 'table', 'into'];
const tableOptions = ['offset', 'side', 'reached', 'into'];

/** An encoding that turns pairs of channels of queries and keys by angles that grow with the position. */
export class RotaryEncoding<Parameters extends object = Record<string, Tensor>> extends Encoding<Parameters> {
  /** Width of a head. */
  readonly headDim: number = this.handle.headDim();
  /** How many of its channels turn; the rest pass through. */
  readonly rotaryDim: number = this.handle.rotaryDim();

  /**
   * x turned by its positions.
   * @param x [.., heads, seq, headDim], or as `layout` says
   */
  apply<Into extends Out = Tensor>(x: TensorLike, options?: RotaryOptions<Into>): Into {
    return this.#turn(x, options, RotaryDirection.forward);
  }

  /**
   * What `apply` with the same options would turn into x.
   * @param x [.., heads, seq, headDim], or as `layout` says
   */
  invert<Into extends Out = Tensor>(x: TensorLike, options?: RotaryOptions<Into>): Into {
    return this.#turn(x, options, RotaryDirection.invert);
  }

  /**
   * Gradient of x, from the gradient of what `apply` gave: the rotation by the negative angles.
   * @param dOut of the shape of x
   */
  backward<Into extends Out = Tensor>(dOut: TensorLike, options?: RotaryOptions<Into>): Into {
    return this.#turn(dOut, options, RotaryDirection.gradient);
  }

  /**
   * Factors of the rotation: cos and sin of each angle times the encoding's amplitude.
   * @param positions a count n for offset, offset + 1, ..., or positions of any shape
   * @returns two tensors [n, rotaryDim / 2], or the shape of the positions with rotaryDim / 2 behind it
   */
  table<Into extends Out = Tensor>(positions: number | Positions, options?: RotaryTableOptions<Into>): RotaryTable<Into> {
    const core = this.coreOf(this.name);
    checkOptions(options, tableOptions, 'options');
    checkOptions(options?.into, ['cos', 'sin'], 'into');
    core.begin();
    try {
      const offset = options?.offset === undefined ? undefined : readNumber(options.offset, 'offset');
      const list = readPositionList(core, positions, offset, this.axes);
      const shape = [...list.shape, this.rotaryDim / 2];
      const cos = new Target(core, options?.into?.cos, shape, 'into.cos');
      const sin = new Target(core, options?.into?.sin, shape, 'into.sin');
      sin.apartFrom(cos);
      writeRotaryCall(core, {
        encoding: this.address,
        batch: 1,
        heads: 1,
        packed: 0,
        positions: list.rows,
        direction: RotaryDirection.forward,
        side: readSide(options?.side),
        reached: readReached(options?.reached),
        x: 0,
        out: 0,
        tableRows: -1,
        cos: cos.begin(),
        sin: sin.begin(),
      });
      core.check(core.wasm._posenc_rotary_table(core.frame));
      return { cos: cos.finish(), sin: sin.finish() };
    } finally {
      core.end();
    }
  }

  #turn<Into extends Out>(x: TensorLike, options: RotaryOptions<Into> | undefined, direction: RotaryDirection): Into {
    const core = this.coreOf(this.name);
    checkOptions(options, turnOptions, 'options');
    core.begin();
    try {
      const source = readTensor(core, x, direction === RotaryDirection.gradient ? 'dOut' : 'x');
      const layout = readLayout(options?.layout);
      const { batch, heads, length } = splitHeads(source, layout, this.headDim);
      const target = new Target(core, options?.into, source.shape);
      target.apart(source, true);
      const positions =
        options?.positions === undefined
          ? { ...noPositions, count: length }
          : readAnyPositions(core, options.positions, length, batch, options.table ? 1 : this.axes, 'positions');
      const table = this.#placeTable(core, options?.table, target);
      const placed = place(core, source);
      writeRotaryCall(core, {
        encoding: this.address,
        batch,
        heads,
        packed: layout === 'packed' ? 1 : 0,
        positions,
        direction,
        side: readSide(options?.side),
        reached: readReached(options?.reached),
        x: placed,
        out: target.begin(source.data === null ? 0 : placed),
        ...table,
      });
      core.check(core.wasm._posenc_rotary_turn(core.frame));
      return target.finish();
    } finally {
      core.end();
    }
  }

  /** Given factors in wasm memory, as the call frame has them. */
  #placeTable(core: Core, table: RotaryOptions['table'], target: Target<Out>): { tableRows: number; cos: number; sin: number } {
    if (table === undefined) return { tableRows: -1, cos: 0, sin: 0 };
    checkOptions(table, ['cos', 'sin'], 'table');
    const [cos, sin] = (['cos', 'sin'] as const).map((name) => {
      const source = readTensor(core, table[name], `table.${name}`);
      if (source.shape.length < 2 || source.shape.at(-1) !== this.rotaryDim / 2) {
        const allowed = `[.., rows, ${this.rotaryDim / 2}]`;
        throw new PosencError('shapeMismatch', source.parameter, `shape ${shapeText(source.shape)}`, allowed);
      }
      target.apart(source);
      return source;
    }) as [Source, Source];
    expectShape(sin, cos.shape, 'shape of table.cos');
    return { tableRows: cos.size / (this.rotaryDim / 2), cos: place(core, cos), sin: place(core, sin) };
  }
}

function readSide(side: unknown): RotarySideNumber {
  if (side === undefined || side === 'query') return RotarySideNumber.query;
  if (side === 'key') return RotarySideNumber.key;
  const code = typeof side === 'string' ? 'outOfRange' : 'invalidType';
  throw new PosencError(code, 'side', describe(side), "'query' or 'key'");
}

/** 0 stands for the default. */
function readReached(reached: unknown): number {
  if (reached === undefined) return 0;
  const length = readNumber(reached, 'reached');
  if (length > 0 && length < Infinity) return length;
  throw new PosencError('outOfRange', 'reached', describe(reached), 'a length above 0');
}
