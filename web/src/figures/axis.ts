// Where values stand along a picture's edge, and how a place is called.
import { formatTick, formatValue } from '../lib/format.js';
import { linearTicks, logTicks } from '../lib/ticks.js';

/** One side of a picture that is made of cells: cell i stands for start + i, for values[i], or for names[i]. */
export interface CellAxis {
  label: string;
  start?: number;
  /** Ascending, evenly spread or growing; ticks stand at round numbers between them. */
  values?: ArrayLike<number>;
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

/** Which place a value between the first and the last would have among ascending ones. */
function placeAmong(values: ArrayLike<number>, value: number): number {
  let next = 1;
  while (next < values.length - 1 && values[next]! < value) next++;
  const [low, high] = [values[next - 1]!, values[next] ?? Infinity];
  return next - 1 + (value - low) / (high - low);
}

/** How many times the first step the last one may be for steps to count as even. */
const even = 4;

/** Round numbers from the first to the last of some values: 0, 1, 10, 100, ... where their steps grow. */
function roundNumbers(values: ArrayLike<number>, most: number): number[] {
  const [first, last] = [values[0]!, values[values.length - 1]!];
  const grows = first >= 0 && last - values[values.length - 2]! > even * (values[1]! - first);
  if (!grows) return linearTicks(first, last, most, true);
  return [...(first === 0 ? [0] : []), ...logTicks(Math.max(1, first), last, most - 1)];
}

/** Without ticks so near the one before that their texts would run into one another, as those of 0 and 1 may. */
function apart(ticks: readonly Tick[], least: number): Tick[] {
  const kept: Tick[] = [];
  for (const tick of ticks) if (kept.length === 0 || tick.at - kept.at(-1)!.at >= least) kept.push(tick);
  return kept;
}

export function cellTicks(axis: CellAxis, count: number, most: number): Tick[] {
  const { values } = axis;
  if (values && values.length > 1) {
    const ticks = roundNumbers(values, Math.min(most, count)).map((value) => ({ at: (placeAmong(values, value) + 0.5) / count, text: formatTick(value) }));
    return apart(ticks, 0.5 / most);
  }
  const start = axis.start ?? 0;
  return linearTicks(start, start + count - 1, Math.min(most, count), true).map((value) => ({
    at: (value - start + 0.5) / count,
    text: axis.names?.[value - start] ?? formatTick(value),
  }));
}

/** "position 12" */
export function cellName(axis: CellAxis, index: number): string {
  const name = axis.names?.[index] ?? formatValue(axis.values?.[index] ?? (axis.start ?? 0) + index);
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
