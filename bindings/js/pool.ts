import { Attention } from './attention.js';
import type { Operands } from './attention-operands.js';
import type { AttentionCallOptions, AttentionForward, AttentionGradients, BackwardInputs, ForwardOptions, GradientPlaces } from './attention-types.js';
import type { Core } from './core.js';
import type { Variant } from './detect.js';
import { PosencError, describe } from './errors.js';
import { joinHeads } from './heads.js';
import { type Out, type Source, Target, type TensorLike, expectShape, readTensor } from './inputs.js';
import { checkOptions, requireOptions } from './options.js';
import { Crew, type Watched } from './pool/crew.js';
import { cutPieces, planParts } from './pool/cut.js';
import { buffersOf, maskOf, numbersIn, planOf, sharedOf } from './pool/portable.js';
import type { Arrays } from './pool/protocol.js';
import type { PoolCall, PoolHost, PoolOptions } from './pool/types.js';
import { Tensor, isFloat32Array } from './tensor.js';

/** What a call was checked to have. */
type Checked = Operands & { v: Source };

/** What a call is beside its tensors and options: a backward pass has others `upstream`. */
interface Pass extends Watched {
  readonly withLse?: boolean;
  readonly upstream?: Record<string, Source>;
}

const gradientNames = ['dq', 'dk', 'dv', 'dMask', 'dGateInput', 'dSinks'] as const;
type GradientName = (typeof gradientNames)[number];

/**
 * Workers that share the work of attention over batch rows and groups of heads. Each has an instance of its own, so
 * that nothing is asked of the page or its server. Results are those of one instance, bit for bit.
 */
export class Pool {
  /** @internal Minifying takes the name that consoles show. */
  static readonly name = 'Pool';
  /** How many compute. One more divides the work and puts the results together. */
  readonly workers: number;
  readonly #core: Core;
  readonly #crew: Crew;
  readonly #known = new WeakMap<Attention, number>();
  /** Workers forget an attention when the page has. */
  readonly #forgotten =
    typeof FinalizationRegistry === 'function'
      ? new FinalizationRegistry<number>((id) => this.#crew.tell({ kind: 'forget', id }))
      : undefined;

  /** @internal */
  constructor(core: Core, variant: Variant, host: PoolHost, options: PoolOptions | undefined) {
    checkOptions(options, ['workers', 'worker'], 'options');
    this.#core = core;
    this.#crew = new Crew(core, variant, host, options);
    this.workers = this.#crew.size;
  }

  /** As `attention.forward`, without a cache. */
  async forward<Into extends Out = Tensor>(
    attention: Attention,
    q: TensorLike,
    k: TensorLike,
    v: TensorLike,
    options: Omit<ForwardOptions<Into>, 'cache'> & PoolCall = {},
  ): Promise<Into> {
    const { into, signal, onProgress, ...call } = readOptions(options);
    const read = this.#check(attention, q, k, v, call);
    const out = this.#target(read, attention, into);
    const { out: data } = await this.#run(attention, read, call, { signal, onProgress });
    return out.accept(data as Float32Array);
  }

  /** As `attention.forwardForGrad`. */
  async forwardForGrad<Into extends Out = Tensor, Lse extends Out = Tensor>(
    attention: Attention,
    q: TensorLike,
    k: TensorLike,
    v: TensorLike,
    options: Omit<ForwardOptions<Into>, 'cache'> & { lse?: Lse } & PoolCall = {},
  ): Promise<AttentionForward<Into, Lse>> {
    const { into, lse: lseInto, signal, onProgress, ...call } = readOptions(options);
    const read = this.#check(attention, q, k, v, call);
    const out = this.#target(read, attention, into);
    const lse = new Target(this.#core, lseInto, lseShape(read), 'lse').later();
    lse.apartFrom(out);
    for (const source of inputsOf(read)) lse.apart(source);
    const result = await this.#run(attention, read, call, { signal, onProgress, withLse: true });
    return { out: out.accept(result['out'] as Float32Array), lse: lse.accept(result['lse'] as Float32Array) };
  }

  /** As `attention.backward`. */
  async backward<Into extends GradientPlaces = Record<never, never>>(
    attention: Attention,
    inputs: BackwardInputs<Into> & PoolCall,
  ): Promise<AttentionGradients<Into>> {
    requireOptions(inputs, Object.keys(inputs ?? {}), 'inputs');
    const { q, k, v, out, lse, dOut, into, signal, onProgress, ...call } = inputs;
    const read = this.#check(attention, q, k, v, call);
    const shape = joinHeads(read.query, read.layout, attention.valueDim);
    const upstream = { out: readTensor(this.#core, out, 'out'), lse: readTensor(this.#core, lse, 'lse'), dOut: readTensor(this.#core, dOut, 'dOut') };
    expectShape(upstream.out, shape, 'shape of out');
    expectShape(upstream.dOut, shape, 'shape of out');
    expectShape(upstream.lse, lseShape(read), '.., heads, qLen');
    const additive = isFloat32Array(maskOf(call.mask)?.data);
    const shapes = {
      dq: read.q.shape,
      dk: read.k.shape,
      dv: read.v.shape,
      dMask: additive ? maskOf(call.mask)?.shape : undefined,
      dGateInput: read.gateInput?.shape,
      dSinks: call.sinks === undefined ? undefined : [attention.heads],
    };
    const targets = this.#gradientTargets(into, shapes, [...inputsOf(read), ...Object.values(upstream)]);
    const result = await this.#run(attention, read, call, { signal, onProgress, upstream });
    const gradients: Record<string, unknown> = Object.fromEntries(targets.map(([name, target]) => [name, target.accept(result[name] as Float32Array)]));
    if (result['dLogitScale'] !== undefined) gradients['dLogitScale'] = new Tensor(result['dLogitScale'], [attention.heads]);
    return { ...gradients, params: parameterGradients(attention, result['params']) } as AttentionGradients<Into>;
  }

  /** Stops the workers. Calls that have not ended are rejected. */
  dispose(): void {
    const { failure } = this.#crew;
    if (failure?.code === 'disposed') throw failure;
    this.#crew.end(new PosencError('disposed', 'pool', 'a disposed pool', 'one that was not disposed'));
  }

  /** The same at the end of a `using` block; a pool that was disposed already is left alone. */
  [Symbol.dispose](): void {
    if (this.#crew.failure?.code !== 'disposed') this.dispose();
  }

  #check(attention: Attention, q: TensorLike, k: TensorLike, v: TensorLike, options: AttentionCallOptions): Checked {
    if (this.#crew.failure !== undefined) throw this.#crew.failure;
    if (!(attention instanceof Attention)) {
      throw new PosencError('invalidType', 'attention', describe(attention), 'what posenc.attention() made');
    }
    attention.coreOf('attention', this.#core);
    return attention.check(q, k, v, options);
  }

  #target<Into extends Out>(read: Checked, attention: Attention, into: Into | undefined): Target<Into> {
    const target = new Target(this.#core, into, joinHeads(read.query, read.layout, attention.valueDim)).later();
    for (const source of inputsOf(read)) target.apart(source);
    return target;
  }

  #gradientTargets(
    into: GradientPlaces | undefined,
    shapes: Record<GradientName, readonly number[] | undefined>,
    inputs: readonly Source[],
  ): [GradientName, Target<Out>][] {
    checkOptions(into, gradientNames, 'into');
    const targets = gradientNames.flatMap((name): [GradientName, Target<Out>][] => {
      const shape = shapes[name];
      const place = into?.[name];
      if (shape !== undefined) return [[name, new Target<Out>(this.#core, place, shape, `into.${name}`).later()]];
      if (place === undefined) return [];
      throw new PosencError('unknownOption', `into.${name}`, 'a place', `only where ${onlyWhere[name] ?? ''}`);
    });
    targets.forEach(([, target], index) => {
      for (const source of inputs) target.apart(source);
      for (const [, other] of targets.slice(0, index)) target.apartFrom(other);
    });
    return targets;
  }

  /** Hands the call to the worker that leads. Everything about it was checked. */
  #run(attention: Attention, read: Checked, options: AttentionCallOptions, pass: Pass): Promise<Arrays> {
    const { withLse = false, upstream } = pass;
    const { q, k, v, gateInput } = read;
    const sources = { q, k, v, ...(gateInput ? { gateInput } : {}), ...upstream };
    return this.#crew.work(pass, (id) => {
      const shared = sharedOf(attention, read, options, { backward: upstream !== undefined, withLse });
      const parts = planParts(shared, this.workers);
      this.#crew.tell({ kind: 'call', id, call: { attention: this.#numberOf(attention), shared, parts } });
      // Work begins with the first piece, while the others are still copied.
      const wholes = Object.fromEntries(Object.entries(sources).map(([name, source]) => [name, numbersIn(this.#core, source)]));
      for (const part of parts) {
        const tensors = cutPieces(wholes, shared, part);
        this.#crew.tell({ kind: 'piece', id, tensors }, buffersOf(tensors));
      }
    });
  }

  /** What the workers know an attention by. */
  #numberOf(attention: Attention): number {
    const known = this.#known.get(attention);
    if (known !== undefined) return known;
    const id = this.#crew.number();
    this.#crew.tell({ kind: 'attention', id, plan: planOf(attention) });
    this.#known.set(attention, id);
    this.#forgotten?.register(attention, id);
    return id;
  }
}

/** When a call has a gradient that not every call has. */
const onlyWhere: Partial<Record<GradientName, string>> = {
  dMask: 'the mask is additive',
  dGateInput: 'gateInput is given',
  dSinks: 'sinks are given',
};

function inputsOf({ q, k, v, gateInput }: Checked): Source[] {
  return gateInput === undefined ? [q, k, v] : [q, k, v, gateInput];
}

/** An object of options, of which every name is known to someone. */
function readOptions<Options extends object>(options: Options): Options {
  requireOptions(options, Object.keys(options ?? {}), 'options');
  return options;
}

function lseShape({ query }: Operands): number[] {
  return [...query.leading, query.heads, query.length];
}

/** The sums of all heads, one encoding's tensors after the other's. */
function parameterGradients(attention: Attention, sums: Float32Array = new Float32Array(0)): Record<string, Tensor> {
  let at = 0;
  const entries = attention.encodings.flatMap((encoding) =>
    encoding.slots.filter(({ trained }) => trained).map(({ name, shape }): [string, Tensor] => {
      const size = shape.reduce((product, extent) => product * extent, 1);
      return [`${encoding.name}.${name}`, new Tensor(sums.slice(at, (at += size)), shape)];
    }),
  );
  return Object.fromEntries(entries);
}
