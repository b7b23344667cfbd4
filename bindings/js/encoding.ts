import type { Core } from './core.js';
import { PosencError, describe } from './errors.js';
import type { EncodingSpec } from './generated/encodings.js';
import { EncodingHandle } from './handles.js';
import { keepOptions, placeOptions } from './options.js';
import { Owned } from './owned.js';
import type { Tensor } from './tensor.js';
import { type TensorSlot, type Weight, type WeightPlace, gradientBytesOf, readGradients, readSlot, setWeights, slotsOf } from './weights.js';

/** Where position enters attention. */
export type Family = 'input' | 'rotary' | 'bias' | 'relative' | 'none';

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
  constructor(core: Core, spec: EncodingSpec, given: EncodingCommon) {
    const { weights } = given;
    const options: EncodingCommon = keepOptions(given, ['weights']);
    const { name = spec.id, seed = 0 } = options;
    checkName(name);
    checkSeed(seed);
    const handle = makeHandle(core, spec.id, options, seed);
    super(core, 'encodings', () => handle.delete());
    this.id = spec.id;
    this.family = spec.family;
    this.name = name;
    this.seed = seed;
    this.options = weights === undefined ? options : Object.freeze({ ...options, weights });
    this.handle = handle;
    this.address = handle.address;
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
    return Object.fromEntries(this.slots.map((slot, index) => [slot.name, readSlot(core, this.handle, slot, index)])) as Parameters;
  }

  /** New values for any of them, by name: of a tensor's shape, or flat. */
  set parameters(values: { [Name in keyof Parameters]?: Weight }) {
    this.setWeights(values);
  }

  /** @internal */
  protected override called(): string {
    return this.name;
  }

  /** @internal */
  tensor(name: string): Tensor | undefined {
    const index = this.slots.findIndex((slot) => slot.name === name);
    const slot = this.slots[index];
    return slot && readSlot(this.coreOf(this.name), this.handle, slot, index);
  }

  /** @internal */
  setWeights(weights: { readonly [name: string]: Weight | undefined }): void {
    setWeights(this.coreOf(this.name), weights, (name) => this.placeOf(name));
  }

  /** @internal */
  placeOf(name: string): WeightPlace {
    return {
      shape: this.slots.find((slot) => slot.name === name)?.shape,
      set: (values, count, commit) => this.handle.setTensor(name, values, count, commit),
    };
  }

  /** @internal Bytes of the gradients of the trained tensors, laid one after the other. */
  get gradientBytes(): number {
    return gradientBytesOf(this.slots);
  }

  /** @internal Those gradients as tensors, read from an address on. */
  readGradients(core: Core, address: number): [string, Tensor][] {
    return readGradients(core, this.slots, address);
  }
}

function checkName(name: unknown): void {
  if (typeof name !== 'string') throw new PosencError('invalidType', 'name', describe(name), 'a string');
  if (name === '') throw new PosencError('outOfRange', 'name', '""', 'a name of one character or more');
}

/** @internal */
export function checkSeed(seed: unknown): void {
  const allowed = 'a whole number from 0 to 2^53 - 1';
  if (typeof seed !== 'number') throw new PosencError('invalidType', 'seed', describe(seed), allowed);
  if (!Number.isSafeInteger(seed) || seed < 0) throw new PosencError('outOfRange', 'seed', describe(seed), allowed);
}

function makeHandle(core: Core, id: string, options: object, seed: number): EncodingHandle {
  core.begin();
  try {
    return new EncodingHandle(core, { id, options: placeOptions(core, options, commonOptions), seed });
  } finally {
    core.end();
  }
}
