import { type Attention, makeAttention } from './attention.js';
import type { AttentionConfig } from './attention-types.js';
import { BiasEncoding } from './bias.js';
import type { Core, LiveCounts } from './core.js';
import type { Variant } from './detect.js';
import type { Encoding, EncodingCommon } from './encoding.js';
import { PosencError, describe } from './errors.js';
import { version } from './generated/version.js';
import { type EncodingSpec, type Factories, encodingSpecs } from './generated/encodings.js';
import { type HalfFormat, type HalfTensor, fromHalf, toHalf } from './half.js';
import { InputEncoding } from './input.js';
import { type Out, type TensorLike, readTensor } from './inputs.js';
import { type AttentionLayer, makeAttentionLayer } from './layer.js';
import type { AttentionLayerConfig } from './layer-types.js';
import { NoneEncoding } from './none.js';
import { runOperation } from './operations.js';
import { checkOptions } from './options.js';
import { Owned } from './owned.js';
import { Pool } from './pool.js';
import type { PoolHost, PoolOptions } from './pool/types.js';
import { RelativeEncoding } from './relative.js';
import { RotaryEncoding } from './rotary.js';
import type { Shape } from './shape.js';
import { HeapTensor, type Tensor, everyItem, isFloat32Array } from './tensor.js';

/** What `memory()` tells. */
export interface MemoryUse extends Readonly<LiveCounts> {
  /** Size of the wasm memory. It grows and never shrinks. */
  readonly heapBytes: number;
  /** Bytes of it that hold tensors, encodings, caches and staging space now. */
  readonly usedBytes: number;
}

/**
 * One instance of the library: the factories of all encodings, and attention. Every call throws a `PosencError` for
 * input that it cannot take, before anything is written.
 */
export interface Posenc extends Factories {
  /** Which build runs: 'relaxed' may differ in the last bits between engines, the others do not. */
  readonly variant: Variant;
  /** Version of the package. */
  readonly version: string;
  /** How much memory is in use, and what lives in it. */
  memory(): MemoryUse;
  /**
   * A tensor in wasm memory: zeros, or a copy of `data`. Free it by `dispose()`.
   * @param shape extents, outermost first; at most 8
   * @param data as many numbers as the shape has
   */
  tensor(shape: Shape, data?: TensorLike | Float32Array | readonly number[]): HeapTensor;
  /**
   * 16-bit floats widened, exactly.
   * @param bits of the floats, row by row
   * @param shape extents, outermost first
   * @returns a tensor of that shape, or `into`
   */
  fromHalf<Into extends Out = Tensor>(
    bits: Uint16Array,
    shape: Shape,
    format: HalfFormat,
    options?: { into?: Into },
  ): Into;
  /** Numbers rounded to 16-bit floats: to nearest, ties to even, infinity beyond the range. */
  toHalf(tensor: TensorLike, format: HalfFormat): HalfTensor;
  /** Attention over any of the encodings made here. */
  attention(options: AttentionConfig): Attention;
  /** Attention with its projections Wq, Wk, Wv and Wo, and input encodings added first. */
  attentionLayer(options: AttentionLayerConfig): AttentionLayer;
  /** Workers that share the work of attention, each with an instance of its own. Stop them by `dispose()`. */
  pool(options?: PoolOptions): Pool;
}

const classes = { input: InputEncoding, rotary: RotaryEncoding, bias: BiasEncoding, relative: RelativeEncoding, none: NoneEncoding };

/** @internal */
export function makePosenc(core: Core, host: PoolHost): Posenc {
  // Where the platform has no Symbol.dispose, a method of that name was defined under the name "undefined".
  if (typeof Symbol.dispose !== 'symbol') for (const { prototype } of [Owned, Pool]) Reflect.deleteProperty(prototype, 'undefined');
  const variant = core.text(core.wasm._posenc_variant() >>> 0) as Variant;
  const posenc = {
    variant,
    version,
    memory: (): MemoryUse => ({
      heapBytes: core.memory.buffer.byteLength,
      usedBytes: core.wasm._posenc_allocated(),
      ...core.live,
    }),
    tensor: (shape: Shape, data?: TensorLike | Float32Array | readonly number[]) => makeTensor(core, shape, data),
    fromHalf: <Into extends Out = Tensor>(bits: Uint16Array, shape: Shape, format: HalfFormat, options?: { into?: Into }): Into => {
      checkOptions(options, ['into'], 'options');
      return fromHalf(core, bits, shape, format, options?.into);
    },
    toHalf: (tensor: TensorLike, format: HalfFormat) => toHalf(core, tensor, format),
    attention: (options: AttentionConfig) => makeAttention(core, options),
    attentionLayer: (options: AttentionLayerConfig) => makeAttentionLayer(core, options),
    pool: (options?: PoolOptions) => new Pool(core, variant, host, options),
  };
  const factories = Object.fromEntries(encodingSpecs.map((spec) => [spec.id, makeFactory(core, spec)]));
  return Object.freeze({ ...posenc, ...factories }) as unknown as Posenc;
}

function makeTensor(core: Core, shape: Shape, data: TensorLike | Float32Array | readonly number[] | undefined): HeapTensor {
  const tensor = new HeapTensor(core, shape);
  try {
    if (data === undefined) tensor.view().fill(0);
    else fillTensor(core, tensor, data);
    return tensor;
  } catch (error) {
    tensor.dispose();
    throw error;
  }
}

function fillTensor(core: Core, tensor: HeapTensor, data: TensorLike | Float32Array | readonly number[]): void {
  if (Array.isArray(data) && !everyItem(data, (value) => typeof value === 'number')) {
    throw new PosencError('invalidType', 'data', describe(data), 'numbers');
  }
  const numbers = Array.isArray(data) ? new Float32Array(data) : (data as TensorLike | Float32Array);
  const flat = isFloat32Array(numbers) ? { data: numbers, shape: [numbers.length] } : numbers;
  const source = readTensor(core, flat, 'data');
  if (source.size !== tensor.size) {
    throw new PosencError('shapeMismatch', 'data', `${source.size} elements`, `${tensor.size} elements`);
  }
  const first = source.address >>> 2;
  tensor.view().set(source.data ?? core.views.f32.subarray(first, first + source.size));
}

/** The function that makes encodings of one id, with the operations that need no instance. */
function makeFactory(core: Core, spec: EncodingSpec): object {
  let Class: ReturnType<typeof classOf> | undefined; // made when it is needed: few applications take more than two
  const factory = (options: EncodingCommon = {}): Encoding => {
    if (typeof options !== 'object' || options === null) {
      throw new PosencError('invalidType', 'options', describe(options), 'an object of options');
    }
    Class ??= classOf(spec);
    return new Class(core, spec, options);
  };
  for (const operation of spec.operations) {
    if (operation.onInstance) continue;
    const run = (...args: unknown[]): Tensor | Record<string, Tensor> => runOperation(core, spec.id, operation, 0, args);
    Object.defineProperty(factory, operation.name, { value: run, enumerable: true });
  }
  return factory;
}

/** The family's class with the encoding's own operations as methods and its tensors as getters. */
function classOf(spec: EncodingSpec): new (core: Core, spec: EncodingSpec, options: EncodingCommon) => Encoding {
  const Class = class extends (classes[spec.family] as new (core: Core, spec: EncodingSpec, options: EncodingCommon) => Encoding) {};
  Object.defineProperty(Class, 'name', { value: spec.id.replace(/^./, (first) => first.toUpperCase()) });
  for (const operation of spec.operations) {
    if (!operation.onInstance) continue;
    const value = function (this: Encoding, ...args: unknown[]): Tensor | Record<string, Tensor> {
      return runOperation(this.coreOf(this.name), spec.id, operation, this.address, args);
    };
    Object.defineProperty(Class.prototype, operation.name, { value });
  }
  for (const name of spec.tensors) {
    Object.defineProperty(Class.prototype, name, {
      get(this: Encoding) {
        return this.tensor(name);
      },
    });
  }
  return Class;
}
