import type { Core } from './core.js';
import { Encoding } from './encoding.js';
import { PosencError } from './errors.js';
import { writeBiasCall } from './generated/calls.js';
import type { PositionRows } from './generated/calls.js';
import { type Out, Target, type TensorLike, expectShape, place, readTensor } from './inputs.js';
import { checkOptions } from './options.js';
import { type Positions, readNumber, readPositions } from './positions.js';
import { type RelationMatrix, placeRelations } from './relations.js';
import { readSize } from './shape.js';
import type { Tensor } from './tensor.js';

/** Positions of queries and keys apart. */
export interface QueryKeyPositions {
  /** A first one, or one per query. */
  q?: Positions;
  /** A first one, or one per key. */
  k?: Positions;
}

/** What `bias` takes beside the lengths. */
export interface BiasOptions<Into extends Out = Tensor> {
  /** Position of query 0, where keys begin at 0: with a cache, the number of keys before it. Default 0. */
  qOffset?: number;
  /** Positions that do not simply count up. */
  positions?: QueryKeyPositions;
  /** For encodings that read relations instead of positions: an id for every query and key, [qLen, kLen]. */
  relations?: RelationMatrix;
  /** Where the bias goes, instead of a new tensor. */
  into?: Into;
}

const placeOptions = ['qOffset', 'positions', 'relations'];

/** What a call frame has of where queries and keys stand. */
interface BiasRows {
  readonly query: PositionRows;
  readonly key: PositionRows;
  readonly relations: number;
}

/** An encoding that adds a number to the score of each head, query and key. */
export class BiasEncoding<
  Parameters extends object = Record<string, Tensor>,
  Gradients extends object = Partial<Parameters>,
> extends Encoding<Parameters> {
  /** Number of heads H. */
  readonly heads: number = this.handle.heads();
  /** How many ids of relations it knows; 0: it reads positions. */
  readonly relations: number = this.handle.relations();

  /**
   * The bias written out; attention computes it tile by tile instead.
   * @returns [heads, qLen, kLen]
   */
  bias<Into extends Out = Tensor>(qLen: number, kLen: number, options?: BiasOptions<Into>): Into {
    const core = this.coreOf(this.name);
    checkOptions(options, [...placeOptions, 'into'], 'options');
    core.begin();
    try {
      const shape = [this.heads, readSize(qLen, 'qLen'), readSize(kLen, 'kLen')];
      const target = new Target(core, options?.into, shape);
      const rows = this.#rows(core, qLen, kLen, options);
      const out = target.begin();
      writeBiasCall(core, { encoding: this.address, ...rows, dBias: 0, out });
      core.check(core.wasm._posenc_bias_write(core.frame));
      return target.finish();
    } finally {
      core.end();
    }
  }

  /**
   * Gradients of the trained tensors, from the gradient of the bias.
   * @param dBias [heads, qLen, kLen]
   * @returns a gradient for each tensor that is trained, under its name and of its shape
   */
  backward(dBias: TensorLike, options?: Omit<BiasOptions, 'into'>): Gradients {
    const core = this.coreOf(this.name);
    checkOptions(options, placeOptions, 'options');
    core.begin();
    try {
      const source = readTensor(core, dBias, 'dBias');
      expectShape(source, [this.heads, null, null], 'heads, qLen, kLen');
      const [, qLen = 0, kLen = 0] = source.shape;
      const rows = this.#rows(core, qLen, kLen, options);
      const out = core.take(this.gradientBytes, 'dBias');
      writeBiasCall(core, { encoding: this.address, ...rows, dBias: place(core, source), out });
      core.check(core.wasm._posenc_bias_backward(core.frame));
      return Object.fromEntries(this.readGradients(core, out)) as Gradients;
    } finally {
      core.end();
    }
  }

  #rows(core: Core, qLen: number, kLen: number, options: BiasOptions<Out> | undefined): BiasRows {
    const { positions, qOffset, relations } = options ?? {};
    checkOptions(positions, ['q', 'k'], 'positions');
    if (qOffset !== undefined && positions?.q !== undefined) {
      throw new PosencError('unsupported', 'qOffset', 'qOffset and positions.q', 'one of the two');
    }
    const first = qOffset === undefined ? positions?.q : readNumber(qOffset, 'qOffset');
    return {
      query: readPositions(core, first, qLen, 1, this.axes, 'positions.q'),
      key: readPositions(core, positions?.k, kLen, 1, this.axes, 'positions.k'),
      relations: this.#relations(core, qLen, kLen, relations),
    };
  }

  #relations(core: Core, qLen: number, kLen: number, matrix: RelationMatrix | undefined): number {
    if (this.relations > 0 && matrix === undefined) {
      throw new PosencError('missingOption', 'relations', 'nothing', 'an id for every query and key');
    }
    if (matrix === undefined) return 0;
    if (this.relations > 0) return placeRelations(core, matrix, qLen, kLen, 1, 'relations').ids;
    throw new PosencError('unknownOption', 'relations', 'relations', 'only where the encoding reads them');
  }
}
