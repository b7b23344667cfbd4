import { Attention } from './attention.js';
import type { Operands } from './attention-call.js';
import type { AttentionCallOptions, AttentionGradients, BackwardInputs, ForwardOptions, GradientPlaces } from './attention-types.js';
import type { Core } from './core.js';
import { PosencError, describe } from './errors.js';
import { joinHeads } from './heads.js';
import { type Out, type Source, Target, type TensorLike, expectShape, readTensor, shapeOf } from './inputs.js';
import { checkOptions } from './options.js';
import { cutPieces, planParts } from './pool/cut.js';
import type { Arrays, Call, ErrorPlan, FromLead, MaskPlan, Shared, ToHand, ToLead } from './pool/protocol.js';
import type { Variant } from './detect.js';
import { HeapTensor, Tensor, isFloat32Array } from './tensor.js';

/** A worker of a page or of Node.js. */
export interface PoolWorker {
  postMessage(message: unknown, transfer?: never[]): void;
  terminate(): unknown;
}

export interface PoolOptions {
  /** How many compute, 1 to 64. Default: one per core that the platform tells of. */
  workers?: number;
  /**
   * Makes a worker that runs `posenc/worker`, where the library cannot find that file itself: in a bundle whose
   * bundler does not follow `new Worker(new URL(…))`, or on a page that takes the library from another origin.
   */
  worker?: () => PoolWorker;
}

/** What every call of a pool takes beside the options of attention. */
export interface PoolCall {
  /** Ends the call: it is checked between heads, and the promise is rejected with the signal's reason. */
  signal?: AbortSignal;
  /** Told how many heads of batch rows are done, of how many. */
  onProgress?: (done: number, total: number) => void;
}

/** @internal What a pool needs of its platform. */
export interface PoolHost {
  /** Starts the file `worker` beside the library. */
  spawn(): PoolWorker;
  cores(): number;
}

interface Pending {
  resolve(result: Arrays): void;
  reject(reason: unknown): void;
  readonly onProgress: PoolCall['onProgress'];
}

interface RunOptions {
  readonly signal: AbortSignal | undefined;
  readonly onProgress: PoolCall['onProgress'];
  readonly withLse?: boolean;
  /** Of a backward pass. */
  readonly upstream?: Record<string, Source>;
}

const gradientNames = ['dq', 'dk', 'dv', 'dMask', 'dSinks'] as const;

/**
 * Workers that share the work of attention over batch rows and groups of heads. Each has an instance of its own, so
 * that nothing is asked of the page or its server. Results are those of one instance, bit for bit.
 */
export class Pool {
  /** How many compute. One more divides the work and puts the results together. */
  readonly workers: number;
  readonly #core: Core;
  readonly #all: readonly PoolWorker[];
  readonly #pending = new Map<number, Pending>();
  readonly #known = new WeakMap<Attention, number>();
  /** Workers forget an attention when the page has. */
  readonly #forgotten =
    typeof FinalizationRegistry === 'function'
      ? new FinalizationRegistry<number>((id) => this.#tell({ kind: 'forget', id }))
      : undefined;
  #next = 1;
  #failure: PosencError | undefined;

  /** @internal */
  constructor(core: Core, variant: Variant, host: PoolHost, options: PoolOptions | undefined) {
    checkOptions(options, ['workers', 'worker'], 'options');
    this.#core = core;
    this.workers = readWorkers(options?.workers, host);
    const spawn = options?.worker ?? host.spawn;
    const made: PoolWorker[] = [];
    try {
      for (let i = 0; i <= this.workers; i++) made.push(spawn());
    } catch (error) {
      for (const worker of made) worker.terminate();
      throw new PosencError('workerFailed', 'workers', String(error), 'a platform that starts workers', error);
    }
    this.#all = made;
    for (const worker of made) this.#watch(worker);
    this.#introduce(made.slice(1), variant);
  }

  /** As `attention.forward`, without a cache. */
  async forward<Into extends Out = Tensor>(
    attention: Attention,
    q: TensorLike,
    k: TensorLike,
    v: TensorLike,
    options: Omit<ForwardOptions<Into>, 'cache'> & PoolCall = {},
  ): Promise<Into> {
    const { into, signal, onProgress, ...call } = options;
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
  ): Promise<{ out: Into; lse: Lse }> {
    const { into, lse: lseInto, signal, onProgress, ...call } = options;
    const read = this.#check(attention, q, k, v, call);
    const out = this.#target(read, attention, into);
    const lse = new Target(this.#core, lseInto, lseShape(read), 'lse').later();
    lse.apartFrom(out);
    for (const source of [read.q, read.k, read.v]) lse.apart(source);
    const result = await this.#run(attention, read, call, { signal, onProgress, withLse: true });
    return { out: out.accept(result['out'] as Float32Array), lse: lse.accept(result['lse'] as Float32Array) };
  }

  /** As `attention.backward`. */
  async backward<Into extends GradientPlaces = Record<never, never>>(
    attention: Attention,
    inputs: BackwardInputs<Into> & PoolCall,
  ): Promise<AttentionGradients<Into>> {
    checkOptions(inputs ?? null, Object.keys(inputs ?? {}), 'inputs');
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
      dSinks: call.sinks === undefined ? undefined : [attention.heads],
    };
    const targets = this.#gradientTargets(into, shapes, [read.q, read.k, read.v, ...Object.values(upstream)]);
    const result = await this.#run(attention, read, call, { signal, onProgress, upstream });
    const gradients: Record<string, unknown> = Object.fromEntries(targets.map(([name, target]) => [name, target.accept(result[name] as Float32Array)]));
    if (result['dLogitScale'] !== undefined) gradients['dLogitScale'] = new Tensor(result['dLogitScale'], [attention.heads]);
    return { ...gradients, params: parameterGradients(attention, result['params']) } as AttentionGradients<Into>;
  }

  /** Stops the workers. Calls that have not ended are rejected. */
  dispose(): void {
    if (this.#failure?.code === 'disposed') throw this.#failure;
    this.#end(new PosencError('disposed', 'pool', 'a disposed pool', 'one that was not disposed'));
  }

  [Symbol.dispose](): void {
    if (this.#failure?.code !== 'disposed') this.dispose();
  }

  #check(attention: Attention, q: TensorLike, k: TensorLike, v: TensorLike, options: AttentionCallOptions): Operands & { v: Source } {
    if (this.#failure !== undefined) throw this.#failure;
    if (!(attention instanceof Attention)) {
      throw new PosencError('invalidType', 'attention', describe(attention), 'what posenc.attention() made');
    }
    attention.coreOf('attention', this.#core);
    return attention.check(q, k, v, options);
  }

  #target<Into extends Out>(read: Operands & { v: Source }, attention: Attention, into: Into | undefined): Target<Into> {
    const target = new Target(this.#core, into, joinHeads(read.query, read.layout, attention.valueDim)).later();
    for (const source of [read.q, read.k, read.v]) target.apart(source);
    return target;
  }

  #gradientTargets(into: GradientPlaces | undefined, shapes: Record<string, readonly number[] | undefined>, inputs: readonly Source[]): [string, Target<Out>][] {
    checkOptions(into, gradientNames, 'into');
    const targets = gradientNames.flatMap((name): [string, Target<Out>][] => {
      const shape = shapes[name];
      const place = into?.[name];
      if (shape !== undefined) return [[name, new Target<Out>(this.#core, place, shape, `into.${name}`).later()]];
      if (place === undefined) return [];
      throw new PosencError('unknownOption', `into.${name}`, 'a place', name === 'dMask' ? 'only where the mask is additive' : 'only where sinks are given');
    });
    targets.forEach(([, target], index) => {
      for (const source of inputs) target.apart(source);
      for (const [, other] of targets.slice(0, index)) target.apartFrom(other);
    });
    return targets;
  }

  /** Hands the call to the worker that leads. Everything about it was checked. */
  async #run(
    attention: Attention,
    read: Operands & { v: Source },
    options: AttentionCallOptions,
    { signal, onProgress, withLse = false, upstream }: RunOptions,
  ): Promise<Arrays> {
    checkCall(signal, onProgress);
    signal?.throwIfAborted();
    const { mask, layout: _, ...rest } = options;
    const { heads, kvHeads, headDim, valueDim } = attention;
    const { query, key } = read;
    const sources = { q: read.q, k: read.k, v: read.v, ...upstream };
    const shared: Shared = {
      backward: upstream !== undefined,
      withLse,
      layout: read.layout,
      extents: { batch: query.batch, heads, kvHeads, qLen: query.length, kLen: key.length, headDim, valueDim },
      options: portable(rest) as object,
      mask: maskOf(mask),
      parameters: attention.encodings.map((encoding) => numbersOf(encoding.parameters)),
    };
    const call: Call = { attention: this.#numberOf(attention), shared, parts: planParts(shared, this.workers) };
    const id = this.#next++;
    const abort = (): void => {
      this.#pending.get(id)?.reject(signal?.reason);
      this.#tell({ kind: 'abort', id });
    };
    try {
      return await new Promise<Arrays>((resolve, reject) => {
        this.#pending.set(id, { resolve, reject, onProgress });
        if (this.#pending.size === 1) hold(this.#all[0], true);
        signal?.addEventListener('abort', abort, { once: true });
        this.#tell({ kind: 'call', id, call });
        // Work begins with the first piece, while the others are still copied.
        const wholes = Object.fromEntries(Object.entries(sources).map(([name, source]) => [name, this.#numbersIn(source)]));
        for (const part of call.parts) {
          const tensors = cutPieces(wholes, shared, part);
          this.#tell({ kind: 'piece', id, tensors }, buffersOf(tensors));
        }
      });
    } finally {
      signal?.removeEventListener('abort', abort);
      this.#pending.delete(id);
      if (this.#pending.size === 0) hold(this.#all[0], false);
    }
  }

  /** What the workers know an attention by. */
  #numberOf(attention: Attention): number {
    const known = this.#known.get(attention);
    if (known !== undefined) return known;
    const id = this.#next++;
    const encodings = attention.encodings.map((encoding) => {
      const { weights: _, ...options } = encoding.options as Record<string, unknown>;
      return { id: encoding.id, options: { ...options, name: encoding.name, seed: encoding.seed } };
    });
    this.#tell({ kind: 'attention', id, plan: { options: attention.options, encodings } });
    this.#known.set(attention, id);
    this.#forgotten?.register(attention, id);
    return id;
  }

  #numbersIn({ data, address, size }: Source): Float32Array {
    return data ?? this.#core.views.f32.subarray(address >>> 2, (address >>> 2) + size);
  }

  #tell(message: ToLead, transfer: Transferable[] = []): void {
    if (this.#failure === undefined) this.#all[0]?.postMessage(message, transfer as never[]);
  }

  #hear(message: FromLead): void {
    const call = this.#pending.get(message.id);
    if ('done' in message) call?.onProgress?.(message.done, message.total);
    else if ('error' in message) call?.reject(errorOf(message.error));
    else call?.resolve(message.result);
  }

  /** Gives each worker its part: the first leads, the others compute, with a channel between them. */
  #introduce(hands: readonly PoolWorker[], variant: Variant): void {
    const channels = hands.map(() => new MessageChannel());
    const ports = channels.map(({ port1 }) => port1);
    this.#tell({ kind: 'lead', hands: ports }, ports);
    hands.forEach((hand, index) => {
      const { port2 } = channels[index] as MessageChannel;
      const message: ToHand = { kind: 'hand', variant, module: this.#core.module, port: port2 };
      try {
        hand.postMessage(message, [port2] as never[]);
      } catch {
        hand.postMessage({ ...message, module: undefined }, [port2] as never[]);
      }
    });
  }

  #watch(worker: PoolWorker): void {
    const failed = (reason: unknown): void => {
      const text = String((reason as { message?: unknown }).message ?? 'a worker that did not start');
      this.#end(new PosencError('workerFailed', 'workers', text, 'workers that run posenc/worker', reason));
    };
    const heard = (message: FromLead | { failed: string }): void => {
      if ('failed' in message) failed({ message: message.failed });
      else this.#hear(message);
    };
    if ('on' in worker) {
      const { on } = worker as unknown as { on: (event: string, listener: (value: never) => void) => void };
      on.call(worker, 'message', heard);
      on.call(worker, 'error', failed);
      hold(worker, false);
    } else {
      const page = worker as unknown as EventTarget;
      page.addEventListener('message', (event) => heard((event as MessageEvent<FromLead>).data));
      page.addEventListener('error', failed);
      page.addEventListener('messageerror', failed);
    }
  }

  #end(reason: PosencError): void {
    this.#failure = reason;
    for (const worker of this.#all) worker.terminate();
    for (const { reject } of this.#pending.values()) reject(reason);
  }
}

// As for owned objects: where the platform has no Symbol.dispose, the method got the name "undefined".
if (typeof Symbol.dispose !== 'symbol') Reflect.deleteProperty(Pool.prototype, 'undefined');

/** Node.js goes on as long as a worker is held: only while a call is under way. */
function hold(worker: PoolWorker | undefined, held: boolean): void {
  const node = worker as { ref?: () => void; unref?: () => void } | undefined;
  if (held) node?.ref?.();
  else node?.unref?.();
}

function checkCall(signal: unknown, onProgress: unknown): void {
  if (signal !== undefined && typeof (signal as AbortSignal | null)?.addEventListener !== 'function') {
    throw new PosencError('invalidType', 'signal', describe(signal), 'an AbortSignal');
  }
  if (onProgress !== undefined && typeof onProgress !== 'function') {
    throw new PosencError('invalidType', 'onProgress', describe(onProgress), 'a function');
  }
}

function readWorkers(workers: unknown, host: PoolHost): number {
  if (workers === undefined) return Math.min(64, Math.max(1, host.cores()));
  const allowed = 'a whole number from 1 to 64';
  if (typeof workers !== 'number') throw new PosencError('invalidType', 'workers', describe(workers), allowed);
  if (!Number.isInteger(workers) || workers < 1 || workers > 64) throw new PosencError('outOfRange', 'workers', describe(workers), allowed);
  return workers;
}

function lseShape({ query }: Operands): number[] {
  return [...query.leading, query.heads, query.length];
}

function errorOf({ code, parameter, received, allowed }: ErrorPlan): PosencError {
  return new PosencError(code, parameter, received, allowed);
}

function numbersOf(parameters: object): Arrays {
  return Object.fromEntries(Object.entries(parameters as Record<string, Tensor>).map(([name, { data }]) => [name, data]));
}

function buffersOf(arrays: Arrays): Transferable[] {
  return Object.values(arrays).map(({ buffer }) => buffer as ArrayBuffer);
}

function maskOf(mask: AttentionCallOptions['mask']): MaskPlan | undefined {
  if (mask === undefined) return undefined;
  const { data, shape } = portable(mask) as { data: ArrayLike<number>; shape: number[] };
  return { data: Array.isArray(data) ? Uint8Array.from(data, Number) : (data as Uint8Array), shape };
}

/** Options as another thread may have them: tensors as { data, shape }, and no view of wasm memory. */
function portable(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (ArrayBuffer.isView(value)) return (value as Float32Array).slice();
  if (value instanceof HeapTensor) return { data: value.view().slice(), shape: value.shape };
  if (Array.isArray(value)) return typeof value[0] === 'object' ? value.map(portable) : value;
  if ('data' in value) return { data: portable(value.data), shape: shapeOf(value, 'options') };
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, portable(each)]));
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
