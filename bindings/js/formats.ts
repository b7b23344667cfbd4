/** Files of numbers: safetensors and NumPy's .npy, read without believing their headers, and written. No module is needed. */
export { toFloats } from './formats/floats.js';
export type { Floats } from './formats/floats.js';
export type { SafetensorsHeader, StoredEntry } from './formats/header.js';
export { readNpy, writeNpy } from './formats/npy.js';
export type { NpyDtype } from './formats/npy.js';
export { openSafetensors, readSafetensors, writeSafetensors } from './formats/safetensors.js';
export type { OpenSafetensors, SafetensorsFile } from './formats/safetensors.js';
export type { ArrayOfDtype, Dtype, FileBytes, StoredArray, StoredTensor } from './formats/stored.js';
export type { Writable } from './formats/writable.js';
