import type { Core } from './core.js';
import { PosencError, describe } from './errors.js';
import type { EncodingSpec } from './generated/encodings.js';
import { type Source, type TensorLike, readTensor } from './inputs.js';
import { fillDraft } from './options.js';
import { Owned } from './owned.js';
import { sameShape, shapeText } from './shape.js';
import { Tensor, isFloat32Array } from './tensor.js';
import type { EncodingHandle } from './wasm.js';

/** Where position enters attention. */
export type Family = 'input' | 'rotary' | 'bias' | 'relative' | 'none';

/** Values for a tensor of an encoding: of its shape, or flat with as many numbers. */
export type Weight = TensorLike | Float32Array;

/** What every encoding's options take beside its own. */
export interface EncodingCommon<Parameters extends object = Record<string, Tensor>> {
  /** What gradients and weights of a layer are keyed by: `name.tensor`. Default: the encoding's id. */
  name?: string;
  /** Start of the generator that initialises the trainable tensors (SplitMix64): a whole number, 0 to 2^53 - 1. Default 0. */
  seed?: number;
  /** Values for the trainable tensors, by name; those left out are initialised from `seed`. */
  weights?: { [Name in keyof Parameters]?: Weight };
}

/** @internal */
export const commonOptions: readonly string[] = ['name', 'seed', 'weights'];

/** @internal A trainable tensor as it is laid out in this encoding. */
export interface TensorSlot {
  readonly name: string;
  readonly shape: readonly number[];
  readonly size: number;
  readonly trained: boolean;
}

/** What all encodings share. `Parameters` are its trainable tensors by name. */
export abstract class Encoding<Parameters extends object = Record<string, Tensor>> extends Owned {
  /** The encoding's id: the name of its factory. */
  readonly id: string;
  /** Where its position enters attention. */
  readonly family: Family;
  /** What gradients and weights of a layer are keyed by. */
  readonly name: string;
  /** Start of the generator that initialised the tensors. */
  readonly seed: number;
  /** The options as they were given. */
  readonly options: object;
  /** @internal */
  readonly handle: EncodingHandle;
  /** @internal */
  readonly address: number;
  /** @internal */
  readonly slots: readonly TensorSlot[];
  /** Coordinates of a position. */
  readonly axes: number;

  /** @internal */
  constructor(core: Core, spec: EncodingSpec, options: EncodingCommon) {
    const { name = spec.id, seed = 0, weights } = options;
    checkName(name);
    checkSeed(seed);
    const handle = makeHandle(core, spec.id, options, seed);
    super(core, 'encodings', () => handle.delete());
    this.id = spec.id;
    this.family = spec.family;
    this.name = name;
    this.seed = seed;
    this.options = Object.freeze({ ...options });
    this.handle = handle;
    this.address = handle.address() >>> 0;
    this.axes = handle.axes();
    this.slots = slotsOf(handle);
    if (weights === undefined) return;
    try {
      this.setWeights(weights);
    } catch (error) {
      this.dispose();
      throw error;
    }
  }

  /** Names of the tensors that have a gradient. */
  get trainable(): string[] {
    return this.slots.filter((slot) => slot.trained).map((slot) => slot.name);
  }

  /** The trainable tensors, copied, by name. Setting takes any of them, and changes all or none. */
  get parameters(): Parameters {
    const core = this.coreOf(this.name);
    return Object.fromEntries(this.slots.map((slot, index) => [slot.name, this.#read(core, slot, index)])) as Parameters;
  }

  set parameters(values: { [Name in keyof Parameters]?: Weight }) {
    this.setWeights(values);
  }

  /** @internal */
  tensor(name: string): Tensor | undefined {
    const index = this.slots.findIndex((slot) => slot.name === name);
    const slot = this.slots[index];
    return slot && this.#read(this.coreOf(this.name), slot, index);
  }

  /** @internal */
  setWeights(weights: { readonly [name: string]: Weight | undefined }): void {
    const core = this.coreOf(this.name);
    if (typeof weights !== 'object' || weights === null) {
      throw new PosencError('invalidType', 'weights', describe(weights), 'an object of tensors by name');
    }
    try {
      const placed = Object.entries(weights).flatMap(([name, value]) =>
        value === undefined ? [] : [{ name, ...this.#placeWeight(core, name, value) }],
      );
      for (const commit of [false, true]) {
        for (const { name, address, size } of placed) core.check(this.handle.setTensor(name, address, size, commit));
      }
    } finally {
      core.reset();
    }
  }

  /** @internal Bytes of the gradients of the trained tensors, laid one after the other. */
  get gradientBytes(): number {
    return this.slots.reduce((bytes, slot) => bytes + (slot.trained ? 4 * slot.size : 0), 0);
  }

  /** @internal Those gradients as tensors, read from an address on. */
  readGradients(core: Core, address: number): [string, Tensor][] {
    let first = address >>> 2;
    const gradients: [string, Tensor][] = [];
    for (const slot of this.slots) {
      if (!slot.trained) continue;
      gradients.push([slot.name, new Tensor(core.views.f32.slice(first, first + slot.size), slot.shape)]);
      first += slot.size;
    }
    return gradients;
  }

  #read(core: Core, slot: TensorSlot, index: number): Tensor {
    const first = this.handle.tensorAddress(index) >>> 2;
    return new Tensor(core.views.f32.slice(first, first + slot.size), slot.shape);
  }

  #placeWeight(core: Core, name: string, value: Weight): { address: number; size: number } {
    const parameter = `weights.${name}`;
    const flat = isFloat32Array(value);
    const source: Source = readTensor(core, flat ? { data: value, shape: [value.length] } : value, parameter);
    const slot = this.slots.find((candidate) => candidate.name === name);
    if (!flat && slot !== undefined && !sameShape(source.shape, slot.shape)) {
      throw new PosencError('shapeMismatch', parameter, `shape ${shapeText(source.shape)}`, `shape ${shapeText(slot.shape)}`);
    }
    const address = core.take(4 * source.size, parameter);
    const { f32 } = core.views;
    if (source.data === null) f32.copyWithin(address >>> 2, source.address >>> 2, (source.address >>> 2) + source.size);
    else f32.set(source.data, address >>> 2);
    return { address, size: source.size };
  }
}

function checkName(name: unknown): void {
  if (typeof name !== 'string') throw new PosencError('invalidType', 'name', describe(name), 'a string');
  if (name === '') throw new PosencError('outOfRange', 'name', '""', 'a name of one character or more');
}

function checkSeed(seed: unknown): void {
  const allowed = 'a whole number from 0 to 2^53 - 1';
  if (typeof seed !== 'number') throw new PosencError('invalidType', 'seed', describe(seed), allowed);
  if (!Number.isSafeInteger(seed) || seed < 0) throw new PosencError('outOfRange', 'seed', describe(seed), allowed);
}

function makeHandle(core: Core, id: string, options: object, seed: number): EncodingHandle {
  const { wasm } = core;
  const draft = core.made(wasm.OptionsDraft.ofEncoding(id));
  try {
    fillDraft(core, draft, options, commonOptions);
    return core.made(wasm.EncodingHandle.make(draft, seed));
  } finally {
    draft.delete();
    core.reset();
  }
}

function slotsOf(handle: EncodingHandle): TensorSlot[] {
  return Array.from({ length: handle.tensorCount() }, (_, index) => {
    const shape = Array.from({ length: handle.tensorRank(index) }, (_, axis) => handle.tensorExtent(index, axis));
    return {
      name: handle.tensorName(index),
      shape,
      size: shape.reduce((product, extent) => product * extent, 1),
      trained: handle.tensorTrained(index),
    };
  });
}
