/** @internal Files, cores and workers of the web: pages, workers, bundlers. */
import type { Host } from './load.js';
import type { PoolWorker } from './pool/types.js';

export const webHost: Omit<Host, 'find'> = {
  read: (address) => fetch(address),
  // Written out in one piece, so that bundlers see the file.
  spawn: () => new Worker(new URL('./worker.js', import.meta.url), { type: 'module', name: 'posenc' }) as PoolWorker,
  cores: () => globalThis.navigator?.hardwareConcurrency ?? 2,
};
