/** What the WebAssembly module exports: bindings/cpp/module.cpp (embind) and the plain exports beside it. */

/** A bulk call: takes the address of its frame, returns a status. */
export type BulkCall = (frame: number) => number;

export interface WasmModule {
  /** An object's address, or 0: kind, address of a MakeCall, seed. */
  make(kind: number, call: number, seed: number): number;
  number(kind: number, object: number, which: number, i: number, axis: number): number;
  change(what: number, object: number, name: number, nameBytes: number, values: number, count: number, commit: boolean): number;
  remove(kind: number, object: number): void;

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

/** Emscripten's glue: makes a module, asking the hook for the instance. */
export type ModuleFactory = (options: {
  instantiateWasm(
    imports: WebAssembly.Imports,
    done: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
  ): object;
  print(): void;
  printErr(): void;
}) => Promise<WasmModule>;
