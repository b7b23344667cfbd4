// onnxruntime-web on the page, from this site.
import wasm from 'onnxruntime-web/ort-wasm-simd-threaded.wasm?url';
import { startOrt, type Ort } from './ort.js';

export const loadOrt = () => startOrt(async () => {
  const ort = await import('onnxruntime-web/wasm');
  ort.env.wasm.wasmPaths = { wasm: new URL(wasm, import.meta.url).href };
  return ort as unknown as Ort;
});
