// Tensors among the options of a call of attention or of a layer, which its outputs must not overlap.
import type { AttentionCallOptions } from './attention-types.js';
import type { Core } from './core.js';
import { PosencError } from './errors.js';
import { type Source, type TensorLike, expectShape, readTensor } from './inputs.js';
import { type PlacedMask, placeMask } from './mask.js';
import { isFloat32Array } from './tensor.js';

/** @internal As they were read. The mask is in wasm memory already. */
export interface CallTensors {
  readonly mask: PlacedMask;
  readonly sinks: Source | undefined;
  readonly logitScale: Source | undefined;
}

/** @internal */
export function readCallTensors(
  core: Core,
  options: Pick<AttentionCallOptions, 'mask' | 'sinks' | 'logitScale'> | undefined,
  heads: number,
): CallTensors {
  const { mask, sinks, logitScale } = options ?? {};
  return {
    mask: placeMask(core, mask),
    sinks: sinks === undefined ? undefined : readSinks(core, sinks, heads),
    logitScale: logitScale === undefined ? undefined : readScales(core, logitScale, heads),
  };
}

/** @internal */
export function sourcesOf({ mask, sinks, logitScale }: CallTensors): (Source | undefined)[] {
  return [mask.source, sinks, logitScale];
}

function readSinks(core: Core, sinks: TensorLike | Float32Array, heads: number): Source {
  const source = readFlat(core, sinks, 'sinks');
  expectShape(source, [heads], 'heads');
  return source;
}

function readScales(core: Core, scales: TensorLike | Float32Array, heads: number): Source {
  const source = readFlat(core, scales, 'logitScale');
  if (source.size !== heads) throw new PosencError('shapeMismatch', 'logitScale', `${source.size} numbers`, `${heads}, one per head`);
  return source;
}

function readFlat(core: Core, value: TensorLike | Float32Array, parameter: string): Source {
  return readTensor(core, isFloat32Array(value) ? { data: value, shape: [value.length] } : value, parameter);
}
