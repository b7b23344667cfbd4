import { KvCache, makeCache } from './cache.js';
import type { Core } from './core.js';
import { Encoding } from './encoding.js';
import { PosencError, describe } from './errors.js';
import { type AttentionCall, writeAttentionCall } from './generated/calls.js';
import type { AttentionOptions, KvCacheOptions } from './generated/options.js';
import { type HeadExtents, type Layout, joinHeads, readLayout, splitHeads } from './heads.js';
import { type Out, type Source, Target, type TensorLike, expectShape, place, readTensor } from './inputs.js';
import { type MaskLike, type PlacedMask, placeMask } from './mask.js';
import { checkOptions, fillDraft } from './options.js';
import { Owned } from './owned.js';
import { type NumberArray, noPositions, placeIntegers, readAnyPositions } from './positions.js';
import type { QueryKeyPositions } from './bias.js';
import { type RelationMatrix, placeRelationRecords } from './relations.js';
import { Tensor, isFloat32Array } from './tensor.js';
import type { AttentionHandle } from './wasm.js';

/** Options of attention, with the encodings that take part: any number of biases, at most one rotary encoding. */
export type AttentionConfig = AttentionOptions & { readonly encodings?: readonly Encoding<object>[] };

/** A stage of the scores: scale · q·k; after softcap; after biases and masks; after softmax. */
export type ScoreStage = 'raw' | 'capped' | 'biased' | 'weights';

/** What every call takes beside its tensors. Without leading axes the batch has one row. */
export interface AttentionCallOptions {
  /** 'heads' [.., heads, seq, dim] (default) or 'packed' [.., seq, heads · dim]: of all tensors of the call. */
  layout?: Layout;
  /** Which keys take part, or what is added to the scores. */
  mask?: MaskLike;
  /** [batch]: keys from there on are hidden, as in a batch padded on the right. */
  keyLengths?: NumberArray;
  /**
   * The place of query 0 among the keys, for all batch rows or one per row, instead of what `causal` says. Query i
   * stands at place qOffset + i; causal masks and windows go by it.
   */
  qOffset?: number | NumberArray;
  /** [seq] or [batch, seq]: a query sees keys of its own segment only. One array serves queries and keys alike. */
  segments?: NumberArray | { q: NumberArray; k: NumberArray };
  /** [heads]: a learned logit more in the softmax of every row, whose value is 0 (gpt-oss); -Infinity: none. */
  sinks?: TensorLike | Float32Array;
  /**
   * [seq] or [batch, seq] of 0 and 1: global tokens, which see all and are seen by all that causal and the other masks
   * allow, whatever the window (Longformer). One array serves queries and keys alike.
   */
  global?: NumberArray | { q?: NumberArray; k?: NumberArray };
  /** Positions for the encodings. Default: keys 0, 1, 2, ... and queries from their place among the keys. */
  positions?: QueryKeyPositions;
  /**
   * For encodings that read relations: ids of every query with every key, [qLen, kLen] or [batch, qLen, kLen]; keyed by
   * the encodings' names where several read them. With a cache, keys are all that it holds after the call.
   */
  relations?: RelationMatrix | Readonly<Record<string, RelationMatrix>>;
  /**
   * [heads]: with `logits: 'cosine'`, the logarithms of the factors on the cosines; beyond ln 100 they count as that.
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

/** Where gradients may go. */
export interface GradientPlaces {
  dq?: Out;
  dk?: Out;
  dv?: Out;
  dMask?: Out;
  dGateInput?: Out;
  dSinks?: Out;
}

/** What `backward` takes: tensors and options of the forward call, what it gave, and the gradient of `out`. */
export interface BackwardInputs<Into extends GradientPlaces = GradientPlaces> extends AttentionCallOptions {
  q: TensorLike;
  k: TensorLike;
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
  dq: Written<Into, 'dq'>;
  dk: Written<Into, 'dk'>;
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

/** @internal */
export const callOptions: readonly string[] = [
  'layout', 'mask', 'keyLengths', 'qOffset', 'segments', 'sinks', 'global', 'positions', 'relations', 'logitScale', 'gateInput',
];
const stages: readonly ScoreStage[] = ['raw', 'capped', 'biased', 'weights'];
const gradientInputs = ['q', 'k', 'v', 'out', 'lse', 'dOut', ...callOptions, 'into'];
const idle: AttentionCall = {
  attention: 0,
  batch: 0,
  qLen: 0,
  kLen: 0,
  packed: 0,
  firstHead: 0,
  headCount: 0,
  q: 0,
  k: 0,
  v: 0,
  maskKind: 0,
  maskRank: 0,
  mask: 0,
  maskShape: 0,
  keyLengths: 0,
  queryOffsets: 0,
  querySegments: 0,
  keySegments: 0,
  queryGlobal: 0,
  keyGlobal: 0,
  sinks: 0,
  query: noPositions,
  key: noPositions,
  relations: 0,
  logitScale: 0,
  gateInput: 0,
  stage: 0,
  out: 0,
  lse: 0,
  cache: 0,
  dOut: 0,
  dq: 0,
  dk: 0,
  dv: 0,
  dGateInput: 0,
  dMask: 0,
  dLogitScale: 0,
  dSinks: 0,
  gradients: 0,
  eachHead: 0,
};

/** @internal Tensors of a call as they were read, before any is copied. */
export interface Operands {
  readonly layout: Layout;
  readonly q: Source;
  readonly k: Source;
  readonly gateInput: Source | undefined;
  readonly query: HeadExtents;
  readonly key: HeadExtents;
}

/** Attention over any of the encodings: it computes in tiles, and never the matrix of scores unless it is asked for. */
export class Attention extends Owned {
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
    this.address = handle.address() >>> 0;
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
    try {
      const operands = this.#read(core, q, k, options);
      return this.#run(core, operands, v, options, undefined).out;
    } finally {
      core.reset();
    }
  }

  /**
   * The same, with what `backward` needs.
   * @returns out, and lse [.., heads, qLen]: the logarithm of the sum of exp(score), -Infinity where nothing is seen
   */
  forwardForGrad<Into extends Out = Tensor, Lse extends Out = Tensor>(
    q: TensorLike,
    k: TensorLike,
    v: TensorLike,
    options?: Omit<ForwardOptions<Into>, 'cache'> & { lse?: Lse },
  ): { out: Into; lse: Lse } {
    const core = this.liveCore();
    checkOptions(options, [...callOptions, 'into', 'lse'], 'options');
    try {
      const operands = this.#read(core, q, k, options);
      const { leading, heads, length } = operands.query;
      const lse = new Target(core, options?.lse, [...leading, heads, length], 'lse');
      const { out } = this.#run(core, operands, v, options, lse);
      return { out, lse: lse.finish() };
    } finally {
      core.reset();
    }
  }

  /** Gradients by recomputation: nothing was kept from the forward call. */
  backward<Into extends GradientPlaces = Record<never, never>>(inputs: BackwardInputs<Into>): AttentionGradients<Into> {
    const core = this.liveCore();
    checkOptions(inputs ?? null, gradientInputs, 'inputs');
    checkOptions(inputs.into, ['dq', 'dk', 'dv', 'dMask', 'dGateInput', 'dSinks'], 'into');
    try {
      return this.#backward(core, inputs);
    } finally {
      core.reset();
    }
  }

  /**
   * The scores at a stage, written out: for pictures.
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
    try {
      const operands = this.#read(core, q, k, options);
      const { leading, heads, length } = operands.query;
      const target = new Target(core, options?.into, [...leading, heads, length, operands.key.length]);
      target.apart(operands.q);
      target.apart(operands.k);
      if (operands.gateInput !== undefined) target.apart(operands.gateInput);
      const call = this.#place(core, operands, options, placeMask(core, options?.mask));
      writeAttentionCall(core, { ...call, stage: index, out: target.begin() });
      core.check(core.wasm._posenc_attention_scores(core.frame));
      return target.finish();
    } finally {
      core.reset();
    }
  }

  /** The attention weights: scores at their last stage. */
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
    try {
      const operands = this.#read(core, q, k, options);
      const value = this.#readValue(core, operands, v);
      const call = this.frame(core, operands, options, placeMask(core, options?.mask));
      // The tensors are not read: what matters is that they are there.
      writeAttentionCall(core, { ...call, q: core.frame, k: core.frame, v: core.frame });
      core.check(core.wasm._posenc_attention_check(core.frame));
      return { ...operands, v: value };
    } finally {
      core.reset();
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
    for (const source of [operands.q, operands.k, v, operands.gateInput]) {
      if (source === undefined) continue;
      target.apart(source);
      lse?.apart(source);
    }
    lse?.apartFrom(target);
    const call = this.#place(core, operands, options, placeMask(core, options?.mask));
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
    const into: GradientPlaces = inputs.into ?? {};
    const targets = {
      dq: new Target(core, into.dq, operands.q.shape, 'into.dq'),
      dk: new Target(core, into.dk, operands.k.shape, 'into.dk'),
      dv: new Target(core, into.dv, v.shape, 'into.dv'),
      dMask: mask.additive ? new Target(core, into.dMask, mask.shape, 'into.dMask') : undefined,
      dGateInput: operands.gateInput && new Target(core, into.dGateInput, operands.q.shape, 'into.dGateInput'),
      dSinks: inputs.sinks === undefined ? undefined : new Target(core, into.dSinks, [this.heads], 'into.dSinks'),
    };
    if (into.dMask !== undefined && targets.dMask === undefined) {
      throw new PosencError('unknownOption', 'into.dMask', 'a place', 'only where the mask is additive');
    }
    if (into.dGateInput !== undefined && targets.dGateInput === undefined) {
      throw new PosencError('unknownOption', 'into.dGateInput', 'a place', 'only where gateInput is given');
    }
    if (into.dSinks !== undefined && targets.dSinks === undefined) {
      throw new PosencError('unknownOption', 'into.dSinks', 'a place', 'only where sinks are given');
    }
    const all = Object.values(targets).filter((target) => target !== undefined);
    all.forEach((target, index) => {
      for (const source of [operands.q, operands.k, v, out, dOut, lse]) target.apart(source);
      if (operands.gateInput !== undefined) target.apart(operands.gateInput);
      for (const other of all.slice(0, index)) target.apartFrom(other);
    });

    const gradientBytes = this.encodings.map((encoding) => encoding.gradientBytes);
    const gradients = core.take(gradientBytes.reduce((sum, bytes) => sum + bytes, 0), 'encodings');
    const call = this.#place(core, operands, inputs, mask);
    const dLogitScale = call.logitScale === 0 ? undefined : new Target(core, undefined, [this.heads], 'logitScale');
    writeAttentionCall(core, {
      ...call,
      v: place(core, v),
      out: place(core, out),
      lse: place(core, lse),
      dOut: place(core, dOut),
      dq: targets.dq.begin(),
      dk: targets.dk.begin(),
      dv: targets.dv.begin(),
      dMask: targets.dMask?.begin() ?? 0,
      dGateInput: targets.dGateInput?.begin() ?? 0,
      dLogitScale: dLogitScale?.begin() ?? 0,
      dSinks: targets.dSinks?.begin() ?? 0,
      gradients,
    });
    core.check(core.wasm._posenc_attention_backward(core.frame));
    return {
      dq: targets.dq.finish(),
      dk: targets.dk.finish(),
      dv: targets.dv.finish(),
      ...(targets.dMask === undefined ? {} : { dMask: targets.dMask.finish() }),
      ...(targets.dGateInput === undefined ? {} : { dGateInput: targets.dGateInput.finish() }),
      ...(dLogitScale === undefined ? {} : { dLogitScale: dLogitScale.finish() }),
      ...(targets.dSinks === undefined ? {} : { dSinks: targets.dSinks.finish() }),
      params: this.#readGradients(core, gradients, gradientBytes),
    } as AttentionGradients<Into>;
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

  /** Copies q, k and the options of the call; the frame but for what differs between calls. */
  #place(
    core: Core,
    { layout, q, k, gateInput, query, key }: Operands,
    options: (AttentionCallOptions & { readonly cache?: KvCache }) | undefined,
    mask: PlacedMask,
  ): AttentionCall {
    const frame = this.frame(core, { layout, query, key }, options, mask);
    return { ...frame, q: place(core, q), k: place(core, k), gateInput: gateInput === undefined ? 0 : place(core, gateInput) };
  }

  /** @internal Copies the options of a call: its frame but for its tensors. */
  frame(
    core: Core,
    { layout, query, key }: Pick<Operands, 'layout' | 'query' | 'key'>,
    options: (AttentionCallOptions & { readonly cache?: KvCache }) | undefined,
    { maskKind, maskRank, mask, maskShape }: PlacedMask,
    axes: number = this.axes,
  ): AttentionCall {
    const { keyLengths, qOffset, segments, sinks, global, positions, relations, logitScale, cache } = options ?? {};
    const { batch } = query;
    checkOptions(positions, ['q', 'k'], 'positions');
    const keys = cache === undefined ? key.length : cache.lengthAfter(key.length, keyLengths);
    const { q: querySegments, k: keySegments } = splitSegments(segments);
    const { q: queryGlobal, k: keyGlobal } = splitGlobal(global);
    return {
      ...idle,
      attention: this.address,
      batch,
      qLen: query.length,
      kLen: key.length,
      packed: layout === 'packed' ? 1 : 0,
      maskKind,
      maskRank,
      mask,
      maskShape,
      keyLengths: placeIntegers(core, keyLengths, batch, 'keyLengths'),
      queryOffsets: placeIntegers(core, perRow(qOffset, batch), batch, 'qOffset'),
      querySegments: placeIntegers(core, eachRow(querySegments, query.length, batch), batch * query.length, 'segments.q'),
      keySegments: placeIntegers(core, eachRow(keySegments, keys, batch), batch * keys, 'segments.k'),
      queryGlobal: placeIntegers(core, eachRow(queryGlobal, query.length, batch), batch * query.length, 'global.q'),
      keyGlobal: placeIntegers(core, eachRow(keyGlobal, keys, batch), batch * keys, 'global.k'),
      sinks: sinks === undefined ? 0 : place(core, readSinks(core, sinks, this.heads)),
      query: positions?.q === undefined ? noPositions : readAnyPositions(core, positions.q, query.length, batch, axes, 'positions.q'),
      key: positions?.k === undefined ? noPositions : readAnyPositions(core, positions.k, key.length, batch, axes, 'positions.k'),
      relations: placeRelationRecords(core, this.encodings, relations, { queries: query.length, keys, batch }),
      logitScale: placeScales(core, logitScale, this.heads),
    };
  }
}

/** @internal */
export function makeAttention(core: Core, options: AttentionConfig): Attention {
  if (typeof options !== 'object' || options === null) {
    throw new PosencError('invalidType', 'options', describe(options), 'an object of options');
  }
  const encodings = checkEncodings(core, options.encodings ?? []);
  const draft = core.made(core.wasm.OptionsDraft.ofAttention());
  try {
    fillDraft(core, draft, namedCausal(options), ['encodings']);
    const list = core.take(4 * encodings.length, 'encodings');
    core.views.i32.set(encodings.map(({ address }) => address), list >>> 2);
    const { encodings: _, ...own } = options;
    return new Attention(core, core.made(core.wasm.AttentionHandle.make(draft, list, encodings.length)), encodings, own);
  } finally {
    draft.delete();
    core.reset();
  }
}

/** @internal Options with `causal` by name. */
export function namedCausal(options: object): object {
  const { causal } = options as { causal?: unknown };
  return typeof causal === 'boolean' ? { ...options, causal: causal ? 'bottomRight' : 'off' } : options;
}

/** @internal The index of a stage. */
export function readStage(stage: ScoreStage): number {
  const index = stages.indexOf(stage);
  if (index >= 0) return index;
  const code = typeof stage === 'string' ? 'outOfRange' : 'invalidType';
  throw new PosencError(code, 'stage', describe(stage), `one of ${stages.join(', ')}`);
}

/** @internal */
export function checkEncodings(core: Core, encodings: unknown): readonly Encoding<object>[] {
  if (!Array.isArray(encodings)) {
    throw new PosencError('invalidType', 'encodings', describe(encodings), 'an array of encodings');
  }
  const names = new Set<string>();
  encodings.forEach((encoding: unknown, index) => {
    const parameter = `encodings[${index}]`;
    if (!(encoding instanceof Encoding)) {
      throw new PosencError('invalidType', parameter, describe(encoding), 'an encoding that posenc made');
    }
    encoding.coreOf(parameter, core);
    if (names.has(encoding.name)) {
      throw new PosencError('outOfRange', `${parameter}.name`, describe(encoding.name), 'a name that no other encoding here has');
    }
    names.add(encoding.name);
  });
  return Object.freeze([...(encodings as Encoding<object>[])]);
}

/** @internal */
export function readCache(core: Core, attention: Attention, cache: unknown): KvCache | undefined {
  if (cache === undefined || cache instanceof KvCache) return cache?.ownedBy(attention, core);
  throw new PosencError('invalidType', 'cache', describe(cache), 'what attention.cache() made');
}

function expectBatch(a: HeadExtents, b: HeadExtents, source: Source): void {
  if (a.batch === b.batch) return;
  throw new PosencError('shapeMismatch', source.parameter, `${b.batch} batch rows`, `${a.batch}, as many as the queries have`);
}

/** A number per head in wasm memory; 0 where they were not given. */
function placeScales(core: Core, scales: TensorLike | Float32Array | undefined, heads: number): number {
  if (scales === undefined) return 0;
  const source = readTensor(core, isFloat32Array(scales) ? { data: scales, shape: [scales.length] } : scales, 'logitScale');
  if (source.size !== heads) throw new PosencError('shapeMismatch', 'logitScale', `${source.size} numbers`, `${heads}, one per head`);
  return place(core, source);
}

function splitSegments(segments: AttentionCallOptions['segments']): { q?: NumberArray; k?: NumberArray } {
  if (segments === undefined) return {};
  if (Array.isArray(segments) || ArrayBuffer.isView(segments)) return { q: segments as NumberArray, k: segments as NumberArray };
  checkOptions(segments, ['q', 'k'], 'segments');
  const { q, k } = segments as { q: NumberArray; k: NumberArray };
  if (q === undefined || k === undefined) {
    throw new PosencError('missingOption', `segments.${q === undefined ? 'q' : 'k'}`, 'nothing', 'segments of both queries and keys');
  }
  return { q, k };
}

function splitGlobal(global: AttentionCallOptions['global']): { q?: NumberArray; k?: NumberArray } {
  if (global === undefined) return {};
  if (Array.isArray(global) || ArrayBuffer.isView(global)) return { q: global as NumberArray, k: global as NumberArray };
  checkOptions(global, ['q', 'k'], 'global');
  return global as { q?: NumberArray; k?: NumberArray };
}

function readSinks(core: Core, sinks: TensorLike | Float32Array, heads: number): Source {
  const source = readTensor(core, isFloat32Array(sinks) ? { data: sinks, shape: [sinks.length] } : sinks, 'sinks');
  expectShape(source, [heads], 'heads');
  return source;
}

/** One number for all rows, or one each. */
function perRow(value: number | NumberArray | undefined, batch: number): NumberArray | undefined {
  return typeof value === 'number' ? new Array<number>(batch).fill(value) : value;
}

/** Numbers of one row, repeated for the others. */
function eachRow(values: NumberArray | undefined, length: number, batch: number): NumberArray | undefined {
  if (values === undefined || batch === 1 || values.length !== length) return values;
  return Array.from({ length: batch }, () => Array.from(values as ArrayLike<number>)).flat();
}
