/**
 * What the workers of a pool run on the web. As a worker's own file it needs nothing more; a worker of your own takes
 * the part by calling `serve()`.
 */
import { PosencError } from './errors.js';
import { type Scope, serveScope } from './pool/serve.js';

let serving = false;

/** Makes this worker one that `posenc.pool({ worker })` may use. */
export function serve(): void {
  if (serving) return;
  serving = true;
  const scope = globalThis as unknown as Worker;
  const self: Scope = {
    post: (message, transfer) => scope.postMessage(message, transfer),
    listen: (heard) => scope.addEventListener('message', ({ data }) => heard(data)),
  };
  serveScope(self, {
    find: () => {
      throw new PosencError('loadFailed', 'wasm', 'no module from the page', 'a compiled module');
    },
    read: (address) => fetch(address),
    spawn: () => {
      throw new PosencError('unsupported', 'workers', 'a pool in a worker of a pool', 'a pool in a page');
    },
    cores: () => 1,
  });
}

const { DedicatedWorkerGlobalScope: Dedicated } = globalThis as { DedicatedWorkerGlobalScope?: new () => object };
if (Dedicated !== undefined && globalThis instanceof Dedicated) serve();
