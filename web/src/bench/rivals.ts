// The same work as plain loops over typed arrays, as one would write it in JavaScript.

/** Rows [length, width] of an encoding with its default options, or added to x. */
export type WriteRows = (length: number, width: number, x: Float32Array | undefined, out: Float32Array) => void;

function sinusoidal(length: number, width: number, x: Float32Array | undefined, out: Float32Array): void {
  const frequencies = Float64Array.from({ length: Math.ceil(width / 2) }, (_, i) => 10000 ** ((-2 * i) / width));
  for (let position = 0; position < length; position++) {
    for (let channel = 0; channel < width; channel++) {
      const angle = position * frequencies[channel >> 1]!;
      const value = channel % 2 === 0 ? Math.sin(angle) : Math.cos(angle);
      const place = position * width + channel;
      out[place] = x ? x[place]! + value : value;
    }
  }
}

/** Formulas that people write by hand, by the encoding's id. */
export const byHand: Readonly<Record<string, WriteRows>> = { sinusoidal };

export interface Turn {
  rows: number;
  length: number;
  width: number;
  turned: number;
  isHalf: boolean;
}

/** Pairs of channels of [rows, length, width] turned by factors [length, turned / 2]. */
export function turnPairs(x: Float32Array, cos: Float32Array, sin: Float32Array, out: Float32Array, turn: Turn): void {
  const { rows, length, width, turned, isHalf } = turn;
  const pairs = turned / 2;
  out.set(x);
  for (let row = 0; row < rows; row++) {
    for (let position = 0; position < length; position++) {
      const start = (row * length + position) * width;
      for (let pair = 0; pair < pairs; pair++) {
        const first = start + (isHalf ? pair : 2 * pair);
        const second = isHalf ? first + pairs : first + 1;
        const [c, s] = [cos[position * pairs + pair]!, sin[position * pairs + pair]!];
        const [a, b] = [x[first]!, x[second]!];
        out[first] = a * c - b * s;
        out[second] = a * s + b * c;
      }
    }
  }
}

/** A bias of the distance alone, [heads, count, count], from its line over the distances -(count - 1) to count - 1. */
export function fillBias(line: Float32Array, heads: number, count: number, out: Float32Array): void {
  const distances = 2 * count - 1;
  for (let head = 0; head < heads; head++) {
    for (let query = 0; query < count; query++) {
      const place = (head * count + query) * count;
      const start = head * distances + count - 1 - query;
      for (let key = 0; key < count; key++) out[place + key] = line[start + key]!;
    }
  }
}

/** Causal attention over [heads, count, width], with a bias [heads, count, count] where there is one. */
export function attend(
  q: Float32Array,
  k: Float32Array,
  v: Float32Array,
  bias: Float32Array | undefined,
  out: Float32Array,
  { heads, count, width }: { heads: number; count: number; width: number },
): void {
  const scale = 1 / Math.sqrt(width);
  const scores = new Float32Array(count);
  out.fill(0);
  for (let head = 0; head < heads; head++) {
    for (let query = 0; query < count; query++) {
      const at = (head * count + query) * width;
      let largest = -Infinity;
      for (let key = 0; key <= query; key++) {
        const from = (head * count + key) * width;
        let sum = 0;
        for (let channel = 0; channel < width; channel++) sum += q[at + channel]! * k[from + channel]!;
        const score = sum * scale + (bias ? bias[(head * count + query) * count + key]! : 0);
        scores[key] = score;
        if (score > largest) largest = score;
      }
      let total = 0;
      for (let key = 0; key <= query; key++) total += scores[key] = Math.exp(scores[key]! - largest);
      for (let key = 0; key <= query; key++) {
        const weight = scores[key]! / total;
        const from = (head * count + key) * width;
        for (let channel = 0; channel < width; channel++) out[at + channel]! += weight * v[from + channel]!;
      }
    }
  }
}
