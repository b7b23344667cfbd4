// Attention on a file's tensors with one relative encoding, and the gradients of its tensors.
import { attend } from './attend.mjs';

/**
 * @param {import('../case.mjs').Case} one
 * @param {object} posenc
 * @param {object} encoding
 * @param {{ options?: object, call?: object, gradients?: Record<string, [string, (tensor: object) => object]> }} how
 *   options of the attention and of the call; for each gradient of the file, the tensor that it is of, and what turns the
 *   tensor's gradient into the file's
 */
export function attendRelative(one, posenc, encoding, { options = {}, call = {}, gradients = {} }) {
  try {
    const { params } = attend(one, posenc, { ...options, encodings: [encoding] }, call);
    for (const [file, [tensor, turn = (same) => same]] of Object.entries(gradients)) {
      if (one.has(file)) one.check(file, turn(params[`${encoding.name}.${tensor}`]));
    }
  } finally {
    encoding.dispose();
  }
}

/** A mask [q, k] of a file; some mark the keys that are seen with 1, others those that are hidden. */
export function maskOf(one, seen) {
  if (!one.has('mask')) return {};
  const { data, shape } = one.raw('mask');
  return { mask: { data: Uint8Array.from(data, (value) => (Number(value) === seen ? 1 : 0)), shape } };
}

/** [rows, columns] → [columns, rows]. */
export function transpose({ data }, rows, columns) {
  const out = new Float32Array(data.length);
  for (let r = 0; r < rows; r++) for (let c = 0; c < columns; c++) out[c * rows + r] = data[r * columns + c];
  return { data: out, shape: [columns, rows] };
}
