import { Core } from './core.js';
import { type Variant, bestVariant, runs } from './detect.js';
import { PosencError, describe } from './errors.js';
import createModule from './glue.mjs';
import { checkOptions } from './options.js';
import type { PoolHost } from './pool/types.js';
import { type Posenc, makePosenc } from './posenc.js';

/** Where the WebAssembly module comes from. */
export type WasmSource = URL | string | Response | ArrayBuffer | ArrayBufferView<ArrayBuffer> | CompiledModule;

/** A WebAssembly.Module, where the types of the platform have it. */
export type CompiledModule = typeof globalThis extends { WebAssembly: { Module: { prototype: infer Module } } } ? Module : object;

/** What `load()` takes. */
export interface LoadOptions {
  /** The module, where it is not to be looked for beside the library: its address, a response, bytes, or compiled. */
  wasm?: WasmSource;
  /**
   * Which build: 'auto' (default) takes the fastest that the engine runs. Relaxed SIMD may differ in the last bits
   * between engines; 'simd' and 'scalar' give the same bits everywhere.
   */
  simd?: 'auto' | Variant;
}

/** @internal What differs between the web and Node, and between wasm beside the library and in it. */
export interface Host extends PoolHost {
  /** Whether a module is compiled at once, on this thread: faster, but a page would stand still, and engines forbid it. */
  readonly atOnce?: boolean;
  /** A build: where it lies beside the library, or its bytes; `asked` is what the user wants. */
  find(variant: Variant, asked: 'auto' | Variant): URL | Uint8Array<ArrayBuffer>;
  /** What lies at an address. */
  read(address: URL | string): Promise<Response | BufferSource>;
}

/** @internal Loads the library on a host. */
export async function loadOn(host: Host, options: LoadOptions | undefined): Promise<Posenc> {
  checkOptions(options, ['wasm', 'simd'], 'options');
  const { wasm, simd = 'auto' } = options ?? {};
  checkVariant(simd);
  const source = wasm ?? host.find(chooseVariant(simd), simd);
  const posenc = makePosenc(await makeCore(host, source), host);
  if (simd !== 'auto' && posenc.variant !== simd) {
    throw new PosencError('loadFailed', 'wasm', `the ${posenc.variant} build`, `the ${simd} build, as simd says`);
  }
  return posenc;
}

/** @internal An instance of a module, wherever it comes from. */
export async function makeCore(host: Host, source: WasmSource): Promise<Core> {
  const compiling = compile(host, source);
  return new Promise((resolve, reject) => {
    let instance: WebAssembly.Instance;
    const failed = (error: unknown): void => {
      reject(new PosencError('loadFailed', 'wasm', String(error), "one of this version's WebAssembly modules", error));
    };
    // The glue starts while the module is on its way, and waits for it.
    const made = createModule({
      instantiateWasm(imports, done) {
        const receive = async (module: WebAssembly.Module): Promise<void> => {
          instance = host.atOnce === true ? new WebAssembly.Instance(module, imports) : await WebAssembly.instantiate(module, imports);
          done(instance, module);
        };
        // Another module may instantiate, and then lack what the glue looks for.
        compiling.then((module) => receive(module).catch(failed), reject);
        return {};
      },
      print: () => undefined,
      printErr: () => undefined,
    });
    const take = async (): Promise<void> => {
      const wasm = await made;
      const memory = Object.values(instance.exports).find(isMemory);
      if (memory === undefined) throw new TypeError('a module without memory');
      resolve(new Core(wasm, memory, await compiling));
    };
    take().catch(failed);
  });
}

function checkVariant(simd: unknown): void {
  if (['auto', 'relaxed', 'simd', 'scalar'].includes(simd as string)) return;
  const code = typeof simd === 'string' ? 'outOfRange' : 'invalidType';
  throw new PosencError(code, 'simd', describe(simd), "'auto', 'relaxed', 'simd' or 'scalar'");
}

/** A module that the engine would reject is never compiled. */
function chooseVariant(simd: 'auto' | Variant): Variant {
  if (typeof WebAssembly !== 'object') {
    throw new PosencError('loadFailed', 'wasm', 'an engine without WebAssembly', 'one that has it');
  }
  if (simd === 'auto') return bestVariant();
  if (!runs(simd)) throw new PosencError('unsupported', 'simd', describe(simd), 'a build that this engine runs');
  return simd;
}

async function compile(host: Host, source: WasmSource): Promise<WebAssembly.Module> {
  if (isModule(source)) return source;
  const address = typeof source === 'string' || isUrl(source) ? source : undefined;
  try {
    const found = address === undefined ? source : await host.read(address);
    return await compileFound(host, found as Response | BufferSource);
  } catch (error) {
    if (error instanceof PosencError) throw error;
    const received = address === undefined ? describe(source) : `${String(address)}: ${String(error)}`;
    throw new PosencError('loadFailed', 'wasm', received, 'a WebAssembly module', error);
  }
}

async function compileFound(host: Host, found: Response | BufferSource): Promise<WebAssembly.Module> {
  if (!isResponse(found)) return host.atOnce === true ? new WebAssembly.Module(found) : WebAssembly.compile(found);
  if (!found.ok) {
    throw new PosencError('loadFailed', 'wasm', `${found.url}: HTTP status ${found.status}`, 'a WebAssembly module');
  }
  // Engines refuse to compile while the bytes arrive where the server names another type.
  const streaming = found.headers.get('content-type')?.startsWith('application/wasm') === true;
  return streaming ? WebAssembly.compileStreaming(found) : WebAssembly.compile(await found.arrayBuffer());
}

// Objects of other windows and realms are no instances of this one's classes, so tags and members decide.
function isModule(value: unknown): value is WebAssembly.Module {
  return Object.prototype.toString.call(value) === '[object WebAssembly.Module]';
}
function isMemory(value: unknown): value is WebAssembly.Memory {
  return Object.prototype.toString.call(value) === '[object WebAssembly.Memory]';
}
function isUrl(value: unknown): value is URL {
  return Object.prototype.toString.call(value) === '[object URL]';
}
function isResponse(value: unknown): value is Response {
  return Object.prototype.toString.call(value) === '[object Response]';
}
