import type { Core } from './core.js';
import type { Encoding } from './encoding.js';
import { PosencError } from './errors.js';
import type { Tensor } from './tensor.js';
import type { EncodingHandle, LayerHandle } from './handles.js';
import { type TensorSlot, type Weight, type WeightPlace, gradientBytesOf, readGradients, readSlot, setWeights, slotsOf } from './weights.js';

/**
 * Weights of an attention layer, by name. Shapes are those of `weightLayout: 'inOut'`; with 'outIn' the two axes of a
 * matrix change places.
 */
export interface LayerWeights {
  /** [dim, heads · headDim]; column h · headDim + c is channel c of head h. */
  Wq?: Weight;
  /** [contextDim, kvHeads · headDim] */
  Wk?: Weight;
  /** [contextDim, kvHeads · valueDim] */
  Wv?: Weight;
  /** [heads · valueDim, dim] */
  Wo?: Weight;
  /** [heads · headDim] */
  bq?: Weight;
  /** [kvHeads · headDim] */
  bk?: Weight;
  /** [kvHeads · valueDim] */
  bv?: Weight;
  /** [dim] */
  bo?: Weight;
  /** Wq, Wk and Wv side by side in one matrix, as com.microsoft.Attention has them; with 'outIn' one below the other. */
  Wqkv?: Weight;
  /** bq, bk and bv one after the other. */
  bqkv?: Weight;
  /** Tensors of the encodings: `name.tensor`. */
  [nameAndTensor: `${string}.${string}`]: Weight | undefined;
}

/** Names of the tensors that a packed one stands for. */
const packed: Readonly<Record<string, readonly string[]>> = { Wqkv: ['Wq', 'Wk', 'Wv'], bqkv: ['bq', 'bk', 'bv'] };

/** @internal The tensors of a layer and of its encodings under one set of names. */
export class LayerTensors {
  readonly #layer: LayerHandle;
  readonly #own: EncodingHandle;
  readonly #slots: readonly TensorSlot[];
  readonly #encodings: readonly Encoding<object>[];

  constructor(layer: LayerHandle, own: EncodingHandle, encodings: readonly Encoding<object>[]) {
    this.#layer = layer;
    this.#own = own;
    this.#slots = slotsOf(own);
    this.#encodings = encodings;
  }

  get trainable(): string[] {
    const named = ({ name, trainable }: Encoding<object>): string[] => trainable.map((tensor) => `${name}.${tensor}`);
    return [...this.#slots.map(({ name }) => name), ...this.#encodings.flatMap(named)];
  }

  read(core: Core): Record<string, Tensor> {
    const own = this.#slots.map((slot, index): [string, Tensor] => [slot.name, readSlot(core, this.#own, slot, index)]);
    const others = this.#encodings.flatMap((encoding) =>
      Object.entries(encoding.parameters as Record<string, Tensor>).map(([tensor, value]): [string, Tensor] => [`${encoding.name}.${tensor}`, value]),
    );
    return Object.fromEntries([...own, ...others]);
  }

  write(core: Core, values: LayerWeights): void {
    setWeights(core, values as Readonly<Record<string, Weight | undefined>>, (name) => this.#placeOf(name, values));
  }

  /** Bytes of all gradients, laid one after the other. */
  get gradientBytes(): number {
    return this.#encodings.reduce((bytes, encoding) => bytes + encoding.gradientBytes, gradientBytesOf(this.#slots));
  }

  readGradients(core: Core, address: number): Record<string, Tensor> {
    const gradients = readGradients(core, this.#slots, address);
    let next = address + gradientBytesOf(this.#slots);
    for (const encoding of this.#encodings) {
      for (const [tensor, gradient] of encoding.readGradients(core, next)) gradients.push([`${encoding.name}.${tensor}`, gradient]);
      next += encoding.gradientBytes;
    }
    return Object.fromEntries(gradients);
  }

  #placeOf(name: string, values: LayerWeights): WeightPlace {
    const parts = Object.hasOwn(packed, name) ? packed[name] : undefined;
    if (parts !== undefined) return this.#placeOfPacked(name, parts, values);
    const dot = name.lastIndexOf('.');
    const encoding = dot < 0 ? undefined : this.#encodings.find((each) => each.name === name.slice(0, dot));
    if (encoding !== undefined) return encoding.placeOf(name.slice(dot + 1));
    const slot = this.#slots.find((each) => each.name === name);
    if (slot !== undefined) {
      return { shape: slot.shape, set: (address, count, commit) => this.#own.setTensor(name, address, count, commit) };
    }
    const known = [...this.#slots.map((each) => each.name), ...Object.keys(packed), ...this.#encodings.map((each) => `${each.name}.*`)];
    throw new PosencError('unknownOption', `weights.${name}`, name, `one of ${known.join(', ')}`);
  }

  #placeOfPacked(name: string, parts: readonly string[], values: LayerWeights): WeightPlace {
    const twice = parts.find((part) => (values as Record<string, unknown>)[part] !== undefined);
    if (twice !== undefined) {
      throw new PosencError('unsupported', `weights.${twice}`, `a value beside ${name}`, `one of the two`);
    }
    const slots = parts.map((part) => this.#slots.find((slot) => slot.name === part));
    const total = (axis: number): number => slots.reduce((sum, slot) => sum + (slot?.shape[axis] ?? 0), 0);
    const [rows = 0, columns = 0] = slots[0]?.shape ?? [];
    const matrix = this.#layer.inOut() ? [rows, total(1)] : [total(0), columns];
    // Of what is not there C++ says why.
    const shape = slots[0] === undefined || this.#layer.dim() !== this.#layer.contextDim() ? undefined : name === 'bqkv' ? [total(0)] : matrix;
    return { shape, set: (address, count, commit) => this.#layer.setPacked(name, address, count, commit) };
  }
}
