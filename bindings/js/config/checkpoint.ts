// A released checkpoint: tensors by Hugging Face's names, found by how the names end.
import { PosencError, describe } from '../errors.js';
import type { Floats } from '../formats/floats.js';
import { readEntry, readHeader } from '../formats/safetensors.js';
import { type FileBytes, bytesOf } from '../formats/stored.js';
import type { Posenc } from '../posenc.js';
import { readShape } from '../shape.js';
import { arrayTag, checkLength } from '../tensor.js';
import type { Weight } from '../weights.js';
import { show } from './reader.js';

/** A tensor of a file, or of whoever read one: with `dtype` 'F16' or 'BF16' the data are bits of half floats. */
export interface NamedTensor {
  /** The numbers, row by row. */
  readonly data: ArrayLike<number> | BigInt64Array;
  /** Extents, outermost first. */
  readonly shape?: readonly number[];
  /** The same, as other libraries spell it. */
  readonly dims?: readonly number[];
  /** What the data are: only 'F16', 'BF16' and the 8-bit floats are told apart from numbers. */
  readonly dtype?: string;
}

export type { Floats } from '../formats/floats.js';

/** Tensors by name. */
export type NamedWeights = Readonly<Record<string, Weight | NamedTensor>>;

/** Tensors by name; which of them were taken. */
export class Checkpoint {
  readonly used = new Set<string>();
  readonly #posenc: Posenc;
  readonly #tensors: NamedWeights;
  readonly #byLast = new Map<string, string[]>();

  constructor(posenc: Posenc, tensors: NamedWeights) {
    this.#posenc = posenc;
    this.#tensors = tensors;
    for (const name of Object.keys(tensors)) {
      const last = lastWord(name);
      this.#byLast.set(last, [...(this.#byLast.get(last) ?? []), name]);
    }
  }

  /** Of a file's tensors those that are read are copied, and no other. */
  static ofFile(posenc: Posenc, bytes: FileBytes): Checkpoint {
    const file = bytesOf(bytes, 'weights');
    const tensors = Object.entries(readHeader(file, 'weights').tensors).map(([name, entry]) => {
      const { dtype, shape } = entry;
      return [name, { dtype, shape, get data() { return readEntry(file, entry).data; } }];
    });
    return new Checkpoint(posenc, Object.fromEntries(tensors) as NamedWeights);
  }

  /**
   * The name in the checkpoint that is one of these or ends in one, the first that is there.
   * @param hints words that choose between several
   */
  find(endings: readonly string[], hints: readonly string[]): string | undefined {
    for (const ending of endings) {
      const all = (this.#byLast.get(lastWord(ending)) ?? []).filter((name) => name === ending || name.endsWith(`.${ending}`));
      const hinted = all.length > 1 ? all.filter((name) => hints.some((hint) => name.includes(hint))) : all;
      const [found, other] = hinted.length > 0 ? hinted : all;
      if (other !== undefined) {
        throw new PosencError('unsupported', 'weights', `${show(found)} and ${show(other)}`, `one tensor whose name ends in ${ending}: pass those of one model`);
      }
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** The tensor of that name. */
  read(name: string): Floats {
    this.used.add(name);
    const tensor = this.#tensors[name] as Weight | NamedTensor;
    if (tensor instanceof Float32Array) return { data: tensor, shape: [tensor.length] };
    const { data, shape, dims, dtype } = (typeof tensor === 'object' && tensor !== null ? tensor : {}) as Partial<NamedTensor>;
    const extents = shape ?? dims;
    if (!(Array.isArray(data) || arrayTag(data) !== undefined) || extents === undefined) {
      throw new PosencError('invalidType', `weights.${name}`, describe(tensor), 'a Float32Array, or { data, shape }');
    }
    checkLength(data as ArrayLike<number>, readShape(extents, `weights.${name}.shape`), `weights.${name}`);
    if (String(dtype).startsWith('F8')) throw new PosencError('unsupported', `weights.${name}`, show(dtype), 'floats of 16 bits or more');
    if (dtype === 'F16' || dtype === 'BF16') {
      if (arrayTag(data) !== 'Uint16Array') throw new PosencError('invalidType', `weights.${name}.data`, describe(data), 'a Uint16Array of their bits');
      return { data: this.#posenc.fromHalf(data as unknown as Uint16Array, extents, dtype === 'F16' ? 'f16' : 'bf16').data, shape: extents };
    }
    return { data: data instanceof Float32Array ? data : Float32Array.from(data as ArrayLike<number>, Number), shape: extents };
  }
}

function lastWord(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}

/** [rows, columns] → [columns, rows]. */
export function transposed({ data, shape }: Floats): Floats {
  const [rows = 0, columns = 0] = shape;
  const out = new Float32Array(data.length);
  for (let r = 0; r < rows; r++) for (let c = 0; c < columns; c++) out[c * rows + r] = data[r * columns + c] ?? 0;
  return { data: out, shape: [columns, rows] };
}

/** [in, ..] → [.., in]: the first axis last. */
export function firstLast({ data, shape }: Floats): Floats {
  const [first = 0, ...rest] = shape;
  const { data: turned } = transposed({ data, shape: [first, first > 0 ? data.length / first : 0] });
  return { data: turned, shape: [...rest, first] };
}

/** Rows through a layer norm, as DeBERTa's table goes through the encoder's. */
export function layerNormed({ data, shape }: Floats, weight: Float32Array, bias: Float32Array, epsilon: number): Floats {
  const width = shape.at(-1) ?? 1;
  const out = new Float32Array(data.length);
  for (let row = 0; row < data.length; row += width) {
    const values = data.subarray(row, row + width);
    const mean = values.reduce((sum, value) => sum + value, 0) / width;
    const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / width;
    values.forEach((value, c) => {
      out[row + c] = ((value - mean) / Math.sqrt(variance + epsilon)) * (weight[c] ?? 1) + (bias[c] ?? 0);
    });
  }
  return { data: out, shape };
}

/** A filter of weight norm, g · v / |v| for each tap: [out, in, taps] and [1, 1, taps]. */
export function weightNormed(v: Floats, g: Floats): Floats {
  const taps = v.shape.at(-1) ?? 1;
  const squares = new Float64Array(taps);
  v.data.forEach((value, n) => (squares[n % taps] = (squares[n % taps] ?? 0) + value * value));
  return { data: v.data.map((value, n) => (value * (g.data[n % taps] ?? 0)) / Math.sqrt(squares[n % taps] ?? 1)), shape: v.shape };
}
