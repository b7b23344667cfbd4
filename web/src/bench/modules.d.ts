// Rivals' files that come without types of their own.
declare module '@tensorflow/tfjs-backend-wasm/dist/tf-backend-wasm.fesm.min.js' {
  export function setWasmPaths(paths: Readonly<Record<string, string>>): void;
}
