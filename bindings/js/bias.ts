import type { Core } from './core.js';
import { Encoding } from './encoding.js';
import { PosencError } from './errors.js';
import { writeBiasCall } from './generated/calls.js';
import type { PositionRows } from './generated/calls.js';
import { type Out, Target, type TensorLike, expectShape, place, readTensor } from './inputs.js';
import { checkOptions } from './options.js';
import { type Positions, readNumber, readPositions } from './positions.js';
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
  /** Where the bias goes, instead of a new tensor. */
  into?: Into;
}

const biasOptions = ['qOffset', 'positions', 'into'];

/** An encoding that adds a number to the score of each head, query and key. */
export class BiasEncoding<Parameters extends object = Record<string, Tensor>> extends Encoding<Parameters> {
  /** Number of heads H. */
  readonly heads: number = this.handle.heads();

  /**
   * The bias written out; attention computes it tile by tile instead.
   * @returns [heads, qLen, kLen]
   */
  bias<Into extends Out = Tensor>(qLen: number, kLen: number, options?: BiasOptions<Into>): Into {
    const core = this.coreOf(this.name);
    checkOptions(options, biasOptions, 'options');
    try {
      const shape = [this.heads, readSize(qLen, 'qLen'), readSize(kLen, 'kLen')];
      const target = new Target(core, options?.into, shape);
      const { query, key } = this.#rows(core, qLen, kLen, options);
      const out = target.begin();
      writeBiasCall(core, { encoding: this.address, query, key, dBias: 0, out });
      core.check(core.wasm._posenc_bias_write(core.frame));
      return target.finish();
    } finally {
      core.reset();
    }
  }

  /**
   * Gradients of the trained tensors, from the gradient of the bias.
   * @param dBias [heads, qLen, kLen]
   */
  backward(dBias: TensorLike, options?: Pick<BiasOptions, 'qOffset' | 'positions'>): Partial<Parameters> {
    const core = this.coreOf(this.name);
    checkOptions(options, ['qOffset', 'positions'], 'options');
    try {
      const source = readTensor(core, dBias, 'dBias');
      expectShape(source, [this.heads, null, null], 'heads, qLen, kLen');
      const [, qLen = 0, kLen = 0] = source.shape;
      const { query, key } = this.#rows(core, qLen, kLen, options);
      const out = core.take(this.gradientBytes, 'dBias');
      writeBiasCall(core, { encoding: this.address, query, key, dBias: place(core, source), out });
      core.check(core.wasm._posenc_bias_backward(core.frame));
      return Object.fromEntries(this.readGradients(core, out)) as Partial<Parameters>;
    } finally {
      core.reset();
    }
  }

  #rows(core: Core, qLen: number, kLen: number, options: BiasOptions<Out> | undefined): { query: PositionRows; key: PositionRows } {
    const { positions, qOffset } = options ?? {};
    checkOptions(positions, ['q', 'k'], 'positions');
    if (qOffset !== undefined && positions?.q !== undefined) {
      throw new PosencError('unsupported', 'qOffset', 'qOffset and positions.q', 'one of the two');
    }
    const first = qOffset === undefined ? positions?.q : readNumber(qOffset, 'qOffset');
    return {
      query: readPositions(core, first, qLen, 1, this.axes, 'positions.q'),
      key: readPositions(core, positions?.k, kLen, 1, this.axes, 'positions.k'),
    };
  }
}
