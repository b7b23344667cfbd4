/** The package in Node.js, and in what follows it: Deno, Bun, rendering on a server. */
import { nodeHost } from './host-node.js';
import { type LoadOptions, loadOn } from './load.js';
import type { Posenc } from './posenc.js';

export * from './exports.js';

/**
 * Loads the library. The fastest build that the engine runs is read from beside this file, unless the options say
 * otherwise; a string may be an address or the path of a file.
 */
export async function load(options?: LoadOptions): Promise<Posenc> {
  return loadOn(await nodeHost(), options);
}
