import { PosencError } from './errors.js';
import { coreErrorCodes } from './generated/errors.js';
import type { WasmModule } from './wasm.js';

/** Views of the whole wasm memory. They die when it grows: take them from `Core.views` anew after every call. */
export interface Views {
  readonly u8: Uint8Array;
  readonly u16: Uint16Array;
  readonly i32: Int32Array;
  readonly f32: Float32Array;
  readonly f64: Float64Array;
}

/** Live objects that own wasm memory, by kind. */
export interface LiveCounts {
  /** Tensors that `posenc.tensor` made. */
  tensors: number;
  /** Encodings of all families. */
  encodings: number;
  /** Attentions, those of layers too. */
  attentions: number;
  /** Caches of keys and values. */
  caches: number;
  /** Attention layers. */
  layers: number;
}

const kAlignment = 64;
/** A staging block up to this size is kept between calls; what a larger call needs is freed when it ends. */
const kKeptBytes = 1 << 20;
/** So that every index fits a 32-bit signed integer, as in C++. */
export const kMaxElements = 2 ** 31 - 1;

/** One instance of the WebAssembly module: its memory, its staging space and its errors. */
export class Core {
  readonly wasm: WasmModule;
  readonly memory: WebAssembly.Memory;
  /** What `wasm` was made of, for other instances. */
  readonly module: WebAssembly.Module;
  /** Where call frames are written. */
  readonly frame: number;
  readonly live: LiveCounts = { tensors: 0, encodings: 0, attentions: 0, caches: 0, layers: 0 };
  /** Frees what was forgotten; absent on engines that have no finalisers. */
  readonly finalizers =
    typeof FinalizationRegistry === 'function'
      ? new FinalizationRegistry<() => void>((release) => release())
      : undefined;
  #views: Views;
  #block = 0;
  #size = 0;
  #used = 0;
  #wanted = 0;
  readonly #extra: number[] = [];
  /** Of every call under way, what was used, wanted and extra when it began: three numbers each. */
  readonly #begun: number[] = [];
  /** What was disposed of meanwhile. */
  readonly #leaving: (() => void)[] = [];

  constructor(wasm: WasmModule, memory: WebAssembly.Memory, module: WebAssembly.Module) {
    this.wasm = wasm;
    this.module = module;
    this.memory = memory;
    this.frame = wasm._posenc_frame() >>> 0;
    this.#views = viewsOf(memory.buffer);
  }

  get views(): Views {
    if (this.#views.u8.length === 0) this.#views = viewsOf(this.memory.buffer);
    return this.#views;
  }

  /** The C string at an address. */
  text(address: number): string {
    const { u8 } = this.views;
    return this.#decode(address, u8.indexOf(0, address) - address);
  }

  /** Throws what a status other than 0 stands for. */
  check(status: number): void {
    if (status !== 0) throw this.lastError();
  }

  lastError(): PosencError {
    const { wasm } = this;
    const part = (which: number): string =>
      this.#decode(wasm._posenc_error_text(which) >>> 0, wasm._posenc_error_length(which));
    const code = coreErrorCodes[wasm._posenc_error_code() - 1] ?? 'unsupported';
    return new PosencError(code, part(0), part(1), part(2));
  }

  /** Memory that stays until `release`. */
  allocate(bytes: number, parameter: string): number {
    const address = this.wasm._posenc_allocate(bytes) >>> 0;
    if (address === 0) {
      throw new PosencError('outOfMemory', parameter, `${bytes} bytes`, 'what memory is free');
    }
    return address;
  }

  release(address: number): void {
    this.wasm._posenc_release(address);
  }

  /** Staging space until the call ends. */
  take(bytes: number, parameter: string): number {
    const rounded = Math.ceil(bytes / kAlignment) * kAlignment;
    this.#wanted += rounded;
    if (this.#used + rounded <= this.#size) {
      const address = this.#block + this.#used;
      this.#used += rounded;
      return address;
    }
    const address = this.allocate(rounded, parameter);
    this.#extra.push(address);
    return address;
  }

  /**
   * Begins the use of staging space. A getter among the arguments of a call may make another call: that has its space
   * behind what is used already.
   */
  begin(): void {
    this.#begun.push(this.#used, this.#wanted, this.#extra.length);
  }

  /** Ends it; every public call does so in a `finally`. */
  end(): void {
    const extra = this.#begun.pop() ?? 0;
    const wanted = this.#begun.pop() ?? 0;
    this.#used = this.#begun.pop() ?? 0;
    const outermost = this.#begun.length === 0;
    if (this.#extra.length > extra) {
      for (const address of this.#extra.splice(extra)) this.release(address);
      if (outermost) this.#settle();
    }
    this.#wanted = wanted;
    if (!outermost || this.#leaving.length === 0) return;
    for (const free of this.#leaving.splice(0)) free();
  }

  /** Frees something once no call is under way, which may be reading it: at once outside of calls. */
  leave(free: () => void): void {
    if (this.#begun.length === 0) free();
    else this.#leaving.push(free);
  }

  /** Makes the kept block large enough for the next call of this size. */
  #settle(): void {
    if (this.#wanted > kKeptBytes) return;
    this.release(this.#block);
    this.#size = 2 * this.#wanted;
    this.#block = this.wasm._posenc_allocate(this.#size) >>> 0;
    if (this.#block === 0) this.#size = 0;
  }

  #decode(address: number, length: number): string {
    return new TextDecoder().decode(this.views.u8.slice(address, address + length));
  }
}

function viewsOf(buffer: ArrayBuffer): Views {
  return {
    u8: new Uint8Array(buffer),
    u16: new Uint16Array(buffer),
    i32: new Int32Array(buffer),
    f32: new Float32Array(buffer),
    f64: new Float64Array(buffer),
  };
}
