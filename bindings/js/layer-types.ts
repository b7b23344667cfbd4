// What the attention layer and its calls take and give.
import type { AttentionCallOptions, Written } from './attention-types.js';
import type { QueryKeyPositions } from './bias.js';
import type { KvCache } from './cache.js';
import type { Encoding } from './encoding.js';
import type { AttentionLayerOptions } from './generated/options.js';
import type { Out, TensorLike } from './inputs.js';
import type { LayerWeights } from './layer-weights.js';
import type { Positions } from './positions.js';
import type { Tensor } from './tensor.js';

/** Options of an attention layer. */
export type AttentionLayerConfig = AttentionLayerOptions & {
  /**
   * Encodings that take part: those of the input family are added to the tokens in their order, the others act in the
   * attention.
   */
  readonly encodings?: readonly Encoding<object>[];
  /** Values of the weights, by name; those left out are initialised from `seed`. */
  readonly weights?: LayerWeights;
  /** Start of the generator that initialises the weights: a whole number, 0 to 2^53 - 1. Default 0. */
  readonly seed?: number;
};

/** What every call of a layer takes beside its tokens. Without leading axes the batch has one row. */
export interface LayerCallOptions extends Omit<AttentionCallOptions, 'layout' | 'positions' | 'gateInput'> {
  /** `[.., kLen, contextDim]`: the tokens that keys and values are made from, in cross-attention. Default: x. */
  context?: TensorLike;
  /**
   * Positions of the tokens for all encodings; those of the context apart as { q, k }. Default 0, 1, 2, ..., and with a
   * cache where it ends.
   */
  positions?: Positions | QueryKeyPositions;
  /** Positions for the input encodings, where these want others than the encodings in the attention. */
  inputPositions?: Positions | QueryKeyPositions;
  /** Instead of positions, where encodings have several axes: extents of a grid whose cells, row by row, x is. */
  grid?: readonly number[];
}

/** What `forward` takes. */
export interface LayerForwardOptions<Into extends Out = Tensor> extends LayerCallOptions {
  /** Keys and values of the tokens seen before: those of the new tokens are appended, and the queries attend to all. */
  cache?: KvCache;
  /** Where the output goes, instead of a new tensor. */
  into?: Into;
}

/** What `forwardForGrad` gives. */
export interface LayerForward<Into = Tensor, Attended = Tensor, Lse = Tensor> {
  /** [.., seq, outDim] */
  out: Into;
  /** `[.., seq, heads · valueDim]`: the heads side by side, before Wo. */
  attended: Attended;
  /** `[.., heads, seq]`: the logarithm of the sum of exp(score). */
  lse: Lse;
}

/** Where gradients may go. */
export interface LayerGradientPlaces {
  /** Of the shape of x. */
  dx?: Out;
  /** Of the shape of the context. */
  dContext?: Out;
  /** Of the shape of an additive mask. */
  dMask?: Out;
  /** [heads] */
  dSinks?: Out;
}

/** What `backward` takes: tokens and options of the forward call, what it gave, and the gradient of `out`. */
export interface LayerBackwardInputs<Into extends LayerGradientPlaces = LayerGradientPlaces> extends LayerCallOptions {
  /** As in the forward call. */
  x: TensorLike;
  /** From `forwardForGrad`. */
  attended: TensorLike;
  /** From `forwardForGrad`. */
  lse: TensorLike;
  /** Gradient of `out`. */
  dOut: TensorLike;
  /** Where gradients go, instead of new tensors. */
  into?: Into;
}

/** What `backward` gives; those that `into` named are what was given there. */
export interface LayerGradients<Into extends LayerGradientPlaces = Record<never, never>> {
  /** Of x, in its shape. */
  dx: Written<Into, 'dx'>;
  /** Of the context, where there is one. */
  dContext?: Written<Into, 'dContext'>;
  /** Of an additive mask, in its shape. */
  dMask?: Written<Into, 'dMask'>;
  /** Of `logitScale`, [heads], where the call has it. */
  dLogitScale?: Tensor;
  /** Of the sinks, [heads], where the call has them. */
  dSinks?: Written<Into, 'dSinks'>;
  /** Of the layer's weights, and of the trained tensors of all encodings, keyed `name.tensor`. */
  params: Record<string, Tensor>;
}
