import { Attention } from './attention.js';
import { callOptions, checkEncodings, namedCausal, placeList, readStage } from './attention-call.js';
import { optionSources } from './attention-frame.js';
import type { ScoreStage } from './attention-types.js';
import { type KvCache, readCache } from './cache.js';
import type { Core } from './core.js';
import { type Encoding, checkSeed } from './encoding.js';
import { PosencError, describe } from './errors.js';
import { type AttentionCall, type LayerCall, attentionCallBytes, writeAttentionCall, writeLayerCall } from './generated/calls.js';
import type { AttentionLayerOptions, KvCacheOptions } from './generated/options.js';
import { GradientTargets } from './gradients.js';
import { AttentionHandle, EncodingHandle, LayerHandle } from './handles.js';
import { Kind } from './generated/names.js';
import { type Out, type Source, Target, type TensorLike, expectShape, keepApart, place, readTensor } from './inputs.js';
import { type Operands, placeCall, tokensOf } from './layer-call.js';
import type { AttentionLayerConfig, LayerBackwardInputs, LayerCallOptions, LayerForward, LayerForwardOptions, LayerGradientPlaces, LayerGradients } from './layer-types.js';
import { LayerTensors, type LayerWeights } from './layer-weights.js';
import { type PlacedMask, placeMask } from './mask.js';
import { checkOptions, keepOptions, placeOptions, requireOptions } from './options.js';
import { Owned } from './owned.js';
import type { Tensor } from './tensor.js';

const attentionOptions = callOptions.filter((name) => name !== 'layout' && name !== 'gateInput');
const layerOptions = ['context', ...attentionOptions, 'inputPositions', 'grid'];

/** Attention with its projections: tokens in, tokens out. */
export class AttentionLayer extends Owned {
  /** @internal Minifying takes the name that consoles show. */
  static override readonly name = 'AttentionLayer';
  /** Width of the tokens and, with the output projection, of the output. */
  readonly dim: number;
  /** Width of the tokens that keys and values are made from. */
  readonly contextDim: number;
  /** Width of the output. */
  readonly outDim: number;
  /** Number of query heads. */
  readonly heads: number;
  /** Number of key/value heads. */
  readonly kvHeads: number;
  /** Width of a query and key head. */
  readonly headDim: number;
  /** Width of a value head. */
  readonly valueDim: number;
  /** The encodings that take part. They must not be disposed before the layer. */
  readonly encodings: readonly Encoding<object>[];
  /** The options as they were given, without encodings and weights. */
  readonly options: Readonly<AttentionLayerOptions>;
  /** Start of the generator that initialised the weights. */
  readonly seed: number;
  readonly #address: number;
  readonly #attention: Attention;
  readonly #tensors: LayerTensors;
  readonly #inputAxes: number;

  /** @internal */
  constructor(core: Core, handle: LayerHandle, parts: LayerParts, values: LayerWeights | undefined) {
    const { attention, weights, encodings, options, seed } = parts;
    super(core, 'layers', () => {
      if (!attention.disposed) attention.dispose();
      weights.delete();
      handle.delete();
    });
    this.#address = handle.address;
    this.#attention = attention;
    this.#tensors = new LayerTensors(handle, weights, encodings);
    this.#inputAxes = Math.max(1, ...encodings.filter(({ family }) => family === 'input').map(({ axes }) => axes));
    this.dim = handle.dim();
    this.contextDim = handle.contextDim();
    this.outDim = handle.outWidth();
    this.heads = attention.heads;
    this.kvHeads = attention.kvHeads;
    this.headDim = attention.headDim;
    this.valueDim = attention.valueDim;
    this.encodings = encodings;
    this.options = options;
    this.seed = seed;
    if (values === undefined) return;
    try {
      this.parameters = values;
    } catch (error) {
      this.dispose();
      throw error;
    }
  }

  /**
   * out = attention(E(x)·Wq + bq, E(c)·Wk + bk, E(c)·Wv + bv)·Wo + bo, where E adds the input encodings and c is x, or
   * the context.
   * @param x [.., seq, dim]
   * @returns [.., seq, outDim]
   */
  forward<Into extends Out = Tensor>(x: TensorLike, options?: LayerForwardOptions<Into>): Into {
    const core = this.#liveCore();
    checkOptions(options, [...layerOptions, 'cache', 'into'], 'options');
    core.begin();
    try {
      const operands = this.#read(core, x, options?.context);
      const mask = placeMask(core, options?.mask);
      const target = this.#target(core, operands, options?.into, this.#sources(core, options, mask));
      const cache = readCache(core, this.#attention, options?.cache);
      const out = target.begin();
      this.#write(core, operands, options, { out }, { cache: cache?.address ?? 0 }, mask);
      core.check(core.wasm._posenc_layer_forward(core.frame));
      return target.finish();
    } finally {
      core.end();
    }
  }

  /**
   * The same, with what `backward` needs.
   * @param x [.., seq, dim]
   */
  forwardForGrad<Into extends Out = Tensor, Attended extends Out = Tensor, Lse extends Out = Tensor>(
    x: TensorLike,
    options?: Omit<LayerForwardOptions<Into>, 'cache'> & { attended?: Attended; lse?: Lse },
  ): LayerForward<Into, Attended, Lse> {
    const core = this.#liveCore();
    checkOptions(options, [...layerOptions, 'into', 'attended', 'lse'], 'options');
    core.begin();
    try {
      const operands = this.#read(core, x, options?.context);
      const { leading, heads, length } = operands.query;
      const mask = placeMask(core, options?.mask);
      const sources = this.#sources(core, options, mask);
      const out = this.#target(core, operands, options?.into, sources);
      const attended = new Target(core, options?.attended, [...leading, length, heads * this.valueDim], 'attended');
      const lse = new Target(core, options?.lse, [...leading, heads, length], 'lse');
      keepApart([operands.x, operands.context, ...sources], [out, attended, lse]);
      const places = { out: out.begin(), attended: attended.begin() };
      this.#write(core, operands, options, places, { lse: lse.begin() }, mask);
      core.check(core.wasm._posenc_layer_forward(core.frame));
      return { out: out.finish(), attended: attended.finish(), lse: lse.finish() };
    } finally {
      core.end();
    }
  }

  /** Gradients of the tokens and of all weights; queries, keys and values are made anew. */
  backward<Into extends LayerGradientPlaces = Record<never, never>>(inputs: LayerBackwardInputs<Into>): LayerGradients<Into> {
    const core = this.#liveCore();
    requireOptions(inputs, ['x', 'attended', 'lse', 'dOut', ...layerOptions, 'into'], 'inputs');
    checkOptions(inputs.into, ['dx', 'dContext', 'dMask', 'dSinks'], 'into');
    core.begin();
    try {
      return this.#backward(core, inputs);
    } finally {
      core.end();
    }
  }

  /**
   * The scores of the attention at a stage, written out: for pictures. 'weights' are the attention weights.
   * @param x [.., seq, dim]
   * @returns [.., heads, seq, kLen]
   */
  scores<Into extends Out = Tensor>(x: TensorLike, stage: ScoreStage, options?: LayerCallOptions & { into?: Into }): Into {
    const core = this.#liveCore();
    checkOptions(options, [...layerOptions, 'into'], 'options');
    const index = readStage(stage);
    core.begin();
    try {
      const operands = this.#read(core, x, options?.context);
      const { leading, heads, length } = operands.query;
      const target = new Target(core, options?.into, [...leading, heads, length, operands.key.length]);
      const mask = placeMask(core, options?.mask);
      keepApart([operands.x, operands.context, ...this.#sources(core, options, mask)], [target]);
      this.#write(core, operands, options, { out: target.begin() }, { stage: index }, mask);
      core.check(core.wasm._posenc_layer_scores(core.frame));
      return target.finish();
    } finally {
      core.end();
    }
  }

  /** A cache for keys and values of the tokens seen so far. It must not outlive the layer. */
  cache(options?: KvCacheOptions): KvCache {
    this.#liveCore();
    return this.#attention.cache(options);
  }

  /** Names of the weights, and of the trained tensors of the encodings. */
  get trainable(): string[] {
    return this.#tensors.trainable;
  }

  /**
   * The weights, and the tensors of the encodings keyed `name.tensor`, copied. Setting takes any of them, and Wqkv and
   * bqkv too; it changes all or none.
   */
  get parameters(): Record<string, Tensor> {
    return this.#tensors.read(this.#liveCore());
  }

  /** New values for any of them, by name: of a tensor's shape, or flat. */
  set parameters(values: LayerWeights) {
    this.#tensors.write(this.#liveCore(), values);
  }

  #liveCore(): Core {
    const core = this.coreOf('layer');
    this.encodings.forEach((encoding, index) => encoding.coreOf(`encodings[${index}]`));
    return core;
  }

  #read(core: Core, x: TensorLike, context: TensorLike | undefined): Operands {
    const source = readTensor(core, x, 'x');
    const query = tokensOf(source, this.dim, this.heads);
    if (context === undefined) return { x: source, context: undefined, query, key: { ...query, heads: this.kvHeads } };
    const other = readTensor(core, context, 'context');
    const key = tokensOf(other, this.contextDim, this.kvHeads);
    if (key.batch !== query.batch) {
      throw new PosencError('shapeMismatch', 'context', `${key.batch} batch rows`, `${query.batch}, as many as x has`);
    }
    return { x: source, context: other, query, key };
  }

  #target<Into extends Out>(core: Core, operands: Operands, into: Into | undefined, sources: readonly (Source | undefined)[]): Target<Into> {
    const target = new Target(core, into, [...operands.query.leading, operands.query.length, this.outDim]);
    keepApart([operands.x, operands.context, ...sources], [target]);
    return target;
  }

  /** Tensors among the options. */
  #sources(core: Core, options: LayerCallOptions | undefined, mask: PlacedMask): (Source | undefined)[] {
    return options === undefined ? [] : [mask.source, ...optionSources(core, options, this.heads)];
  }

  /** Copies the tokens and the options; writes both frames. */
  #write(
    core: Core,
    operands: Operands,
    options: (LayerCallOptions & { readonly cache?: KvCache }) | undefined,
    places: Partial<LayerCall>,
    ofAttention: Partial<AttentionCall>,
    mask: PlacedMask,
  ): void {
    const layer = { address: this.#address, attention: this.#attention, inputAxes: this.#inputAxes };
    const { call, frame } = placeCall(core, layer, operands, options, mask);
    const attention = core.take(attentionCallBytes, 'options');
    writeAttentionCall({ frame: attention, views: core.views }, { ...frame, ...ofAttention });
    writeLayerCall(core, { ...call, ...places, attention });
  }

  #backward<Into extends LayerGradientPlaces>(core: Core, inputs: LayerBackwardInputs<Into>): LayerGradients<Into> {
    const operands = this.#read(core, inputs.x, inputs.context);
    const { leading, heads, length } = operands.query;
    const attended = readTensor(core, inputs.attended, 'attended');
    const lse = readTensor(core, inputs.lse, 'lse');
    const dOut = readTensor(core, inputs.dOut, 'dOut');
    expectShape(attended, [...leading, length, heads * this.valueDim], '.., seq, heads · valueDim');
    expectShape(lse, [...leading, heads, length], '.., heads, seq');
    expectShape(dOut, [...leading, length, this.outDim], 'shape of out');

    const mask = placeMask(core, inputs.mask);
    const { context } = operands;
    const ofHeads = [this.heads];
    const targets = new GradientTargets(core, inputs.into as LayerGradientPlaces | undefined, {
      dx: { shape: operands.x.shape },
      dContext: { shape: context?.shape, where: 'there is a context' },
      dMask: { shape: mask.additive ? mask.shape : undefined, where: 'the mask is additive' },
      dSinks: { shape: inputs.sinks === undefined ? undefined : ofHeads, where: 'sinks are given' },
      dLogitScale: { shape: inputs.logitScale === undefined ? undefined : ofHeads },
    }, [operands.x, context, attended, lse, dOut, ...this.#sources(core, inputs, mask)]);

    const gradients = core.take(this.#tensors.gradientBytes, 'weights');
    const given = { attended: place(core, attended), dOut: place(core, dOut) };
    const lseAddress = place(core, lse);
    const { dx, dContext, ...ofAttention } = targets.begin();
    this.#write(core, operands, inputs, { ...given, dx, dContext, gradients }, { lse: lseAddress, ...ofAttention }, mask);
    core.check(core.wasm._posenc_layer_backward(core.frame));
    return { ...targets.finish(), params: this.#tensors.readGradients(core, gradients) } as LayerGradients<Into>;
  }
}

/** @internal What a layer is made of beside its handle. */
interface LayerParts {
  readonly attention: Attention;
  readonly weights: EncodingHandle;
  readonly encodings: readonly Encoding<object>[];
  /** Without encodings, weights and seed. */
  readonly options: Readonly<AttentionLayerOptions>;
  readonly seed: number;
}

/** @internal */
export function makeAttentionLayer(core: Core, given: AttentionLayerConfig): AttentionLayer {
  if (typeof given !== 'object' || given === null) {
    throw new PosencError('invalidType', 'options', describe(given), 'an object of options');
  }
  const encodings = checkEncodings(core, given.encodings ?? []);
  const { seed = 0, weights: values } = given;
  const options = keepOptions(given, ['encodings', 'weights', 'seed']) as AttentionLayerOptions;
  checkSeed(seed);
  const handle = makeHandle(core, options, encodings, seed);
  const attention = new Attention(
    core,
    new AttentionHandle(core, handle.attention()),
    encodings.filter(({ family }) => family !== 'input'),
  );
  const weights = new EncodingHandle(core, { from: handle.address }, Kind.layerWeights);
  return new AttentionLayer(core, handle, { attention, weights, encodings, options, seed }, values);
}

function makeHandle(core: Core, options: object, encodings: readonly Encoding<object>[], seed: number): LayerHandle {
  core.begin();
  try {
    const placed = placeOptions(core, namedCausal(options), []);
    return new LayerHandle(core, { options: placed, list: placeList(core, encodings), seed });
  } finally {
    core.end();
  }
}
