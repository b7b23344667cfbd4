/** @internal Files, cores and workers of Node.js, and of what follows it: Deno, Bun, rendering on a server. */
import type { Host } from './load.js';
import type { Variant } from './detect.js';
import { ComingWorker } from './pool/coming.js';

type Take = NodeJS.Process['getBuiltinModule'];

// Each in one piece, so that bundlers of servers take the file along.
const builds: Record<Variant, () => URL> = {
  relaxed: () => new URL('./posenc-relaxed.wasm', import.meta.url),
  simd: () => new URL('./posenc-simd.wasm', import.meta.url),
  scalar: () => new URL('./posenc-scalar.wasm', import.meta.url),
};

/** What Node.js has is taken where it is needed: each import takes time, also of what is never used. */
export async function nodeHost(): Promise<Host> {
  const take = await findBuiltins();
  const parse = (text: string): URL => (/^[a-z][a-z0-9+.-]+:/i.test(text) ? new URL(text) : take('node:url').pathToFileURL(text));
  return {
    atOnce: true,
    find: (variant) => {
      const address = builds[variant]();
      // Next.js gives components the path that the file has on the web, which is none here.
      return /^\w+:/.test(String(address)) ? address : parse(`${folderOf(import.meta.url)}posenc-${variant}.wasm`);
    },
    read: async (given) => {
      const address = typeof given === 'string' ? parse(given) : given;
      return address.protocol === 'file:' ? take('node:fs').readFileSync(address) : fetch(address);
    },
    spawn: () => new ComingWorker(import('./spawn-node.js').then(({ spawnWorker }) => spawnWorker())),
    cores: () => take('node:os').availableParallelism(),
  };
}

/** How to have a module of Node.js at once. Before 20.16 each has to be imported first. */
async function findBuiltins(): Promise<Take> {
  const { process } = globalThis as { process?: NodeJS.Process };
  if (typeof process?.getBuiltinModule === 'function') return process.getBuiltinModule;
  const [fs, os, url] = await Promise.all([import('node:fs'), import('node:os'), import('node:url')]);
  const found: Record<string, object> = { 'node:fs': fs, 'node:os': os, 'node:url': url };
  return ((name: string) => found[name]) as Take;
}

// Not in one piece, so that bundlers leave it alone: the folder where this file was before they moved it.
function folderOf(address: string): string {
  return address.slice(0, address.lastIndexOf('/') + 1);
}
