// Reading safetensors: 8 bytes little-endian header length, a JSON header, then the raw tensors, row-major.

const kinds = {
  F64: [8, Float64Array],
  F32: [4, Float32Array],
  I64: [8, BigInt64Array],
  I32: [4, Int32Array],
  U8: [1, Uint8Array],
  BOOL: [1, Uint8Array],
  F16: [2, Uint16Array],
  BF16: [2, Uint16Array],
};

/** @typedef {{ dtype: string, shape: number[], data: ArrayBufferView }} Tensor */

/**
 * Tensors and metadata of a file's bytes. Half floats stay as their bits, booleans are bytes 0 and 1.
 * @param {Uint8Array} bytes
 * @returns {{ metadata: Record<string, string>, tensors: Map<string, Tensor> }}
 */
export function parseSafetensors(bytes) {
  const length = Number(new DataView(bytes.buffer, bytes.byteOffset, 8).getBigUint64(0, true));
  if (!(length <= bytes.byteLength - 8)) throw new Error(`header of ${length} bytes in a file of ${bytes.byteLength}`);
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + length)));
  const { __metadata__: metadata = {}, ...entries } = header;
  const tensors = new Map();
  for (const [
    name,
    {
      dtype,
      shape,
      data_offsets: [from, to],
    },
  ] of Object.entries(entries)) {
    const kind = kinds[dtype];
    if (!kind) throw new Error(`tensor ${name} has the unknown dtype ${dtype}`);
    const [width, Array] = kind;
    const count = shape.reduce((product, extent) => product * extent, 1);
    if (to - from !== count * width) throw new Error(`tensor ${name} has ${to - from} bytes for shape [${shape}]`);
    // Copied, since the data of a file need not be aligned for its type. (A Buffer's own slice() does not copy.)
    const start = bytes.byteOffset + 8 + length;
    const copy = bytes.buffer.slice(start + from, start + to);
    tensors.set(name, { dtype, shape, data: new Array(copy, 0, count) });
  }
  return { metadata, tensors };
}
