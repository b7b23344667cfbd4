// RotaryEmbedding of ONNX and of onnxruntime: rotation by tables that come with the node.
import { toHeads, toPacked } from './onnx-attention.mjs';

/** Heads of a packed input: by the attribute, else (onnxruntime) by the table, which covers a whole head. */
function headCount(input, attributes, half) {
  if (input.shape.length === 4) return input.shape[1];
  if (attributes.num_heads) return attributes.num_heads;
  return input.shape[2] / (2 * half);
}

/** Table rows of every token, [batch, seq, dim / 2]: as they come, or by position. */
function rowsOf(one, name, posenc, batch, seq) {
  const table = one.input(name, posenc);
  if (!one.has('position_ids')) return table;
  const given = one.integers('position_ids');
  // A single position is that of the first token, for every sample.
  const single = given.length === 1 && batch * seq !== 1;
  const positions = single ? Array.from({ length: batch * seq }, (_, i) => given[0] + (i % seq)) : given;
  const width = table.shape.at(-1);
  const data = new Float32Array(batch * seq * width);
  positions.forEach((position, i) =>
    data.set(table.data.subarray(position * width, (position + 1) * width), i * width),
  );
  return { data, shape: [batch, seq, width] };
}

export function onnxRotary(one, { posenc }) {
  const { params } = one;
  const input = one.input('input', posenc);
  const half = one.raw('cos_cache').shape.at(-1);
  const x = toHeads(input, headCount(input, params, half));
  const [batch, , seq] = x.shape;
  const [cos, sin] = ['cos_cache', 'sin_cache'].map((name) => rowsOf(one, name, posenc, batch, seq));
  const layout = params.interleaved ? 'interleaved' : 'half';
  const scaled = params.scale === undefined || params.scale === 1;
  if (!scaled) throw new Error(`scale ${params.scale} is not offered`);
  const turned = posenc.rope.rotate(x, cos, sin, { layout });
  const out = input.shape.length === 3 ? toPacked(turned) : turned;
  if (one.raw('output').dtype === 'F32') one.check('output', out);
  else one.checkHalf('output', out, posenc);
}
