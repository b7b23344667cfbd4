/** @internal Files, cores and workers of Node.js, and of what follows it: Deno, Bun, rendering on a server. */
import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';

import type { Host } from './load.js';

export const nodeHost: Host = {
  find: (variant) => new URL(`./posenc-${variant}.wasm`, import.meta.url),
  read: async (given) => {
    const address = typeof given === 'string' ? parse(given) : given;
    return address.protocol === 'file:' ? readFile(address) : fetch(address);
  },
  spawn: () => new Worker(new URL('./worker-node.js', import.meta.url)),
  cores: () => availableParallelism(),
};

function parse(text: string): URL {
  return /^[a-z][a-z0-9+.-]+:/i.test(text) ? new URL(text) : pathToFileURL(text);
}
