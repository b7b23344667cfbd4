import { Attention } from './attention.js';
import { callOptions, checkEncodings, namedCausal, placeList, readStage } from './attention-call.js';
import type { ScoreStage } from './attention-types.js';
import { type KvCache, readCache } from './cache.js';
import { readCallTensors, sourcesOf } from './call-tensors.js';
import type { Core } from './core.js';
import { type Encoding, checkSeed } from './encoding.js';
import { PosencError, describe } from './errors.js';
import type { AttentionLayerOptions, KvCacheOptions } from './generated/options.js';
import { AttentionHandle, EncodingHandle, LayerHandle } from './handles.js';
import { Kind } from './generated/names.js';
import { type Out, type Source, Target, type TensorLike, keepApart } from './inputs.js';
import { runBackward } from './layer-backward.js';
import { type CalledLayer, type Operands, readTokens, writeCall } from './layer-call.js';
import type { AttentionLayerConfig, LayerBackwardInputs, LayerCallOptions, LayerForward, LayerForwardOptions, LayerGradientPlaces, LayerGradients } from './layer-types.js';
import { LayerTensors, type LayerWeights } from './layer-weights.js';
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
  readonly #called: CalledLayer & { readonly outDim: number };
  readonly #tensors: LayerTensors;

  /** @internal */
  constructor(core: Core, handle: LayerHandle, parts: LayerParts, values: LayerWeights | undefined) {
    const { attention, weights, encodings, options, seed } = parts;
    super(core, 'layers', () => {
      if (!attention.disposed) attention.dispose();
      weights.delete();
      handle.delete();
    });
    this.#tensors = new LayerTensors(handle, weights, encodings);
    this.dim = handle.dim();
    this.contextDim = handle.contextDim();
    this.outDim = handle.outWidth();
    const inputAxes = Math.max(1, ...encodings.filter(({ family }) => family === 'input').map(({ axes }) => axes));
    this.#called = { address: handle.address, attention, inputAxes, outDim: this.outDim };
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
      const operands = readTokens(core, this, x, options?.context);
      const tensors = readCallTensors(core, options, this.heads);
      const target = this.#target(core, operands, options?.into, sourcesOf(tensors));
      const cache = readCache(core, this.#called.attention, options?.cache);
      const out = target.begin();
      writeCall(core, this.#called, operands, options, tensors, { out }, { cache: cache?.address ?? 0 });
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
      const operands = readTokens(core, this, x, options?.context);
      const { leading, heads, length } = operands.query;
      const tensors = readCallTensors(core, options, this.heads);
      const sources = sourcesOf(tensors);
      const out = this.#target(core, operands, options?.into, sources);
      const attended = new Target(core, options?.attended, [...leading, length, heads * this.valueDim], 'attended');
      const lse = new Target(core, options?.lse, [...leading, heads, length], 'lse');
      keepApart([operands.x, operands.context, ...sources], [out, attended, lse]);
      const places = { out: out.begin(), attended: attended.begin() };
      writeCall(core, this.#called, operands, options, tensors, places, { lse: lse.begin() });
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
      return runBackward(core, this.#called, this.#tensors, readTokens(core, this, inputs.x, inputs.context), inputs);
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
      const operands = readTokens(core, this, x, options?.context);
      const { leading, heads, length } = operands.query;
      const target = new Target(core, options?.into, [...leading, heads, length, operands.key.length]);
      const tensors = readCallTensors(core, options, this.heads);
      keepApart([operands.x, operands.context, ...sourcesOf(tensors)], [target]);
      writeCall(core, this.#called, operands, options, tensors, { out: target.begin() }, { stage: index });
      core.check(core.wasm._posenc_layer_scores(core.frame));
      return target.finish();
    } finally {
      core.end();
    }
  }

  /** A cache for keys and values of the tokens seen so far. It must not outlive the layer. */
  cache(options?: KvCacheOptions): KvCache {
    this.#liveCore();
    return this.#called.attention.cache(options);
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

  #target<Into extends Out>(core: Core, operands: Operands, into: Into | undefined, sources: readonly (Source | undefined)[]): Target<Into> {
    const target = new Target(core, into, [...operands.query.leading, operands.query.length, this.outDim]);
    keepApart([operands.x, operands.context, ...sources], [target]);
    return target;
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
