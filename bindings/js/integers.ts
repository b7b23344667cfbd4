import type { Core } from './core.js';
import { PosencError, describe } from './errors.js';
import type { Shaped } from './inputs.js';
import { type NumberArray, readNumber, readNumbers } from './positions.js';
import { arrayTag } from './tensor.js';

/** @internal Whole numbers as int32 in staging space; 0 where they were not given. `length` undefined: any number. */
export function placeIntegers(
  core: Core,
  value: NumberArray | Shaped<NumberArray> | undefined,
  length: number | undefined,
  parameter: string,
): number {
  if (value === undefined) return 0;
  const { values } = readNumbers(core, value, parameter);
  if (length !== undefined && values.length !== length) {
    throw new PosencError('shapeMismatch', parameter, `${values.length} numbers`, `${length} numbers`);
  }
  const address = core.take(4 * values.length, parameter);
  const { i32 } = core.views;
  if (holdsIntegers(values)) {
    i32.set(values, address >>> 2);
    return address;
  }
  for (let i = 0; i < values.length; i++) i32[(address >>> 2) + i] = readInteger(values[i], `${parameter}[${i}]`);
  return address;
}

/** Whether every number of an array of this type is a whole number of 32 bits. */
function holdsIntegers(values: ArrayLike<number | bigint>): values is ArrayLike<number> {
  return ['Int8Array', 'Uint8Array', 'Int16Array', 'Uint16Array', 'Int32Array'].includes(arrayTag(values) ?? '');
}

function readInteger(value: unknown, parameter: string): number {
  const number = readNumber(value, parameter);
  if (!Number.isInteger(number)) {
    throw new PosencError('invalidType', parameter, describe(value), 'a whole number');
  }
  if (number !== (number | 0)) {
    throw new PosencError('outOfRange', parameter, describe(value), 'a whole number of 32 bits');
  }
  return number;
}
