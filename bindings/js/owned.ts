/// <reference lib="esnext.disposable" preserve="true" />
import type { Core, LiveCounts } from './core.js';
import { PosencError } from './errors.js';

/** Whatever owns wasm memory. A finaliser frees what was never disposed, some time after the last reference is gone. */
export abstract class Owned implements Disposable {
  #release: (() => void) | null;
  readonly #core: Core;
  readonly #kind: keyof LiveCounts;

  /** @internal `free` must not refer to this object: it outlives it. */
  protected constructor(core: Core, kind: keyof LiveCounts, free: () => void) {
    this.#core = core;
    this.#kind = kind;
    core.live[kind]++;
    this.#release = () => {
      core.live[kind]--;
      free();
    };
    core.finalizers?.register(this, this.#release, this);
  }

  /** Whether `dispose()` was called. */
  get disposed(): boolean {
    return this.#release === null;
  }

  /** Frees the memory. Using the object afterwards, or disposing it again, is an error. */
  dispose(): void {
    const release = this.#release;
    if (release === null) throw disposedError(this.called());
    this.#release = null;
    this.#core.finalizers?.unregister(this);
    this.#core.leave(release);
  }

  /** The same at the end of a `using` block; an object that was disposed already is left alone. */
  [Symbol.dispose](): void {
    if (!this.disposed) this.dispose();
  }

  /** @internal What errors call it. */
  protected called(): string {
    return this.#kind.slice(0, -1);
  }

  /** @internal The instance that this object lives in; throws when disposed, or when `core` is another. */
  coreOf(parameter: string, core?: Core): Core {
    if (this.#release === null) throw disposedError(parameter);
    if (core !== undefined && core !== this.#core) {
      throw new PosencError('aliasing', parameter, 'an object of another posenc instance', 'one of this instance');
    }
    return this.#core;
  }
}

function disposedError(parameter: string): PosencError {
  return new PosencError('disposed', parameter, 'a disposed object', 'one that was not disposed');
}
