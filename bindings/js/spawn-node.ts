/** @internal A worker of Node.js. By itself: importing `node:worker_threads` takes as long as compiling a build. */
import { Worker } from 'node:worker_threads';

/** Written out in one piece, so that bundlers of servers see the file. */
export function spawnWorker(): Worker {
  return new Worker(new URL('./worker-node.js', import.meta.url));
}
