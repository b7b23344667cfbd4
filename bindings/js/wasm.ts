/** What the WebAssembly module exports: bindings/cpp/module.cpp (embind) and the plain exports beside it. */

/** An object that embind owns until `delete()`. */
export interface Handle {
  delete(): void;
}

/** Options set by name; every setter returns a status. */
export interface DraftHandle extends Handle {
  number(name: string, value: number): number;
  boolean(name: string, value: boolean): number;
  text(name: string, value: string): number;
  list(name: string, values: number, count: number): number;
  refuse(name: string, received: string): number;
  group(name: string, received: string): number;
}

export interface EncodingHandle extends Handle {
  address(): number;
  axes(): number;
  tensorCount(): number;
  tensorName(index: number): string;
  tensorRank(index: number): number;
  tensorExtent(index: number, axis: number): number;
  tensorTrained(index: number): boolean;
  tensorAddress(index: number): number;
  setTensor(name: string, values: number, count: number, commit: boolean): number;
  width(): number;
  readsX(): boolean;
  inputScale(): number;
  headDim(): number;
  rotaryDim(): number;
  heads(): number;
  termCount(): number;
  termSide(index: number): number;
  termWidth(index: number): number;
  relations(): number;
}

export interface AttentionHandle extends Handle {
  address(): number;
  heads(): number;
  kvHeads(): number;
  headDim(): number;
  valueDim(): number;
}

export interface LayerHandle extends Handle {
  address(): number;
  dim(): number;
  contextDim(): number;
  outWidth(): number;
  inOut(): boolean;
  attention(): AttentionHandle | null;
  weights(): EncodingHandle | null;
  setPacked(name: string, values: number, count: number, commit: boolean): number;
}

export interface CacheHandle extends Handle {
  clone(): CacheHandle | null;
  address(): number;
  batch(): number;
  capacity(): number;
  longest(): number;
  length(row: number): number;
  bytes(): number;
  truncate(length: number): number;
  truncateRows(lengths: number, count: number): number;
  reorder(rows: number, count: number): number;
  slide(length: number): number;
}

export interface OperationHandle extends Handle {
  address(result: number): number;
  rank(result: number): number;
  extent(result: number, axis: number): number;
}

/** A bulk call: takes the address of its frame, returns a status. */
export type BulkCall = (frame: number) => number;

export interface WasmModule {
  OptionsDraft: {
    ofEncoding(id: string): DraftHandle | null;
    ofOperation(id: string, name: string): DraftHandle | null;
    ofAttention(): DraftHandle | null;
    ofLayer(): DraftHandle | null;
    ofCache(): DraftHandle | null;
  };
  EncodingHandle: { make(draft: DraftHandle, seed: number): EncodingHandle | null };
  AttentionHandle: { make(draft: DraftHandle, encodings: number, count: number): AttentionHandle | null };
  LayerHandle: { make(draft: DraftHandle, encodings: number, count: number, seed: number): LayerHandle | null };
  CacheHandle: { make(attention: AttentionHandle, draft: DraftHandle): CacheHandle | null };
  OperationRun: {
    make(draft: DraftHandle, encoding: number, inputs: number, count: number): OperationHandle | null;
  };

  _posenc_allocate(bytes: number): number;
  _posenc_release(address: number): void;
  _posenc_allocated(): number;
  _posenc_frame(): number;
  _posenc_variant(): number;
  _posenc_error_code(): number;
  _posenc_error_text(which: number): number;
  _posenc_error_length(which: number): number;
  _posenc_input_encode: BulkCall;
  _posenc_input_add: BulkCall;
  _posenc_input_concat: BulkCall;
  _posenc_input_backward: BulkCall;
  _posenc_rotary_turn: BulkCall;
  _posenc_rotary_table: BulkCall;
  _posenc_bias_write: BulkCall;
  _posenc_bias_backward: BulkCall;
  _posenc_relative_rows: BulkCall;
  _posenc_attention_forward: BulkCall;
  _posenc_attention_check: BulkCall;
  _posenc_attention_scores: BulkCall;
  _posenc_attention_backward: BulkCall;
  _posenc_layer_forward: BulkCall;
  _posenc_layer_scores: BulkCall;
  _posenc_layer_backward: BulkCall;
  _posenc_cache_append: BulkCall;
  _posenc_from_half(x: number, count: number, bfloat: number, out: number): void;
  _posenc_to_half(x: number, count: number, bfloat: number, out: number): void;
}

/** Numbers about an object, in the order in which `number` of bindings/cpp/handles.hpp gives them; `?`: 0 or 1. */
const getters = {
  EncodingHandle: [
    'axes', 'tensorCount', 'tensorRank', 'tensorExtent', 'tensorTrained?', 'tensorAddress', 'width', 'readsX?',
    'inputScale', 'headDim', 'rotaryDim', 'heads', 'termCount', 'termSide', 'termWidth', 'relations',
  ],
  AttentionHandle: ['heads', 'kvHeads', 'headDim', 'valueDim'],
  LayerHandle: ['dim', 'contextDim', 'outWidth', 'inOut?'],
  CacheHandle: ['batch', 'capacity', 'longest', 'length', 'bytes'],
} as const;

/** A method of an embind class; it wants as many arguments as C++ has. */
type NumberMethod = (which: number, ...rest: number[]) => number;

/** Gives the classes the getters that their interfaces here have. */
export function addGetters(wasm: WasmModule): void {
  for (const [name, list] of Object.entries(getters)) {
    const { prototype } = wasm[name as keyof typeof getters] as unknown as { prototype: { number: NumberMethod } };
    list.forEach((getter, which) => {
      const isFlag = getter.endsWith('?');
      const value = function (this: { number: NumberMethod }, i = 0, axis = 0): number | boolean {
        const number = this.number(which, i, axis);
        return isFlag ? number !== 0 : number;
      };
      Object.defineProperty(prototype, isFlag ? getter.slice(0, -1) : getter, { value });
    });
  }
}

/** Emscripten's glue: makes a module, asking the hook for the instance. */
export type ModuleFactory = (options: {
  instantiateWasm(
    imports: WebAssembly.Imports,
    done: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
  ): object;
  print(): void;
  printErr(): void;
}) => Promise<WasmModule>;
