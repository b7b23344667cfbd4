import type { Core } from './core.js';
import { PosencError, describe } from './errors.js';
import { type Shape, elementCount, readShape, sameShape, shapeText } from './shape.js';
import { HeapTensor, Tensor, checkLength, isFloat32Array } from './tensor.js';

/** Numbers with a shape, as tensors of other libraries have them (`dims` in onnxruntime-web and transformers.js). */
export type Shaped<Data> =
  | {
      /** The numbers, row by row. */
      readonly data: Data;
      /** Extents, outermost first. */
      readonly shape: Shape;
    }
  | {
      /** The numbers, row by row. */
      readonly data: Data;
      /** Extents, outermost first. */
      readonly dims: Shape;
    };

/** What every call takes as a tensor: row-major 32-bit floats. */
export type TensorLike = Tensor | HeapTensor | Shaped<Float32Array>;

/** Where a call writes its result: a tensor of the result's shape, or an array of its length. */
export type Out = TensorLike | Float32Array;

/** @internal A tensor that a call reads. `data` is null where the numbers stand at `address` in wasm memory. */
export interface Source {
  readonly parameter: string;
  readonly data: Float32Array | null;
  readonly address: number;
  readonly shape: Shape;
  readonly size: number;
}

/** @internal Checks that a value is a tensor, and that it is whole. */
export function readTensor(core: Core, value: TensorLike, parameter: string): Source {
  if (value instanceof HeapTensor) {
    const address = value.addressIn(core, parameter);
    return { parameter, data: null, address, shape: value.extents, size: value.size };
  }
  const data = shapedData(value, parameter);
  if (!isFloat32Array(data)) {
    throw new PosencError('invalidType', `${parameter}.data`, describe(data), 'a Float32Array (posenc.fromHalf widens 16-bit floats)');
  }
  const shape = value instanceof Tensor ? value.shape : shapeOf(value, parameter);
  checkLength(data, shape, parameter);
  return sourceOf(core, data, shape, parameter);
}

function sourceOf(core: Core, data: Float32Array, shape: Shape, parameter: string): Source {
  const inHeap = data.buffer === core.memory.buffer;
  return { parameter, data: inHeap ? null : data, address: inHeap ? data.byteOffset : 0, shape, size: data.length };
}

/** @internal Its address in wasm memory, copied there if need be. */
export function place(core: Core, source: Source): number {
  if (source.data === null) return source.address;
  // What was read after it may have taken its memory away.
  checkLength(source.data, source.shape, source.parameter);
  const address = core.take(4 * source.size, source.parameter);
  core.views.f32.set(source.data, address >>> 2);
  return address;
}

/** @internal The `data` of something shaped; otherwise an error that says what is `allowed`. */
export function shapedData(value: unknown, parameter: string, allowed = 'a tensor: { data, shape }'): unknown {
  if (typeof value !== 'object' || value === null || !('data' in value)) {
    throw new PosencError('invalidType', parameter, describe(value), allowed);
  }
  return value.data;
}

/** @internal */
export function shapeOf(value: object, parameter: string): number[] {
  const { shape, dims } = value as { shape?: unknown; dims?: unknown };
  return shape === undefined ? readShape(dims, `${parameter}.dims`) : readShape(shape, `${parameter}.shape`);
}

/** @internal Throws unless the axes are these; a null extent may be anything. */
export function expectShape(source: Source, expected: readonly (number | null)[], names: string): void {
  const { shape, parameter } = source;
  const fits = shape.length === expected.length && shape.every((extent, axis) => expected[axis] === null || expected[axis] === extent);
  if (fits) return;
  const allowed = expected.map((extent) => extent ?? 'any').join(', ');
  throw new PosencError('shapeMismatch', parameter, `shape ${shapeText(shape)}`, `[${names}] = [${allowed}]`);
}

/** @internal Where a call writes: wasm memory that becomes the result, or is copied into `into` when all went well. */
export class Target<Into extends Out = Tensor> {
  readonly #core: Core;
  readonly #into: Into | undefined;
  readonly #parameter: string;
  readonly #shape: Shape;
  readonly #size: number;
  #data: Float32Array | null = null;
  #address = 0;

  constructor(core: Core, into: Into | undefined, shape: Shape, parameter = 'into') {
    this.#core = core;
    this.#into = into;
    this.#shape = shape;
    this.#parameter = parameter;
    this.#size = elementCount(shape, parameter);
    if (into !== undefined) this.#open(into);
  }

  #open(into: Out): void {
    const size = this.#size;
    if (isFloat32Array(into)) {
      checkLength(into, [size], this.#parameter);
      this.#use(sourceOf(this.#core, into, [size], this.#parameter));
      return;
    }
    const source = readTensor(this.#core, into, this.#parameter);
    if (!sameShape(source.shape, this.#shape)) {
      const expected = shapeText(this.#shape);
      throw new PosencError('shapeMismatch', this.#parameter, `shape ${shapeText(source.shape)}`, `shape ${expected}`);
    }
    this.#use(source);
  }

  #use(source: Source): void {
    this.#data = source.data;
    this.#address = source.address;
  }

  /**
   * Refuses an overlap with an input; the very same memory is fine where `same` says so. Returns whether it is the
   * same.
   */
  apart(input: Source, same = false): boolean {
    const a = this.#data ?? { buffer: this.#core.memory.buffer, byteOffset: this.#address };
    const b = input.data ?? { buffer: this.#core.memory.buffer, byteOffset: input.address };
    if (this.#into === undefined || a.buffer !== b.buffer) return false;
    const start = a.byteOffset - b.byteOffset;
    if (start === 0 && same && this.#size === input.size) return true;
    if (start >= 4 * input.size || start + 4 * this.#size <= 0) return false;
    const allowed = same ? `${input.parameter} itself, or memory apart from it` : `memory apart from ${input.parameter}`;
    throw new PosencError('aliasing', this.#parameter, `memory that overlaps ${input.parameter}`, allowed);
  }

  /** Refuses an overlap with another output. */
  apartFrom(other: Target<Out>): void {
    if (other.#into === undefined) return;
    this.apart({ parameter: other.#parameter, data: other.#data, address: other.#address, shape: other.#shape, size: other.#size });
  }

  /** Where the call writes; `staged` is staging space of the right size that may be overwritten. */
  begin(staged = 0): number {
    if (this.#address === 0) this.#address = staged === 0 ? this.#core.take(4 * this.#size, this.#parameter) : staged;
    return this.#address;
  }

  /**
   * For a result that comes later: refuses a view of wasm memory, whose tensor may be freed by then without anyone to
   * say so.
   */
  later(): this {
    if (this.#into === undefined || this.#data !== null || this.#into instanceof HeapTensor) return this;
    throw new PosencError('unsupported', this.#parameter, 'a view of wasm memory', 'the heap tensor itself, or an array outside of it');
  }

  /** The same as `finish` for a result that was computed elsewhere, some time after the place was looked at. */
  accept(data: Float32Array): Into {
    if (this.#into === undefined) return new Tensor(data, this.#shape) as Out as Into;
    if (this.#into instanceof HeapTensor) this.#core.views.f32.set(data, this.#into.addressIn(this.#core, this.#parameter) >>> 2);
    else this.#whole()?.set(data);
    return this.#into;
  }

  /** The array that is written; its memory may be gone since it was looked at. */
  #whole(): Float32Array | null {
    if (this.#data !== null) checkLength(this.#data, this.#shape, this.#parameter);
    return this.#data;
  }

  /** The result: `into` where it was given, else a new tensor. */
  finish(): Into {
    const first = this.#address >>> 2;
    const { f32 } = this.#core.views;
    if (this.#into === undefined) return new Tensor(f32.slice(first, first + this.#size), this.#shape) as Out as Into;
    this.#whole()?.set(f32.subarray(first, first + this.#size));
    return this.#into;
  }
}

/** @internal Refuses an output that overlaps an input or another output. */
export function keepApart(inputs: readonly (Source | undefined)[], outputs: readonly Target<Out>[]): void {
  outputs.forEach((target, index) => {
    for (const source of inputs) if (source !== undefined) target.apart(source);
    for (const other of outputs.slice(0, index)) target.apartFrom(other);
  });
}
