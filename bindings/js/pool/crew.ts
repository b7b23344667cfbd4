// The workers of a pool: how they start, are told what to do, answer, and end.
import type { Core } from '../core.js';
import type { Variant } from '../detect.js';
import { PosencError, describe } from '../errors.js';
import type { Arrays, ErrorPlan, FromLead, ToHand, ToLead } from './protocol.js';
import type { PoolCall, PoolHost, PoolOptions, PoolWorker } from './types.js';

interface Pending {
  resolve(result: Arrays): void;
  reject(reason: unknown): void;
  readonly onProgress: PoolCall['onProgress'];
}

/** A signal that ends a call, and whom to tell how far it is. */
export interface Watched {
  readonly signal: PoolCall['signal'];
  readonly onProgress: PoolCall['onProgress'];
}

/** The first leads: it divides the work and puts the results together. The others compute. */
export class Crew {
  /** How many compute. */
  readonly size: number;
  readonly #core: Core;
  readonly #all: readonly PoolWorker[];
  readonly #pending = new Map<number, Pending>();
  #next = 1;
  #failure: PosencError | undefined;

  constructor(core: Core, variant: Variant, host: PoolHost, options: PoolOptions | undefined) {
    this.#core = core;
    this.size = readWorkers(options?.workers, host);
    const spawn = options?.worker ?? host.spawn;
    const made: PoolWorker[] = [];
    try {
      for (let i = 0; i <= this.size; i++) made.push(spawn());
    } catch (error) {
      for (const worker of made) worker.terminate();
      throw new PosencError('workerFailed', 'workers', String(error), 'a platform that starts workers', error);
    }
    this.#all = made;
    for (const worker of made) this.#watch(worker);
    this.#introduce(made.slice(1), variant);
  }

  /** Why there is no more work to be done: a worker failed, or the pool was disposed. */
  get failure(): PosencError | undefined {
    return this.#failure;
  }

  /** A number that nothing else of this crew has. */
  number(): number {
    return this.#next++;
  }

  tell(message: ToLead, transfer: Transferable[] = []): void {
    if (this.#failure === undefined) this.#all[0]?.postMessage(message, transfer as never[]);
  }

  /** The result of a call, which `send` tells under the number that it is given. */
  async work({ signal, onProgress }: Watched, send: (id: number) => void): Promise<Arrays> {
    checkCall(signal, onProgress);
    signal?.throwIfAborted();
    const id = this.number();
    const abort = (): void => {
      this.#pending.get(id)?.reject(signal?.reason);
      this.tell({ kind: 'abort', id });
    };
    try {
      return await new Promise<Arrays>((resolve, reject) => {
        this.#pending.set(id, { resolve, reject, onProgress });
        if (this.#pending.size === 1) hold(this.#all[0], true);
        signal?.addEventListener('abort', abort, { once: true });
        send(id);
      });
    } finally {
      signal?.removeEventListener('abort', abort);
      this.#pending.delete(id);
      if (this.#pending.size === 0) hold(this.#all[0], false);
    }
  }

  /** Stops the workers. Calls that have not ended are rejected. */
  end(reason: PosencError): void {
    this.#failure = reason;
    for (const worker of this.#all) worker.terminate();
    for (const { reject } of this.#pending.values()) reject(reason);
  }

  #hear(message: FromLead): void {
    const call = this.#pending.get(message.id);
    if ('done' in message) this.#progress(message, call);
    else if ('error' in message) call?.reject(errorOf(message.error));
    else call?.resolve(message.result);
  }

  /** Nobody hears what a listener throws but who waits for the call. */
  #progress({ id, done, total }: { id: number; done: number; total: number }, call: Pending | undefined): void {
    try {
      call?.onProgress?.(done, total);
    } catch (error) {
      call?.reject(error);
      this.tell({ kind: 'abort', id });
    }
  }

  /** Gives each worker its part, with a channel between the one that leads and each that computes. */
  #introduce(hands: readonly PoolWorker[], variant: Variant): void {
    const channels = hands.map(() => new MessageChannel());
    const ports = channels.map(({ port1 }) => port1);
    this.tell({ kind: 'lead', hands: ports }, ports);
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
      this.end(new PosencError('workerFailed', 'workers', text, 'workers that run posenc/worker', reason));
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
}

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

function errorOf({ code, parameter, received, allowed }: ErrorPlan): PosencError {
  return new PosencError(code, parameter, received, allowed);
}
