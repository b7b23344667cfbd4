// One case: its tensors and parameters, and a record of which were compared or read.
import { difference, shapeDifference } from './compare.mjs';

/** Tensors whose name ends so show the error of the reference's own float32, for information only. */
const information = /_float32_reference$/;

/** An object that notes in `read` which of its fields were asked for. */
function noting(fields, read) {
  return new Proxy(fields, {
    get(target, name) {
      read.add(name);
      return target[name];
    },
  });
}

export class Case {
  /**
   * @param {object} init
   * @param {string} init.name what the report calls it
   * @param {string[]} init.ids what `--only` selects it by; the first is the mapper's
   * @param {object} [init.params] hyper-parameters or attributes
   * @param {Map<string, { dtype: string, shape: number[], data: ArrayBufferView }>} [init.tensors]
   * @param {(tensor: string) => import('./compare.mjs').Bound[]} [init.boundsOf]
   * @param {string[]} [init.described] parameters that tell a reader where numbers come from
   * @param {(id: string) => boolean} [init.selects] another rule for `--only`
   */
  constructor({ name, ids, params = {}, tensors = new Map(), boundsOf = () => [], selects, described = [], ...rest }) {
    const read = new Set(described);
    Object.assign(this, { name, ids, params: noting(params, read), tensors, boundsOf, selects, ...rest });
    this.failures = [];
    this.touched = new Set();
    this.read = read;
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

  /** Compares parameters that say again what shapes or other parameters say. */
  confirm(values) {
    for (const [name, value] of Object.entries(values)) {
      const given = this.params[name];
      if (given === undefined || JSON.stringify(given) === JSON.stringify(value)) continue;
      this.fail(`parameter ${name}: ${JSON.stringify(given)}, expected ${JSON.stringify(value)} by the rest of the file`);
    }
  }

  /** Refuses a parameter whose value is none of those that the mapper knows. */
  expect(name, ...known) {
    const given = this.params[name];
    if (given === undefined || known.some((value) => JSON.stringify(value) === JSON.stringify(given))) return;
    const allowed = known.map((value) => JSON.stringify(value)).join(', ');
    throw new Error(`parameter ${name} is ${JSON.stringify(given)}, known here: ${allowed}`);
  }

  fail(text) {
    this.failures.push(text);
  }

  /** Parameters that the mapper passed over: what they ask for was not done. */
  unread() {
    return Object.keys(this.params).filter((name) => !this.read.has(name));
  }

  /** Tensors that the mapper neither read nor compared. */
  untouched() {
    return [...this.tensors.keys()].filter((name) => !this.touched.has(name) && !information.test(name));
  }
}
