import type { Worker } from 'node:worker_threads';

import type { PoolWorker } from './types.js';

/** A worker of Node.js that has yet to be made: once it is there it hears, in order, what it was told meanwhile. */
export class ComingWorker implements PoolWorker {
  readonly #coming: Promise<Worker>;
  #fail: ((reason: unknown) => void) | undefined;

  constructor(coming: Promise<Worker>) {
    this.#coming = coming;
  }

  postMessage(message: unknown, transfer?: never[]): void {
    this.#tell((worker) => worker.postMessage(message, transfer));
  }

  on(event: string, listener: (value: unknown) => void): void {
    if (event === 'error') this.#fail = listener;
    this.#tell((worker) => worker.on(event, listener));
  }

  ref(): void {
    this.#tell((worker) => worker.ref());
  }

  unref(): void {
    this.#tell((worker) => worker.unref());
  }

  terminate(): void {
    this.#tell((worker) => worker.terminate());
  }

  /** That it could not be made, or told, is told once. */
  #tell(act: (worker: Worker) => unknown): void {
    this.#coming.then(act).catch((reason: unknown) => {
      const fail = this.#fail;
      this.#fail = undefined;
      fail?.(reason);
    });
  }
}
