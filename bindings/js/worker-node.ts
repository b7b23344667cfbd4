/** What the workers of a pool run in Node.js. */
import { parentPort } from 'node:worker_threads';

import { nodeHost } from './host-node.js';
import { serveScope } from './pool/serve.js';

let serving = false;

/** Makes this worker one that `posenc.pool({ worker })` may use. */
export function serve(): void {
  if (serving || parentPort === null) return;
  serving = true;
  const port = parentPort;
  serveScope({ post: (message, transfer) => port.postMessage(message, transfer as never[]), listen: (heard) => port.on('message', heard) }, nodeHost());
}

serve();
