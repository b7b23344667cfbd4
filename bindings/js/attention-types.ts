// What calls of attention take and give.
import type { QueryKeyPositions } from './bias.js';
import type { KvCache } from './cache.js';
import type { Encoding } from './encoding.js';
import type { AttentionOptions } from './generated/options.js';
import type { Layout } from './heads.js';
import type { Out, TensorLike } from './inputs.js';
import type { MaskLike } from './mask.js';
import type { NumberArray } from './positions.js';
import type { RelationMatrix } from './relations.js';
import type { Tensor } from './tensor.js';

/** Options of attention, with the encodings that take part: any number of biases, at most one rotary encoding. */
export type AttentionConfig = AttentionOptions & {
  /** Encodings that take part, of any family but input. */
  readonly encodings?: readonly Encoding<object>[];
};

/** A stage of the scores: scale · q·k; after softcap; after biases and masks; after softmax. */
export type ScoreStage = 'raw' | 'capped' | 'biased' | 'weights';

/** Whole numbers of queries and of keys, each [seq] or [batch, seq]. */
export interface QueryKeyNumbers {
  /** Of the queries. */
  q: NumberArray;
  /** Of the keys. */
  k: NumberArray;
}

/** What every call takes beside its tensors. Without leading axes the batch has one row. */
export interface AttentionCallOptions {
  /** 'heads' [.., heads, seq, dim] (default) or 'packed' [.., seq, heads · dim]: of all tensors of the call. */
  layout?: Layout;
  /** Which keys take part, or what is added to the scores. */
  mask?: MaskLike;
  /** `[batch]`: keys from there on are hidden, as in a batch padded on the right. */
  keyLengths?: NumberArray;
  /**
   * The place of query 0 among the keys, for all batch rows or one per row, instead of what `causal` says. Query i
   * stands at place qOffset + i; causal masks and windows go by it.
   */
  qOffset?: number | NumberArray;
  /** [seq] or [batch, seq]: a query sees keys of its own segment only. One array serves queries and keys alike. */
  segments?: NumberArray | QueryKeyNumbers;
  /** `[heads]`: a learned logit more in the softmax of every row, whose value is 0 (gpt-oss); -Infinity: none. */
  sinks?: TensorLike | Float32Array;
  /**
   * [seq] or [batch, seq] of 0 and 1: global tokens, which see all and are seen by all that causal and the other masks
   * allow, whatever the window (Longformer). One array serves queries and keys alike.
   */
  global?: NumberArray | Partial<QueryKeyNumbers>;
  /** Positions for the encodings. Default: keys 0, 1, 2, ... and queries from their place among the keys. */
  positions?: QueryKeyPositions;
  /**
   * For encodings that read relations: ids of every query with every key, [qLen, kLen] or [batch, qLen, kLen]; keyed by
   * the encodings' names where several read them. With a cache, keys are all that it holds after the call.
   */
  relations?: RelationMatrix | Readonly<Record<string, RelationMatrix>>;
  /**
   * `[heads]`: with `logits: 'cosine'`, the logarithms of the factors on the cosines; beyond ln 100 they count as that.
   * Default: factors of 1.
   */
  logitScale?: TensorLike | Float32Array;
  /**
   * [.., heads, qLen, headDim], laid out as q: what the gates of biases read whose `gate` is 'input' (WavLM: the layer's
   * input split into heads).
   */
  gateInput?: TensorLike;
}

/** What `forward` takes. */
export interface ForwardOptions<Into extends Out = Tensor> extends AttentionCallOptions {
  /** Keys and values seen before: k and v are appended, and the queries attend to all. */
  cache?: KvCache;
  /** Where the output goes, instead of a new tensor. */
  into?: Into;
}

/** What `forwardForGrad` gives. */
export interface AttentionForward<Into = Tensor, Lse = Tensor> {
  /** [.., heads, qLen, valueDim], or as `layout` says. */
  out: Into;
  /** `[.., heads, qLen]`: the logarithm of the sum of exp(score), -Infinity where nothing is seen. */
  lse: Lse;
}

/** Where gradients may go. */
export interface GradientPlaces {
  /** Of q's shape. */
  dq?: Out;
  /** Of k's shape. */
  dk?: Out;
  /** Of v's shape. */
  dv?: Out;
  /** Of the shape of an additive mask. */
  dMask?: Out;
  /** Of the shape of `gateInput`. */
  dGateInput?: Out;
  /** [heads] */
  dSinks?: Out;
}

/** What `backward` takes: tensors and options of the forward call, what it gave, and the gradient of `out`. */
export interface BackwardInputs<Into extends GradientPlaces = GradientPlaces> extends AttentionCallOptions {
  /** As in the forward call. */
  q: TensorLike;
  /** As in the forward call. */
  k: TensorLike;
  /** As in the forward call. */
  v: TensorLike;
  /** From `forwardForGrad`. */
  out: TensorLike;
  /** From `forwardForGrad`. */
  lse: TensorLike;
  /** Gradient of `out`. */
  dOut: TensorLike;
  /** Where gradients go, instead of new tensors. */
  into?: Into;
}

/** The place that was named, else a new tensor. */
export type Written<Into, Name extends string> = Into extends Record<Name, infer Place extends Out> ? Place : Tensor;

/** What `backward` gives; those that `into` named are what was given there. */
export interface AttentionGradients<Into extends GradientPlaces = Record<never, never>> {
  /** Of q, in its shape. */
  dq: Written<Into, 'dq'>;
  /** Of k, in its shape. */
  dk: Written<Into, 'dk'>;
  /** Of v, in its shape. */
  dv: Written<Into, 'dv'>;
  /** Of an additive mask, in its shape. */
  dMask?: Written<Into, 'dMask'>;
  /** Of `gateInput`, where the call has it. */
  dGateInput?: Written<Into, 'dGateInput'>;
  /** Of `logitScale`, [heads], where the call has it. */
  dLogitScale?: Tensor;
  /** Of the sinks, [heads]. */
  dSinks?: Written<Into, 'dSinks'>;
  /** Of the trained tensors of all encodings, keyed `name.tensor`. */
  params: Record<string, Tensor>;
}
