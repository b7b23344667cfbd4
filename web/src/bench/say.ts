// Cases said without the library. Tables, factors and lines of distances are asked of it once and given to rivals ready;
// what an encoding does beyond that is found out by comparing results.
import type { BiasEncoding, Encoding, InputEncoding, RotaryEncoding } from 'posenc';
import { fillBias } from '../../../scripts/bench/by-hand.mjs';
import type { Attend, Task, Turn } from './task.js';

type Options = Readonly<Record<string, unknown>>;
type Place = Omit<NonNullable<Parameters<BiasEncoding['bias']>[2]>, 'into'>;

const isHalf = (options: object): boolean => (options as Options)['layout'] !== 'interleaved';

type RowsTask = (encoding: InputEncoding, length: number) => Task | undefined;

/** Encodings whose rows people write by hand, by id. */
const rowsOf: Readonly<Record<string, RowsTask>> = {
  learned(encoding, length) {
    const table = encoding.tensor('table')?.data.slice(0, length * encoding.width);
    return table && { kind: 'copy', shape: [length, encoding.width], table };
  },
  binary(encoding, length) {
    const table = encoding.tensor('table');
    const [places = 0, radix = 0, width = 0] = table?.shape ?? [];
    return table && { kind: 'digits', shape: [length, width], length, width, places, radix, table: table.data };
  },
  lowRank(encoding, length) {
    const [basis, coefficients] = [encoding.tensor('basis'), encoding.tensor('coefficients')];
    const [rank = 0, width = 0] = basis?.shape ?? [];
    return basis && coefficients && { kind: 'lowRank', shape: [length, width], length, width, rank, coefficients: coefficients.data, basis: basis.data };
  },
};

export function rowsTask(encoding: InputEncoding, length: number, x: Float32Array | undefined): Task | undefined {
  const { id, width } = encoding;
  if (id === 'sinusoidal') return { kind: 'sines', shape: [length, width], length, width, x };
  return x ? undefined : rowsOf[id]?.(encoding, length);
}

type RopePositions = Parameters<RotaryEncoding['table']>[0];

export function turnTask(rope: RotaryEncoding, positions: RopePositions, x: Float32Array, shape: readonly number[]): Turn | undefined {
  if (rope.rotaryDim !== rope.headDim) return undefined;
  const { cos, sin } = rope.table(positions);
  const [heads = 0, length = 0, width = 0] = shape;
  return { kind: 'turn', shape, x, cos: cos.data, sin: sin.data, heads, length, width, isHalf: isHalf(rope.options) };
}

export function biasTask(bias: BiasEncoding, count: number): Task {
  const line = bias.bias(1, 2 * count - 1, { qOffset: count - 1 }).data;
  return { kind: 'bias', shape: [bias.heads, count, count], heads: bias.heads, count, line };
}

/** A line of distances written out for every pair. */
export function fillLine(line: Float32Array, heads: number, count: number, out: Float32Array): void {
  fillBias(heads, count, (head, distance) => line[head * (2 * count - 1) + distance + count - 1]!, out);
}

export function attendTask(
  encoding: Encoding,
  [q, k, v]: readonly [Float32Array, Float32Array, Float32Array],
  shape: readonly number[],
  place: Place,
): Attend | undefined {
  const [heads = 0, count = 0, width = 0] = shape;
  const { family } = encoding;
  const common: Attend = { kind: 'attend', shape, q, k, v, heads, count, width, bias: undefined, turn: undefined };
  if (family === 'none') return common;
  if (family === 'bias') return { ...common, bias: (encoding as BiasEncoding).bias(count, count, place).data };
  const rope = encoding as RotaryEncoding;
  if (family !== 'rotary' || rope.rotaryDim !== width || rope.axes !== 1) return undefined;
  const { cos, sin } = rope.table(count);
  return { ...common, turn: { cos: cos.data, sin: sin.data, isHalf: isHalf(rope.options) } };
}
