// Attention: forward, gradients, scores.
import { type Operands, callOptions, checkEncodings, expectBatch, namedCausal, placeList, readStage } from './attention-call.js';
import { frameOf, optionSources } from './attention-frame.js';
import type { AttentionCallOptions, AttentionConfig, AttentionForward, AttentionGradients, BackwardInputs, ForwardOptions, GradientPlaces, ScoreStage } from './attention-types.js';
import { type KvCache, makeCache, readCache } from './cache.js';
import type { Core } from './core.js';
import { Encoding } from './encoding.js';
import { PosencError, describe } from './errors.js';
import { type AttentionCall, writeAttentionCall } from './generated/calls.js';
import type { KvCacheOptions } from './generated/options.js';
import { GradientTargets } from './gradients.js';
import { AttentionHandle } from './handles.js';
import { joinHeads, readLayout, splitHeads } from './heads.js';
import { type Out, type Source, Target, type TensorLike, expectShape, keepApart, place, readTensor } from './inputs.js';
import { type PlacedMask, placeMask } from './mask.js';
import { checkOptions, keepOptions, placeOptions, requireOptions } from './options.js';
import { Owned } from './owned.js';
import { Tensor } from './tensor.js';

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
      const operands = this.#read(core, q, k, options);
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
      const operands = this.#read(core, q, k, options);
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
      return this.#backward(core, inputs);
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
      const operands = this.#read(core, q, k, options);
      const { leading, heads, length } = operands.query;
      const target = new Target(core, options?.into, [...leading, heads, length, operands.key.length]);
      const mask = placeMask(core, options?.mask);
      keepApart([operands.q, operands.k, operands.gateInput, ...this.#sources(core, options, mask)], [target]);
      const call = this.#place(core, operands, options, mask);
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
      const operands = this.#read(core, q, k, options);
      const value = this.#readValue(core, operands, v);
      const call = frameOf(core, this, operands, options, placeMask(core, options?.mask));
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

  #read(core: Core, q: TensorLike, k: TensorLike, options: AttentionCallOptions | undefined): Operands {
    const layout = readLayout(options?.layout);
    const querySource = readTensor(core, q, 'q');
    const keySource = readTensor(core, k, 'k');
    const query = splitHeads(querySource, layout, this.headDim, this.heads);
    const key = splitHeads(keySource, layout, this.headDim, this.kvHeads);
    expectBatch(query, key, keySource);
    const gateInput = options?.gateInput === undefined ? undefined : readTensor(core, options.gateInput, 'gateInput');
    if (gateInput !== undefined) expectShape(gateInput, querySource.shape, 'shape of q');
    return { layout, q: querySource, k: keySource, gateInput, query, key };
  }

  #readValue(core: Core, { layout, key }: Operands, value: TensorLike): Source {
    const source = readTensor(core, value, 'v');
    const extents = splitHeads(source, layout, this.valueDim, this.kvHeads);
    expectBatch(key, extents, source);
    if (extents.length !== key.length) {
      throw new PosencError('shapeMismatch', 'v', `${extents.length} values`, `${key.length}, one per key`);
    }
    return source;
  }

  #run<Into extends Out>(
    core: Core,
    operands: Operands,
    value: TensorLike,
    options: ForwardOptions<Into> | undefined,
    lse: Target<Out> | undefined,
  ): { out: Into } {
    const v = this.#readValue(core, operands, value);
    const cache = readCache(core, this, options?.cache);
    const target = new Target(core, options?.into, joinHeads(operands.query, operands.layout, this.valueDim));
    const mask = placeMask(core, options?.mask);
    const inputs = [operands.q, operands.k, v, operands.gateInput, ...this.#sources(core, options, mask)];
    keepApart(inputs, lse === undefined ? [target] : [target, lse]);
    const call = this.#place(core, operands, options, mask);
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

  #backward<Into extends GradientPlaces>(core: Core, inputs: BackwardInputs<Into>): AttentionGradients<Into> {
    const operands = this.#read(core, inputs.q, inputs.k, inputs);
    const { layout, query } = operands;
    const v = this.#readValue(core, operands, inputs.v);
    const outShape = joinHeads(query, layout, this.valueDim);
    const out = readTensor(core, inputs.out, 'out');
    const dOut = readTensor(core, inputs.dOut, 'dOut');
    const lse = readTensor(core, inputs.lse, 'lse');
    expectShape(out, outShape, 'shape of out');
    expectShape(dOut, outShape, 'shape of out');
    expectShape(lse, [...query.leading, query.heads, query.length], '.., heads, qLen');

    const mask = placeMask(core, inputs.mask);
    const ofHeads = [this.heads];
    const targets = new GradientTargets(core, inputs.into as GradientPlaces | undefined, {
      dq: { shape: operands.q.shape },
      dk: { shape: operands.k.shape },
      dv: { shape: v.shape },
      dMask: { shape: mask.additive ? mask.shape : undefined, where: 'the mask is additive' },
      dGateInput: { shape: operands.gateInput?.shape, where: 'gateInput is given' },
      dSinks: { shape: inputs.sinks === undefined ? undefined : ofHeads, where: 'sinks are given' },
      dLogitScale: { shape: inputs.logitScale === undefined ? undefined : ofHeads },
    }, [operands.q, operands.k, v, out, dOut, lse, operands.gateInput, ...this.#sources(core, inputs, mask)]);

    const gradientBytes = this.encodings.map((encoding) => encoding.gradientBytes);
    const gradients = core.take(gradientBytes.reduce((sum, bytes) => sum + bytes, 0), 'encodings');
    const call = this.#place(core, operands, inputs, mask);
    const given = { v: place(core, v), out: place(core, out), lse: place(core, lse), dOut: place(core, dOut) };
    writeAttentionCall(core, { ...call, ...given, ...targets.begin(), gradients });
    core.check(core.wasm._posenc_attention_backward(core.frame));
    return { ...targets.finish(), params: this.#readGradients(core, gradients, gradientBytes) } as AttentionGradients<Into>;
  }

  #readGradients(core: Core, address: number, bytes: readonly number[]): Record<string, Tensor> {
    let next = address;
    const entries = this.encodings.flatMap((encoding, index) => {
      const gradients = encoding.readGradients(core, next);
      next += bytes[index] ?? 0;
      return gradients.map(([tensor, gradient]): [string, Tensor] => [`${encoding.name}.${tensor}`, gradient]);
    });
    return Object.fromEntries(entries);
  }

  /** Tensors among the options. */
  #sources(core: Core, options: AttentionCallOptions | undefined, mask: PlacedMask): (Source | undefined)[] {
    return options === undefined ? [] : [mask.source, ...optionSources(core, options, this.heads)];
  }

  /** Copies q, k and the options of the call; the frame but for what differs between calls. */
  #place(
    core: Core,
    { layout, q, k, gateInput, query, key }: Operands,
    options: (AttentionCallOptions & { readonly cache?: KvCache }) | undefined,
    mask: PlacedMask,
  ): AttentionCall {
    const frame = frameOf(core, this, { layout, query, key }, options, mask);
    return { ...frame, q: place(core, q), k: place(core, k), gateInput: gateInput === undefined ? 0 : place(core, gateInput) };
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
