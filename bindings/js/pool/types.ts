// What a pool is made with, what its calls take, and what it needs of its platform.

/** A worker of a page or of Node.js. */
export interface PoolWorker {
  /** Sends a message, and hands over the memory of what `transfer` lists. */
  postMessage(message: unknown, transfer?: never[]): void;
  /** Ends the worker at once. */
  terminate(): unknown;
}

/** What `posenc.pool()` takes. */
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
