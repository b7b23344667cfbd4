// tfjs on the page, from this site.
import plain from '@tensorflow/tfjs-backend-wasm/dist/tfjs-backend-wasm.wasm?url';
import simd from '@tensorflow/tfjs-backend-wasm/dist/tfjs-backend-wasm-simd.wasm?url';
import threaded from '@tensorflow/tfjs-backend-wasm/dist/tfjs-backend-wasm-threaded-simd.wasm?url';
import { startTfjs, type Tf } from './tfjs.js';

const here = (address: string): string => new URL(address, import.meta.url).href;

export const loadTfjs = () => startTfjs(async () => {
  const tf = await import('@tensorflow/tfjs-core');
  const { setWasmPaths } = await import('@tensorflow/tfjs-backend-wasm/dist/tf-backend-wasm.fesm.min.js');
  setWasmPaths({
    'tfjs-backend-wasm.wasm': here(plain),
    'tfjs-backend-wasm-simd.wasm': here(simd),
    'tfjs-backend-wasm-threaded-simd.wasm': here(threaded),
  });
  return tf as unknown as Tf;
});
