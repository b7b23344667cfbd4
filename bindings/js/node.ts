/** The package in Node.js, and in what follows it: Deno, Bun, rendering on a server. */
import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';

import { type LoadOptions, makeLoad } from './load.js';
import type { Posenc } from './posenc.js';

export * from './exports.js';

/**
 * Loads the library. The fastest build that the engine runs is read from beside this file, unless the options say
 * otherwise; a string may be an address or the path of a file.
 */
export const load: (options?: LoadOptions) => Promise<Posenc> = makeLoad({
  address: (variant) => new URL(`./posenc-${variant}.wasm`, import.meta.url),
  read: async (given) => {
    const address = typeof given === 'string' ? parse(given) : given;
    return address.protocol === 'file:' ? readFile(address) : fetch(address);
  },
});

function parse(text: string): URL {
  return /^[a-z][a-z0-9+.-]+:/i.test(text) ? new URL(text) : pathToFileURL(text);
}
