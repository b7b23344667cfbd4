import { kMaxElements } from './core.js';
import { PosencError, describe } from './errors.js';

/** Row-major extents, outermost first. */
export type Shape = readonly number[];

/** Numbers nested in arrays as deep as the tensor has axes. */
export type NestedNumbers = number | NestedNumbers[];

/** Number of elements; `tooLarge` beyond 2^31 - 1. */
export function elementCount(shape: Shape, parameter: string): number {
  let count = 1;
  for (const extent of shape) count *= extent;
  if (count > kMaxElements) {
    throw new PosencError('tooLarge', parameter, shapeText(shape), `at most ${kMaxElements} elements`);
  }
  return count;
}

/** A copy of what the caller gave as a shape, checked to be whole numbers of 0 or more. */
export function readShape(value: unknown, parameter: string): number[] {
  if (value === null || typeof value !== 'object' || typeof (value as ArrayLike<unknown>).length !== 'number') {
    throw new PosencError('invalidType', parameter, describe(value), 'an array of whole numbers');
  }
  const list = value as ArrayLike<unknown>;
  if (list.length > 8) {
    throw new PosencError('outOfRange', parameter, `${list.length} axes`, 'at most 8 axes');
  }
  const shape: number[] = [];
  for (let axis = 0; axis < list.length; axis++) shape.push(readSize(list[axis], `${parameter}[${axis}]`));
  return shape;
}

/** A whole number of 0 or more, below 2^31. */
export function readSize(value: unknown, parameter: string): number {
  if (typeof value !== 'number' || (Number.isFinite(value) && !Number.isInteger(value))) {
    throw new PosencError('invalidType', parameter, describe(value), 'a whole number of 0 or more');
  }
  if (!(value >= 0 && value < Infinity)) {
    throw new PosencError('outOfRange', parameter, String(value), 'a whole number of 0 or more');
  }
  if (value > kMaxElements) {
    throw new PosencError('tooLarge', parameter, String(value), `at most ${kMaxElements}`);
  }
  return value;
}

export function sameShape(a: Shape, b: Shape): boolean {
  return a.length === b.length && a.every((extent, axis) => extent === b[axis]);
}

export function shapeText(shape: Shape): string {
  return `[${shape.join(', ')}]`;
}

export function nest(data: ArrayLike<number>, shape: Shape): NestedNumbers {
  let offset = 0;
  const level = (axis: number): NestedNumbers => {
    if (axis === shape.length) return data[offset++] ?? NaN;
    return Array.from({ length: shape[axis] ?? 0 }, () => level(axis + 1));
  };
  return level(0);
}
