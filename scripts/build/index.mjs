// Builds the wasm variants, the npm package and the site: npm run build [-- package]. What is up to date is left.
import { isMain, main, step } from '../lib/log.mjs';
import { setUp } from '../setup/index.mjs';
import { buildPackage } from './package.mjs';
import { buildSite } from './site.mjs';
import { buildWasm } from './wasm.mjs';

/** Builds everything with an Emscripten that set-up found. */
export async function buildAll(emscripten) {
  await buildWasm(emscripten);
  await buildPackage();
  await buildSite();
}

if (isMain(import.meta)) {
  await main(async () => {
    const emscripten = await setUp('start');
    if (process.argv[2] === 'package') {
      await buildWasm(emscripten);
      await buildPackage();
    } else {
      await buildAll(emscripten);
    }
    step('Built');
  });
}
