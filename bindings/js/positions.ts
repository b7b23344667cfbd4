import type { Core } from './core.js';
import { PosencError, describe } from './errors.js';
import type { PositionRows } from './generated/calls.js';
import { type Shaped, shapeOf, shapedData } from './inputs.js';
import { type Shape, elementCount, readSize, shapeText } from './shape.js';
import { HeapTensor, arrayTag, checkAttached, checkLength } from './tensor.js';

/** Numbers in any array; those of 64 bits must fit a double exactly. */
export type NumberArray =
  | readonly (number | bigint)[]
  | Int8Array
  | Uint8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | Float32Array
  | Float64Array
  | BigInt64Array
  | BigUint64Array;

/**
 * Positions of tokens. A number p means p, p + 1, p + 2, ...; an array gives each, for all batch rows alike. With a
 * shape they may differ by batch row, `[.., n]`, and have the encoding's axes: `[.., n, axes]` (also where it is 1), or an
 * array with an array of coordinates for each token. One number per token then means what the encoding says: the
 * token's place in its grid, or the position on every axis.
 */
export type Positions = number | bigint | NumberArray | readonly NumberArray[] | Shaped<NumberArray> | HeapTensor;

/** @internal Positions that were not given. */
export const noPositions: PositionRows = { given: 0, start: 0, count: 0, axes: 1, perRow: 0, present: 0 };

/** @internal Positions start, start + 1, ... of `count` tokens. */
export function contiguous(start: number, count: number): PositionRows {
  return { given: 0, start, count, axes: 1, perRow: 0, present: 1 };
}

/** @internal Numbers with the shape that came with them, if any. */
export interface NumberList {
  readonly values: ArrayLike<number | bigint>;
  readonly shape: Shape | undefined;
}

type NumberValues = ArrayLike<number | bigint> & { readonly buffer?: ArrayBufferLike };

/** @internal */
export function readNumbers(core: Core, value: unknown, parameter: string): NumberList {
  if (isNested(value)) return flatten(core, value, parameter);
  if (isNumberArray(value)) {
    checkAttached(value, parameter);
    return { values: steady(core, value), shape: undefined };
  }
  if (value instanceof HeapTensor) {
    value.coreOf(parameter, core);
    return { values: value.view().slice(), shape: value.shape };
  }
  const values = shapedData(value, parameter, 'numbers: an array, or { data, shape }');
  if (!isNumberArray(values)) {
    throw new PosencError('invalidType', `${parameter}.data`, describe(values), 'an array of numbers');
  }
  const shape = shapeOf(value as object, parameter);
  checkLength(values, shape, parameter);
  return { values: steady(core, values), shape };
}

/**
 * Numbers that stay as they are while they are copied: a view of wasm memory would die when staging space grows it, and
 * elements of a plain array may be getters, which do anything.
 */
function steady(core: Core, values: NumberValues): ArrayLike<number | bigint> {
  return Array.isArray(values) || values.buffer === core.memory.buffer ? Array.from(values) : values;
}

function isNumberArray(value: unknown): value is NumberValues {
  return Array.isArray(value) || (ArrayBuffer.isView(value) && 'length' in value);
}

function isNested(value: unknown): value is readonly NumberValues[] {
  return Array.isArray(value) && isNumberArray(value[0]);
}

/** Rows of equal length, as [n, length]. */
function flatten(core: Core, rows: readonly NumberValues[], parameter: string): NumberList {
  const length = rows[0]?.length ?? 0;
  const values = rows.flatMap((row: unknown, i) => {
    if (!isNumberArray(row)) throw new PosencError('invalidType', `${parameter}[${i}]`, describe(row), 'an array of numbers');
    checkAttached(row, `${parameter}[${i}]`);
    if (row.length !== length) {
      throw new PosencError('shapeMismatch', `${parameter}[${i}]`, `${row.length} numbers`, `${length}, as the first has`);
    }
    return Array.from(steady(core, row));
  });
  return { values, shape: [rows.length, length] };
}

/** @internal Copies numbers into staging space as doubles and returns where. */
export function placeNumbers(core: Core, values: ArrayLike<number | bigint>, parameter: string): number {
  const address = core.take(8 * values.length, parameter);
  const { f64 } = core.views;
  const first = address >>> 3;
  if (ArrayBuffer.isView(values) && !arrayTag(values)?.startsWith('Big')) {
    f64.set(values as ArrayLike<number>, first);
    return address;
  }
  for (let i = 0; i < values.length; i++) f64[first + i] = readNumber(values[i], `${parameter}[${i}]`);
  return address;
}

/** @internal A number, or a bigint that a double holds exactly. */
export function readNumber(value: unknown, parameter: string): number {
  if (typeof value === 'number') return value;
  if (typeof value !== 'bigint') throw new PosencError('invalidType', parameter, describe(value), 'a number');
  const number = Number(value);
  if (!Number.isSafeInteger(number)) {
    throw new PosencError('outOfRange', parameter, describe(value), 'a whole number of magnitude below 2^53');
  }
  return number;
}

/** Whether a shape ends in those extents, and has one row in front of them, or `batch`. */
function fitsRows(flat: Shape, one: Shape, batch: number): number | undefined {
  const outer = flat.length - one.length;
  if (outer < 0 || !one.every((extent, axis) => flat[outer + axis] === extent)) return undefined;
  const rows = flat.slice(0, outer).reduce((product, extent) => product * extent, 1);
  return rows === 1 || rows === batch ? rows : undefined;
}

/** @internal Positions of `count` tokens in each of `batch` rows, of an encoding that needs all `axes` coordinates. */
export function readPositions(
  core: Core,
  positions: Positions | undefined,
  count: number,
  batch: number,
  axes: number,
  parameter: string,
): PositionRows {
  if (axes > 1 && (positions === undefined || typeof positions === 'number' || typeof positions === 'bigint')) {
    const code = positions === undefined ? 'missingOption' : 'shapeMismatch';
    throw new PosencError(code, parameter, describe(positions), shapeText([count, axes]));
  }
  return readAnyPositions(core, positions, count, batch, axes, parameter);
}

/**
 * @internal The same where one number per token may do: it means what the encoding says. Values are checked in C++,
 * against the encoding's domain.
 */
export function readAnyPositions(
  core: Core,
  positions: Positions | undefined,
  count: number,
  batch: number,
  axes: number,
  parameter: string,
): PositionRows {
  if (positions === undefined) return contiguous(0, count);
  if (typeof positions === 'number' || typeof positions === 'bigint') {
    return contiguous(readNumber(positions, parameter), count);
  }
  const { values, shape } = readNumbers(core, positions, parameter);
  const each = axes === 1 ? [count] : [count, axes];
  const flat = shape ?? (values.length === count * axes ? each : [values.length]);
  // Those of one axis may be [.., n, 1] too, as code for any number of axes has them.
  for (const one of axes === 1 ? [each, [count, 1]] : [each, [count]]) {
    const rows = fitsRows(flat, one, batch);
    if (rows === undefined) continue;
    const given = placeNumbers(core, values, parameter);
    return { given, start: 0, count, axes: one[1] ?? 1, perRow: rows === 1 ? 0 : 1, present: 1 };
  }
  const byRow = batch === 1 ? '' : ` or [${[batch, ...each].join(', ')}]`;
  throw new PosencError('shapeMismatch', parameter, shapeText(flat), `${shapeText(each)}${byRow}`);
}

/** @internal What encode() and table() take: a count, for positions offset, offset + 1, ..., or the positions. */
export interface PositionList {
  /** Extents of the result in front of its last axis. */
  readonly shape: Shape;
  readonly rows: PositionRows;
}

/**
 * @internal A plain array of numbers is a grid where there are several axes: [rows, cols] stands for every cell, row
 * by row.
 */
export function readPositionList(core: Core, positions: Positions, offset: number | undefined, axes: number): PositionList {
  const list = typeof positions === 'bigint' ? readNumber(positions, 'count') : positions;
  if (offset !== undefined && typeof list !== 'number') {
    throw new PosencError('unsupported', 'offset', String(offset), 'an offset together with a count');
  }
  if (typeof list === 'number' && axes === 1) {
    const count = readSize(list, 'count');
    return { shape: [count], rows: contiguous(offset ?? 0, count) };
  }
  if (typeof list === 'number' || (axes > 1 && Array.isArray(list) && !isNested(list))) return readGrid(core, list, axes, 'positions');
  const { values, shape } = readNumbers(core, list, 'positions');
  const flat = shape ?? (axes === 1 ? [values.length] : [values.length / axes, axes]);
  const outer = axes === 1 ? flat : flat.slice(0, -1);
  const count = elementCount(outer, 'positions');
  if (flat.length === 0 || count * axes !== values.length || !Number.isInteger(count)) {
    const allowed = axes === 1 ? '[.., n]' : `[.., n, ${axes}]`;
    throw new PosencError('shapeMismatch', 'positions', shapeText(shape ?? [values.length]), allowed);
  }
  const given = placeNumbers(core, values, 'positions');
  return { shape: outer, rows: { given, start: 0, count, axes, perRow: 0, present: 1 } };
}

/** @internal The positions of all cells of a grid, the last axis fastest. */
export function readGrid(core: Core, grid: unknown, axes: number, parameter: string): PositionList {
  const allowed = `extents of a grid of ${axes} axes, or positions [.., n, ${axes}]`;
  if (!isNumberArray(grid)) throw new PosencError('invalidType', parameter, describe(grid), allowed);
  const shape = Array.from(grid, (extent, axis) => readSize(readNumber(extent, `${parameter}[${axis}]`), `${parameter}[${axis}]`));
  if (shape.length !== axes) throw new PosencError('shapeMismatch', parameter, shapeText(shape), allowed);
  const count = elementCount(shape, parameter);
  elementCount([count, axes], parameter);
  const given = core.take(8 * count * axes, parameter);
  if (count > 0) writeCells(core.views.f64, given >>> 3, shape);
  return { shape, rows: { given, start: 0, count, axes, perRow: 0, present: 1 } };
}

// The last axis first; what it takes is repeated for each place on the axis before it.
function writeCells(out: Float64Array, from: number, extents: Shape): void {
  const axes = extents.length;
  let cells = 1;
  for (let axis = axes - 1; axis >= 0; axis--) {
    const extent = extents[axis] as number;
    const size = cells * axes;
    for (let place = 1; place < extent; place++) out.copyWithin(from + place * size, from, from + size);
    for (let place = 0, at = from + axis; place < extent; place++) {
      for (const end = at + size; at < end; at += axes) out[at] = place;
    }
    cells *= extent;
  }
}
