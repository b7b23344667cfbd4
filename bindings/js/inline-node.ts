/** The package with its WebAssembly inside the script, on Node.js. */
import { nodeHost } from './host-node.js';
import { findInlined } from './inline/find.js';
import { type LoadOptions, loadOn } from './load.js';
import type { Posenc } from './posenc.js';

export * from './exports.js';

/**
 * Loads the library from the script itself, so that no other file is looked for. It carries the SIMD and the scalar
 * build; relaxed SIMD it does not.
 */
export async function load(options?: LoadOptions): Promise<Posenc> {
  return loadOn({ ...(await nodeHost()), find: findInlined }, options);
}
