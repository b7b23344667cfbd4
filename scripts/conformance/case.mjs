// One case: its tensors, and a record of which were compared.
import { difference, shapeDifference } from './compare.mjs';

/** Tensors whose name ends so show the error of the reference's own float32, for information only. */
const information = /_float32_reference$/;

export class Case {
  /**
   * @param {object} init
   * @param {string} init.name what the report calls it
   * @param {string[]} init.ids what `--only` selects it by; the first is the mapper's
   * @param {object} [init.params] hyper-parameters or attributes
   * @param {Map<string, { dtype: string, shape: number[], data: ArrayBufferView }>} [init.tensors]
   * @param {(tensor: string) => import('./compare.mjs').Bound[]} [init.boundsOf]
   * @param {(id: string) => boolean} [init.selects] another rule for `--only`
   */
  constructor({ name, ids, params = {}, tensors = new Map(), boundsOf = () => [], selects, ...rest }) {
    Object.assign(this, { name, ids, params, tensors, boundsOf, selects, ...rest });
    this.failures = [];
    this.touched = new Set();
  }

  has(name) {
    return this.tensors.has(name);
  }

  /** The stored tensor, marked as one that the case reads. */
  raw(name) {
    const tensor = this.tensors.get(name);
    if (!tensor) throw new Error(`the file has no tensor "${name}"`);
    this.touched.add(name);
    return tensor;
  }

  /** An input as the API takes it: floats as { data, shape }, widened from halves by the API itself. */
  input(name, posenc) {
    const { dtype, shape, data } = this.raw(name);
    if (dtype === 'F32') return { data, shape };
    if (dtype === 'F16' || dtype === 'BF16') return posenc.fromHalf(data, shape, dtype.toLowerCase());
    if (dtype === 'F64') return { data: Float32Array.from(data), shape };
    throw new Error(`tensor "${name}" is ${dtype}, expected floats`);
  }

  /** Whole numbers of an input as JavaScript numbers. */
  integers(name) {
    return Array.from(this.raw(name).data, Number);
  }

  /** Marks tensors that the case has no use for, such as the token ids that positions were counted from. */
  context(...names) {
    names.forEach((name) => this.touched.add(name));
  }

  /**
   * Compares a result with the tensor of that name.
   * @param {{ data: ArrayLike<number>, shape: readonly number[] }} got
   * @param {(index: number) => boolean} [where] elements that count
   */
  check(name, got, where) {
    const want = this.raw(name);
    const text = shapeDifference(got.shape, want.shape) ?? difference(got.data, want.data, this.boundsOf(name), where);
    if (text) this.failures.push(`${name}: ${text}`);
  }

  /** Compares half floats after rounding the result as the API does. */
  checkHalf(name, got, posenc) {
    const { dtype, shape, data } = this.raw(name);
    const format = dtype.toLowerCase();
    const widen = (bits, extents) => posenc.fromHalf(bits, extents, format);
    const half = posenc.toHalf(got, format);
    const text =
      shapeDifference(half.shape, shape) ??
      difference(widen(half.data, half.shape).data, widen(data, shape).data, this.boundsOf(name));
    if (text) this.failures.push(`${name}: ${text}`);
  }

  /** Compares numbers that are no tensor of the file. */
  checkNumbers(name, got, want, bounds) {
    const text = difference(got, want, bounds);
    if (text) this.failures.push(`${name}: ${text}`);
  }

  fail(text) {
    this.failures.push(text);
  }

  /** Tensors that the mapper neither read nor compared. */
  untouched() {
    return [...this.tensors.keys()].filter((name) => !this.touched.has(name) && !information.test(name));
  }
}
