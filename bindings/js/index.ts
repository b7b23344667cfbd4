/** The package on the web: pages, workers, bundlers. */
import { webHost } from './host-web.js';
import { type LoadOptions, loadOn } from './load.js';
import type { Variant } from './detect.js';
import type { Posenc } from './posenc.js';

export * from './exports.js';

/**
 * Loads the library. The fastest build that the engine runs is fetched from beside this file, unless the options say
 * otherwise.
 */
export function load(options?: LoadOptions): Promise<Posenc> {
  return loadOn({ ...webHost, find: findBeside }, options);
}

// Each address is written out, so that bundlers see the file. It is formed only when it is needed: a worker made from a
// blob has no base to form it from.
function findBeside(variant: Variant): URL {
  switch (variant) {
    case 'relaxed':
      return new URL('./posenc-relaxed.wasm', import.meta.url);
    case 'simd':
      return new URL('./posenc-simd.wasm', import.meta.url);
    default:
      return new URL('./posenc-scalar.wasm', import.meta.url);
  }
}
