// Attention: forward, gradients, scores.
import { runBackward } from './attention-backward.js';
import { callOptions, checkEncodings, namedCausal, placeList, readStage } from './attention-call.js';
import { frameOf } from './attention-frame.js';
import { type Operands, placeOperands, readOperands, readValue } from './attention-operands.js';
import type { AttentionCallOptions, AttentionConfig, AttentionForward, AttentionGradients, BackwardInputs, ForwardOptions, GradientPlaces, ScoreStage } from './attention-types.js';
import { type KvCache, makeCache, readCache } from './cache.js';
import { readCallTensors, sourcesOf } from './call-tensors.js';
import type { Core } from './core.js';
import type { Encoding } from './encoding.js';
import { PosencError, describe } from './errors.js';
import { writeAttentionCall } from './generated/calls.js';
import type { KvCacheOptions } from './generated/options.js';
import { AttentionHandle } from './handles.js';
import { joinHeads } from './heads.js';
import { type Out, type Source, Target, type TensorLike, keepApart, place } from './inputs.js';
import { checkOptions, keepOptions, placeOptions, requireOptions } from './options.js';
import { Owned } from './owned.js';
import type { Tensor } from './tensor.js';

const gradientInputs = ['q', 'k', 'v', 'out', 'lse', 'dOut', ...callOptions, 'into'];

/** Attention over any of the encodings: it computes in tiles, and never the matrix of scores unless it is asked for. */
export class Attention extends Owned {
  /** @internal Minifying takes the name that consoles show. */
  static override readonly name = 'Attention';
  /** Number of query heads. */
  readonly heads: number;
  /** Number of key/value heads. */
  readonly kvHeads: number;
  /** Width of a query and key head. */
  readonly headDim: number;
  /** Width of a value head. */
  readonly valueDim: number;
  /** The encodings that take part. They must not be disposed before the attention. */
  readonly encodings: readonly Encoding<object>[];
  /** @internal */
  readonly handle: AttentionHandle;
  /** @internal */
  readonly address: number;
  /** @internal Coordinates of a position. */
  readonly axes: number;

  /** @internal What it was made with, beside the encodings. */
  readonly options: object;

  /** @internal */
  constructor(core: Core, handle: AttentionHandle, encodings: readonly Encoding<object>[], options: object = {}) {
    super(core, 'attentions', () => handle.delete());
    this.options = options;
    this.handle = handle;
    this.address = handle.address;
    this.heads = handle.heads();
    this.kvHeads = handle.kvHeads();
    this.headDim = handle.headDim();
    this.valueDim = handle.valueDim();
    this.encodings = encodings;
    this.axes = Math.max(1, ...encodings.map(({ axes }) => axes));
  }

  /**
   * Softmax attention.
   * @param q [.., heads, qLen, headDim]
   * @param k [.., kvHeads, kLen, headDim]
   * @param v [.., kvHeads, kLen, valueDim]
   * @returns [.., heads, qLen, valueDim]; in layout 'packed' [.., qLen, heads · valueDim]
   */
  forward<Into extends Out = Tensor>(q: TensorLike, k: TensorLike, v: TensorLike, options?: ForwardOptions<Into>): Into {
    const core = this.liveCore();
    checkOptions(options, [...callOptions, 'cache', 'into'], 'options');
    core.begin();
    try {
      const operands = readOperands(core, this, q, k, options);
      return this.#run(core, operands, v, options, undefined).out;
    } finally {
      core.end();
    }
  }

  /**
   * The same, with what `backward` needs.
   * @param q [.., heads, qLen, headDim]
   * @param k [.., kvHeads, kLen, headDim]
   * @param v [.., kvHeads, kLen, valueDim]
   */
  forwardForGrad<Into extends Out = Tensor, Lse extends Out = Tensor>(
    q: TensorLike,
    k: TensorLike,
    v: TensorLike,
    options?: Omit<ForwardOptions<Into>, 'cache'> & { lse?: Lse },
  ): AttentionForward<Into, Lse> {
    const core = this.liveCore();
    checkOptions(options, [...callOptions, 'into', 'lse'], 'options');
    core.begin();
    try {
      const operands = readOperands(core, this, q, k, options);
      const { leading, heads, length } = operands.query;
      const lse = new Target(core, options?.lse, [...leading, heads, length], 'lse');
      const { out } = this.#run(core, operands, v, options, lse);
      return { out, lse: lse.finish() };
    } finally {
      core.end();
    }
  }

  /** Gradients by recomputation: nothing was kept from the forward call. */
  backward<Into extends GradientPlaces = Record<never, never>>(inputs: BackwardInputs<Into>): AttentionGradients<Into> {
    const core = this.liveCore();
    requireOptions(inputs, gradientInputs, 'inputs');
    checkOptions(inputs.into, ['dq', 'dk', 'dv', 'dMask', 'dGateInput', 'dSinks'], 'into');
    core.begin();
    try {
      return runBackward(core, this, inputs);
    } finally {
      core.end();
    }
  }

  /**
   * The scores at a stage, written out: for pictures.
   * @param q [.., heads, qLen, headDim]
   * @param k [.., kvHeads, kLen, headDim]
   * @returns [.., heads, qLen, kLen]
   */
  scores<Into extends Out = Tensor>(
    q: TensorLike,
    k: TensorLike,
    stage: ScoreStage,
    options?: AttentionCallOptions & { into?: Into },
  ): Into {
    const core = this.liveCore();
    checkOptions(options, [...callOptions, 'into'], 'options');
    const index = readStage(stage);
    core.begin();
    try {
      const operands = readOperands(core, this, q, k, options);
      const { leading, heads, length } = operands.query;
      const target = new Target(core, options?.into, [...leading, heads, length, operands.key.length]);
      const tensors = readCallTensors(core, options, this.heads);
      keepApart([operands.q, operands.k, operands.gateInput, ...sourcesOf(tensors)], [target]);
      const call = placeOperands(core, this, operands, options, tensors);
      writeAttentionCall(core, { ...call, stage: index, out: target.begin() });
      core.check(core.wasm._posenc_attention_scores(core.frame));
      return target.finish();
    } finally {
      core.end();
    }
  }

  /**
   * The attention weights: scores at their last stage.
   * @param q [.., heads, qLen, headDim]
   * @param k [.., kvHeads, kLen, headDim]
   * @returns [.., heads, qLen, kLen]
   */
  weights<Into extends Out = Tensor>(q: TensorLike, k: TensorLike, options?: AttentionCallOptions & { into?: Into }): Into {
    return this.scores(q, k, 'weights', options);
  }

  /** A cache for keys and values of the tokens seen so far. It must not outlive the attention. */
  cache(options?: KvCacheOptions): KvCache {
    return makeCache(this.liveCore(), this, options);
  }

  /** @internal Checks a call as forward() does, and gives its tensors as they were read. */
  check(q: TensorLike, k: TensorLike, v: TensorLike, options: AttentionCallOptions | undefined): Operands & { v: Source } {
    const core = this.liveCore();
    checkOptions(options, callOptions, 'options');
    core.begin();
    try {
      const operands = readOperands(core, this, q, k, options);
      const value = readValue(core, this, operands, v);
      const call = frameOf(core, this, operands, options, readCallTensors(core, options, this.heads));
      // The tensors are not read: what matters is that they are there.
      const gateInput = operands.gateInput === undefined ? 0 : core.frame;
      writeAttentionCall(core, { ...call, q: core.frame, k: core.frame, v: core.frame, gateInput });
      core.check(core.wasm._posenc_attention_check(core.frame));
      return { ...operands, v: value };
    } finally {
      core.end();
    }
  }

  /** @internal Throws when the attention, or one of its encodings, was disposed. */
  liveCore(parameter = 'attention'): Core {
    const core = this.coreOf(parameter);
    this.encodings.forEach((encoding, index) => encoding.coreOf(`encodings[${index}]`));
    return core;
  }

  #run<Into extends Out>(
    core: Core,
    operands: Operands,
    value: TensorLike,
    options: ForwardOptions<Into> | undefined,
    lse: Target<Out> | undefined,
  ): { out: Into } {
    const v = readValue(core, this, operands, value);
    const cache = readCache(core, this, options?.cache);
    const target = new Target(core, options?.into, joinHeads(operands.query, operands.layout, this.valueDim));
    const tensors = readCallTensors(core, options, this.heads);
    keepApart([operands.q, operands.k, v, operands.gateInput, ...sourcesOf(tensors)], lse === undefined ? [target] : [target, lse]);
    const call = placeOperands(core, this, operands, options, tensors);
    writeAttentionCall(core, {
      ...call,
      v: place(core, v),
      cache: cache?.address ?? 0,
      out: target.begin(),
      lse: lse?.begin() ?? 0,
    });
    core.check(core.wasm._posenc_attention_forward(core.frame));
    return { out: target.finish() };
  }
}

/** @internal */
export function makeAttention(core: Core, options: AttentionConfig): Attention {
  if (typeof options !== 'object' || options === null) {
    throw new PosencError('invalidType', 'options', describe(options), 'an object of options');
  }
  const encodings = checkEncodings(core, options.encodings ?? []);
  const own = keepOptions(options, ['encodings']);
  core.begin();
  try {
    const placed = placeOptions(core, namedCausal(own), []);
    return new Attention(core, new AttentionHandle(core, { options: placed, list: placeList(core, encodings) }), encodings, own);
  } finally {
    core.end();
  }
}
