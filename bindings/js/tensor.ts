import type { Core } from './core.js';
import { PosencError, describe } from './errors.js';
import { Owned } from './owned.js';
import { type NestedNumbers, type Shape, elementCount, nest, readShape, shapeText } from './shape.js';

/** A row-major tensor of 32-bit floats that belongs to JavaScript: nothing to dispose. */
export class Tensor {
  /** @internal Minifying takes the name that consoles show. */
  static readonly name = 'Tensor';
  /** The numbers, row by row. */
  readonly data: Float32Array;
  /** Extents, outermost first. */
  readonly shape: Shape;

  /** Takes `data` as it is, without a copy; its length must be the product of `shape`. */
  constructor(data: Float32Array, shape: Shape) {
    const extents = readShape(shape, 'shape');
    if (!isFloat32Array(data)) {
      throw new PosencError('invalidType', 'data', describe(data), 'a Float32Array');
    }
    checkLength(data, extents, 'data');
    this.data = data;
    this.shape = extents;
  }

  /** Number of elements. */
  get size(): number {
    return this.data.length;
  }

  /** The numbers in nested arrays, one level per axis. */
  toArray(): NestedNumbers {
    return nest(this.data, this.shape);
  }
}

// Whoever holds a view holds its tensor, so that a forgotten tensor is not freed under a view in use.
const viewed = new WeakMap<Float32Array, HeapTensor>();

/**
 * A row-major tensor of 32-bit floats in wasm memory: calls read and write it without a copy. Made by
 * `posenc.tensor(shape)`; `dispose()` frees it.
 */
export class HeapTensor extends Owned {
  /** @internal Minifying takes the name that consoles show. */
  static override readonly name = 'HeapTensor';
  readonly #shape: Shape;
  readonly #extents: Shape;
  readonly #size: number;
  readonly #address: number;

  /** @internal */
  constructor(core: Core, shape: Shape) {
    const extents = readShape(shape, 'shape');
    const size = elementCount(extents, 'shape');
    const address = core.allocate(4 * size, 'shape');
    super(core, 'tensors', () => core.release(address));
    // Calls go by them without looking at the memory behind, so that callers get what they cannot change. Arrays that are
    // frozen are slow to work with.
    this.#extents = extents;
    this.#shape = Object.freeze([...extents]);
    this.#size = size;
    this.#address = address;
  }

  /** Extents, outermost first. */
  get shape(): Shape {
    return this.#shape;
  }

  /** Number of elements. */
  get size(): number {
    return this.#size;
  }

  /** @internal The shape, for calls: never handed out. */
  get extents(): Shape {
    return this.#extents;
  }

  /**
   * The numbers where they stand. Take it anew after every call of the library: when wasm memory grows, old views
   * become empty.
   */
  view(): Float32Array {
    const { memory } = this.coreOf('tensor');
    const view = new Float32Array(memory.buffer, this.#address, this.#size);
    viewed.set(view, this);
    return view;
  }

  /** A copy that belongs to JavaScript. */
  toTensor(): Tensor {
    return new Tensor(this.view().slice(), this.shape);
  }

  /** The numbers in nested arrays, one level per axis. */
  toArray(): NestedNumbers {
    return nest(this.view(), this.shape);
  }

  /** @internal Its address, for a call on `core` that names it `parameter`. */
  addressIn(core: Core, parameter: string): number {
    this.coreOf(parameter, core);
    return this.#address;
  }
}

/** Arrays of other windows and workers count too, so the tag decides where the class does not. */
export function isFloat32Array(value: unknown): value is Float32Array {
  return value instanceof Float32Array || arrayTag(value) === 'Float32Array';
}

/** 'Int32Array', 'BigInt64Array', ... for a typed array, else undefined. */
export function arrayTag(value: unknown): string | undefined {
  return ArrayBuffer.isView(value) ? (value as { [Symbol.toStringTag]?: string })[Symbol.toStringTag] : undefined;
}

/** As `every`, which would pass over holes. */
export function everyItem(list: readonly unknown[], test: (item: unknown) => boolean): boolean {
  for (let i = 0; i < list.length; i++) if (!test(list[i])) return false;
  return true;
}

/** Throws where an array does not hold what its shape says, `detached` where its memory was given away. */
export function checkLength(data: ArrayLike<unknown>, shape: Shape, parameter: string): void {
  const size = elementCount(shape, parameter);
  if (data.length === size && size > 0) return;
  checkAttached(data, parameter);
  if (data.length === size) return;
  throw new PosencError('shapeMismatch', parameter, `shape ${shapeText(shape)} for ${data.length} elements`, `${size} elements`);
}

/** @internal Throws where an array is empty because its memory was given away, or shrank from under it. */
export function checkAttached(data: ArrayLike<unknown>, parameter: string): void {
  if (data.length > 0 || !ArrayBuffer.isView(data)) return;
  try {
    // Refuses such arrays, and no others.
    Uint8Array.prototype.values.call(data);
  } catch {
    throw new PosencError('detached', parameter, 'an array whose buffer is detached', 'an array that has its memory');
  }
}
