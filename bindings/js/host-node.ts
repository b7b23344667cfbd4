/** @internal Files, cores and workers of Node.js, and of what follows it: Deno, Bun, rendering on a server. */
import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';

import type { Host } from './load.js';
import type { Variant } from './detect.js';

// Each in one piece, so that bundlers of servers take the file along.
const builds: Record<Variant, () => URL> = {
  relaxed: () => new URL('./posenc-relaxed.wasm', import.meta.url),
  simd: () => new URL('./posenc-simd.wasm', import.meta.url),
  scalar: () => new URL('./posenc-scalar.wasm', import.meta.url),
};
// In pieces, so that they leave it alone: the folder where this file was before they moved it.
const { url } = import.meta;
const folder = url.slice(0, url.lastIndexOf('/') + 1);

export const nodeHost: Host = {
  find: (variant) => {
    const address = builds[variant]();
    // Next.js gives components the path that the file has on the web, which is none here.
    return /^\w+:/.test(String(address)) ? address : parse(`${folder}posenc-${variant}.wasm`);
  },
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
