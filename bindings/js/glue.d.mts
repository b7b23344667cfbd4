import type { ModuleFactory } from './wasm.js';

/** Emscripten's JavaScript for the module, the same for all builds: a build puts glue.mjs beside this file. */
declare const createModule: ModuleFactory;
export default createModule;
