import type { Core } from './core.js';
import { PosencError } from './errors.js';
import type { OperationSpec } from './generated/encodings.js';
import type { Shaped } from './inputs.js';
import { OperationHandle } from './handles.js';
import { type Placed, nothing, placeOptions } from './options.js';
import { type NumberArray, placeNumbers, readNumbers } from './positions.js';
import { HeapTensor, Tensor } from './tensor.js';

/** A tensor argument of an operation: numbers with a shape, or a flat array of them. */
export type OperationInput = NumberArray | Shaped<NumberArray> | Tensor | HeapTensor;

/** uint32 each: address, count, rank, 8 extents (bindings/cpp/operation.cpp). */
const kRecord = 11;

/**
 * @internal Runs an operation of the encoding `id`: its tensor arguments in order, then an object of its scalar ones.
 * Several results come as an object of tensors.
 */
export function runOperation(
  core: Core,
  id: string,
  spec: OperationSpec,
  instance: number,
  args: readonly unknown[],
): Tensor | Record<string, Tensor> {
  const { inputs, name } = spec;
  if (args.length > inputs.length + 1) {
    throw new PosencError('unknownOption', name, `${args.length} arguments`, `at most ${inputs.length + 1}`);
  }
  core.begin();
  try {
    const options = placeArguments(core, args[inputs.length]);
    const records = core.take(4 * kRecord * inputs.length, name);
    inputs.forEach((input, index) => placeInput(core, input, args[index], (records >>> 2) + index * kRecord));
    const list = { address: records, count: inputs.length };
    const run = new OperationHandle(core, { id, name, from: instance, options, list });
    try {
      if (spec.results.length === 0) return readResult(core, run, 0);
      return Object.fromEntries(spec.results.map((result, index) => [result, readResult(core, run, index)]));
    } finally {
      run.delete();
    }
  } finally {
    core.end();
  }
}

function readResult(core: Core, run: OperationHandle, index: number): Tensor {
  const shape = Array.from({ length: run.rank(index) }, (_, axis) => run.extent(index, axis));
  const first = run.dataAddress(index) >>> 2;
  const size = shape.reduce((product, extent) => product * extent, 1);
  return new Tensor(core.views.f32.slice(first, first + size), shape);
}

function placeArguments(core: Core, options: unknown): Placed {
  if (options === undefined) return nothing;
  if (typeof options !== 'object' || options === null) {
    throw new PosencError('invalidType', 'options', String(options), 'an object of options');
  }
  return placeOptions(core, options, []);
}

function placeInput(core: Core, input: OperationSpec['inputs'][number], value: unknown, record: number): void {
  if (value === undefined && input.required) {
    throw new PosencError('missingOption', input.name, 'nothing', 'numbers with a shape');
  }
  if (value === undefined) {
    core.views.i32.fill(0, record, record + kRecord);
    return;
  }
  const { values, shape = [values.length] } = readNumbers(core, value, input.name);
  const address = placeNumbers(core, values, input.name);
  core.views.i32.set([address, values.length, shape.length, ...shape], record);
}
