import { Encoding } from './encoding.js';
import { PosencError, describe } from './errors.js';
import { writeRelativeCall } from './generated/calls.js';
import { RelativeSide } from './generated/names.js';
import { type Out, Target } from './inputs.js';
import { checkOptions } from './options.js';
import { type Positions, readNumber, readPositionList } from './positions.js';
import { readSize } from './shape.js';
import type { Tensor } from './tensor.js';

/** A term of an encoding: what its rows are multiplied with, and their width. */
export interface RelativeTerm {
  /** What its rows are multiplied with; 'value': they are weighted as values are, and added to the output. */
  readonly side: 'query' | 'key' | 'value';
  /** Width of its rows. */
  readonly width: number;
}

/** What `rows` takes beside the distances. */
export interface RelativeRowsOptions<Into extends Out = Tensor> {
  /** Which of `terms`. Default 0. */
  term?: number;
  /** With a count: the first distance. Default 0. */
  offset?: number;
  /** Where the rows go, instead of a new tensor. */
  into?: Into;
}

const sides: Readonly<Record<RelativeSide, RelativeTerm['side']>> = {
  [RelativeSide.query]: 'query',
  [RelativeSide.key]: 'key',
  [RelativeSide.value]: 'value',
};

/** An encoding whose terms look at the content: attention takes it, and multiplies its rows with queries, keys or weights. */
export class RelativeEncoding<Parameters extends object = Record<string, Tensor>> extends Encoding<Parameters> {
  /** Number of heads H; 0 where all heads, however many, have the same rows. */
  readonly heads: number = this.handle.heads();
  /** Width of a query and key head. */
  readonly headDim: number = this.handle.headDim();
  /** The terms, in order. */
  readonly terms: readonly RelativeTerm[] = Array.from({ length: this.handle.termCount() }, (_, i) => ({
    side: sides[this.handle.termSide(i) as RelativeSide],
    width: this.handle.termWidth(i),
  }));

  /**
   * The rows of a term: the vectors of distances key - query.
   * @param distances whole numbers, or a count n for offset, offset + 1, ...
   * @returns [heads, n, width]; one for `heads` where all heads have the same rows
   */
  rows<Into extends Out = Tensor>(distances: number | Positions, options?: RelativeRowsOptions<Into>): Into {
    const core = this.coreOf(this.name);
    checkOptions(options, ['term', 'offset', 'into'], 'options');
    const index = readSize(options?.term ?? 0, 'term');
    const offset = options?.offset === undefined ? undefined : readNumber(options.offset, 'offset');
    const term = this.terms[index];
    if (term === undefined) {
      throw new PosencError('outOfRange', 'term', describe(index), `0 to ${this.terms.length - 1}`);
    }
    core.begin();
    try {
      const list = readPositionList(core, distances, offset, 1);
      const target = new Target(core, options?.into, [Math.max(this.heads, 1), list.rows.count, term.width]);
      writeRelativeCall(core, { encoding: this.address, distances: list.rows, term: index, out: target.begin() });
      core.check(core.wasm._posenc_relative_rows(core.frame));
      return target.finish();
    } finally {
      core.end();
    }
  }
}
