// Where values stand along a picture's edge, and how a place is called.
import { formatTick, formatValue } from '../lib/format.js';
import { linearTicks, logTicks } from '../lib/ticks.js';

/** One side of a picture that is made of cells: cell i stands for start + i, or for names[i]. */
export interface CellAxis {
  label: string;
  start?: number;
  names?: readonly string[];
}

/** One side of a plot of numbers. */
export interface NumberAxis {
  label: string;
  log?: boolean;
  /** Ticks at whole numbers only. */
  whole?: boolean;
}

export interface Tick {
  /** 0 at the low end, 1 at the high end. */
  at: number;
  text: string;
}

export function cellTicks(axis: CellAxis, count: number, most: number): Tick[] {
  const start = axis.start ?? 0;
  return linearTicks(start, start + count - 1, Math.min(most, count), true).map((value) => ({
    at: (value - start + 0.5) / count,
    text: axis.names?.[value - start] ?? formatTick(value),
  }));
}

/** "position 12" */
export function cellName(axis: CellAxis, index: number): string {
  const name = axis.names?.[index] ?? formatValue((axis.start ?? 0) + index);
  return `${axis.label} ${name}`;
}

export function numberTicks(axis: NumberAxis, low: number, high: number, most: number): Tick[] {
  const values = axis.log ? logTicks(low, high, most) : linearTicks(low, high, most, axis.whole);
  return values.map((value) => ({ at: placeOf(axis, low, high, value), text: formatTick(value) }));
}

/** Where a value stands between low (0) and high (1). */
export function placeOf(axis: NumberAxis, low: number, high: number, value: number): number {
  if (high === low) return 0.5;
  if (axis.log) return Math.log(value / low) / Math.log(high / low);
  return (value - low) / (high - low);
}
