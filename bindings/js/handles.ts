import type { Core } from './core.js';
import { AttentionNumber, CacheNumber, Change, EncodingNumber, Kind, LayerNumber, OperationNumber } from './generated/names.js';
import { type Placed, nothing, placeText } from './options.js';

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
  readonly #kind: Kind;
  readonly address: number;

  protected constructor(core: Core, kind: Kind, address: number) {
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
  protected change(what: Change, values: number, count: number, name = '', commit = true): number {
    const { address, count: bytes } = name === '' ? nothing : placeText(this.#core, name);
    return this.#core.wasm.change(what, this.address, address, bytes, values, count, commit);
  }

  protected text(address: number): string {
    return this.#core.text(address);
  }
}

/** The address of a new object, or throws why there is none. */
function make(core: Core, kind: Kind, { id, name, from = 0, options = nothing, list = nothing, seed = 0 }: Making): number {
  const texts = [id, name].map((text) => (text === undefined ? 0 : placeText(core, `${text}\0`).address));
  core.views.i32.set([...texts, from, options.address, options.count, list.address, list.count], core.frame >>> 2);
  const address = core.wasm.make(kind, core.frame, seed);
  if (address === 0) throw core.lastError();
  return address;
}

/** @internal An encoding of any family; the getters of one family are called for encodings of that family only. */
export class EncodingHandle extends Handle {
  constructor(core: Core, making: Making, kind: Kind.encoding | Kind.layerWeights = Kind.encoding) {
    super(core, Kind.encoding, make(core, kind, making)); // weights of a layer too are an encoding to C++
  }

  axes(): number {
    return this.number(EncodingNumber.axes);
  }
  tensorCount(): number {
    return this.number(EncodingNumber.tensorCount);
  }
  tensorName(index: number): string {
    return this.text(this.number(EncodingNumber.tensorName, index));
  }
  tensorRank(index: number): number {
    return this.number(EncodingNumber.tensorRank, index);
  }
  tensorExtent(index: number, axis: number): number {
    return this.number(EncodingNumber.tensorExtent, index, axis);
  }
  tensorTrained(index: number): boolean {
    return this.number(EncodingNumber.tensorTrained, index) !== 0;
  }
  tensorAddress(index: number): number {
    return this.number(EncodingNumber.tensorAddress, index);
  }
  width(): number {
    return this.number(EncodingNumber.width);
  }
  readsX(): boolean {
    return this.number(EncodingNumber.readsX) !== 0;
  }
  inputScale(): number {
    return this.number(EncodingNumber.inputScale);
  }
  headDim(): number {
    return this.number(EncodingNumber.headDim);
  }
  rotaryDim(): number {
    return this.number(EncodingNumber.rotaryDim);
  }
  heads(): number {
    return this.number(EncodingNumber.heads);
  }
  termCount(): number {
    return this.number(EncodingNumber.termCount);
  }
  termSide(index: number): number {
    return this.number(EncodingNumber.termSide, index);
  }
  termWidth(index: number): number {
    return this.number(EncodingNumber.termWidth, index);
  }
  relations(): number {
    return this.number(EncodingNumber.relations);
  }
  /** Checks the values, and copies them in where `commit`; gives a status. */
  setTensor(name: string, values: number, count: number, commit: boolean): number {
    return this.change(Change.tensor, values, count, name, commit);
  }
}

/** @internal The results of an operation, until they are copied. */
export class OperationHandle extends Handle {
  constructor(core: Core, making: Making) {
    super(core, Kind.operation, make(core, Kind.operation, making));
  }

  dataAddress(result: number): number {
    return this.number(OperationNumber.dataAddress, result);
  }
  rank(result: number): number {
    return this.number(OperationNumber.rank, result);
  }
  extent(result: number, axis: number): number {
    return this.number(OperationNumber.extent, result, axis);
  }
}

/** @internal */
export class AttentionHandle extends Handle {
  readonly #borrowed: boolean;

  /** Made anew, or the one that a layer has at an address: that goes with the layer. */
  constructor(core: Core, making: Making | number) {
    super(core, Kind.attention, typeof making === 'number' ? making : make(core, Kind.attention, making));
    this.#borrowed = typeof making === 'number';
  }

  override delete(): void {
    if (!this.#borrowed) super.delete();
  }
  heads(): number {
    return this.number(AttentionNumber.heads);
  }
  kvHeads(): number {
    return this.number(AttentionNumber.kvHeads);
  }
  headDim(): number {
    return this.number(AttentionNumber.headDim);
  }
  valueDim(): number {
    return this.number(AttentionNumber.valueDim);
  }
}

/** @internal */
export class LayerHandle extends Handle {
  constructor(core: Core, making: Making) {
    super(core, Kind.layer, make(core, Kind.layer, making));
  }

  dim(): number {
    return this.number(LayerNumber.dim);
  }
  contextDim(): number {
    return this.number(LayerNumber.contextDim);
  }
  outWidth(): number {
    return this.number(LayerNumber.outWidth);
  }
  inOut(): boolean {
    return this.number(LayerNumber.inOut) !== 0;
  }
  attention(): number {
    return this.number(LayerNumber.attention);
  }
  /** Of Wq, Wk and Wv side by side, or their biases: checks, and splits them where `commit`; gives a status. */
  setPacked(name: string, values: number, count: number, commit: boolean): number {
    return this.change(Change.packedTensor, values, count, name, commit);
  }
}

/** @internal Changes give a status. */
export class CacheHandle extends Handle {
  constructor(core: Core, making: Making, kind: Kind.cache | Kind.cacheCopy = Kind.cache) {
    super(core, Kind.cache, make(core, kind, making));
  }

  batch(): number {
    return this.number(CacheNumber.batch);
  }
  capacity(): number {
    return this.number(CacheNumber.capacity);
  }
  longest(): number {
    return this.number(CacheNumber.longest);
  }
  length(row: number): number {
    return this.number(CacheNumber.length, row);
  }
  bytes(): number {
    return this.number(CacheNumber.bytes);
  }
  truncate(length: number): number {
    return this.change(Change.truncate, 0, length);
  }
  truncateRows(lengths: number, count: number): number {
    return this.change(Change.truncateRows, lengths, count);
  }
  reorder(rows: number, count: number): number {
    return this.change(Change.reorder, rows, count);
  }
  slide(length: number): number {
    return this.change(Change.slide, 0, length);
  }
}
