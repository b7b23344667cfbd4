import type { Core } from './core.js';
import { type Placed, nothing, placeText } from './options.js';

/** @internal Kinds of objects in wasm memory, in the order of `Kind` of bindings/cpp/objects.hpp. */
const kinds = ['encoding', 'operation', 'attention', 'layer', 'layerWeights', 'cache', 'cacheCopy'] as const;
const changes = ['tensor', 'packedTensor', 'truncate', 'truncateRows', 'reorder', 'slide'] as const;

/** @internal What an object is made from. */
export interface Making {
  id?: string;
  name?: string;
  from?: number;
  options?: Placed;
  list?: Placed;
  seed?: number;
}

/** An object in wasm memory: its address, which bulk calls take, and numbers about it. */
abstract class Handle {
  readonly #core: Core;
  readonly #kind: number;
  readonly address: number;

  protected constructor(core: Core, kind: number, address: number) {
    this.#core = core;
    this.#kind = kind;
    this.address = address;
  }

  delete(): void {
    this.#core.wasm.remove(this.#kind, this.address);
  }

  protected number(which: number, i = 0, axis = 0): number {
    return this.#core.wasm.number(this.#kind, this.address, which, i, axis);
  }

  /** A status. */
  protected change(what: (typeof changes)[number], values: number, count: number, name = '', commit = true): number {
    const { address, count: bytes } = name === '' ? nothing : placeText(this.#core, name);
    return this.#core.wasm.change(changes.indexOf(what), this.address, address, bytes, values, count, commit);
  }

  protected text(address: number): string {
    return this.#core.text(address);
  }
}

/** The address of a new object, or throws why there is none. */
function make(core: Core, kind: (typeof kinds)[number], { id, name, from = 0, options = nothing, list = nothing, seed = 0 }: Making): number {
  const texts = [id, name].map((text) => (text === undefined ? 0 : placeText(core, `${text}\0`).address));
  core.views.i32.set([...texts, from, options.address, options.count, list.address, list.count], core.frame >>> 2);
  const address = core.wasm.make(kinds.indexOf(kind), core.frame, seed);
  if (address === 0) throw core.lastError();
  return address;
}

/** @internal An encoding of any family; the getters of one family are called for encodings of that family only. */
export class EncodingHandle extends Handle {
  constructor(core: Core, making: Making, kind: 'encoding' | 'layerWeights' = 'encoding') {
    super(core, 0, make(core, kind, making)); // weights of a layer too are an encoding to C++
  }

  axes(): number {
    return this.number(0);
  }
  tensorCount(): number {
    return this.number(1);
  }
  tensorName(index: number): string {
    return this.text(this.number(2, index));
  }
  tensorRank(index: number): number {
    return this.number(3, index);
  }
  tensorExtent(index: number, axis: number): number {
    return this.number(4, index, axis);
  }
  tensorTrained(index: number): boolean {
    return this.number(5, index) !== 0;
  }
  tensorAddress(index: number): number {
    return this.number(6, index);
  }
  width(): number {
    return this.number(7);
  }
  readsX(): boolean {
    return this.number(8) !== 0;
  }
  inputScale(): number {
    return this.number(9);
  }
  headDim(): number {
    return this.number(10);
  }
  rotaryDim(): number {
    return this.number(11);
  }
  heads(): number {
    return this.number(12);
  }
  termCount(): number {
    return this.number(13);
  }
  termSide(index: number): number {
    return this.number(14, index);
  }
  termWidth(index: number): number {
    return this.number(15, index);
  }
  relations(): number {
    return this.number(16);
  }
  /** Checks the values, and copies them in where `commit`; gives a status. */
  setTensor(name: string, values: number, count: number, commit: boolean): number {
    return this.change('tensor', values, count, name, commit);
  }
}

/** @internal The results of an operation, until they are copied. */
export class OperationHandle extends Handle {
  constructor(core: Core, making: Making) {
    super(core, 1, make(core, 'operation', making));
  }

  dataAddress(result: number): number {
    return this.number(0, result);
  }
  rank(result: number): number {
    return this.number(1, result);
  }
  extent(result: number, axis: number): number {
    return this.number(2, result, axis);
  }
}

/** @internal */
export class AttentionHandle extends Handle {
  readonly #borrowed: boolean;

  /** Made anew, or the one that a layer has at an address: that goes with the layer. */
  constructor(core: Core, making: Making | number) {
    super(core, 2, typeof making === 'number' ? making : make(core, 'attention', making));
    this.#borrowed = typeof making === 'number';
  }

  override delete(): void {
    if (!this.#borrowed) super.delete();
  }
  heads(): number {
    return this.number(0);
  }
  kvHeads(): number {
    return this.number(1);
  }
  headDim(): number {
    return this.number(2);
  }
  valueDim(): number {
    return this.number(3);
  }
}

/** @internal */
export class LayerHandle extends Handle {
  constructor(core: Core, making: Making) {
    super(core, 3, make(core, 'layer', making));
  }

  dim(): number {
    return this.number(0);
  }
  contextDim(): number {
    return this.number(1);
  }
  outWidth(): number {
    return this.number(2);
  }
  inOut(): boolean {
    return this.number(3) !== 0;
  }
  attention(): number {
    return this.number(4);
  }
  /** Of Wq, Wk and Wv side by side, or their biases: checks, and splits them where `commit`; gives a status. */
  setPacked(name: string, values: number, count: number, commit: boolean): number {
    return this.change('packedTensor', values, count, name, commit);
  }
}

/** @internal Changes give a status. */
export class CacheHandle extends Handle {
  constructor(core: Core, making: Making, kind: 'cache' | 'cacheCopy' = 'cache') {
    super(core, 5, make(core, kind, making));
  }

  batch(): number {
    return this.number(0);
  }
  capacity(): number {
    return this.number(1);
  }
  longest(): number {
    return this.number(2);
  }
  length(row: number): number {
    return this.number(3, row);
  }
  bytes(): number {
    return this.number(4);
  }
  truncate(length: number): number {
    return this.change('truncate', 0, length);
  }
  truncateRows(lengths: number, count: number): number {
    return this.change('truncateRows', lengths, count);
  }
  reorder(rows: number, count: number): number {
    return this.change('reorder', rows, count);
  }
  slide(length: number): number {
    return this.change('slide', 0, length);
  }
}
