// RotaryEmbedding of ONNX and of onnxruntime: rotation by tables that come with the node.

/** Heads of a packed input: by the attribute, else (onnxruntime) by the table, which covers a whole head. */
function headDimOf(shape, attributes, half) {
  if (shape.length === 4) return shape[3];
  return attributes.num_heads ? shape[2] / attributes.num_heads : 2 * half;
}

/** Positions choose the rows of the tables; a single one is that of the first token, for every sample. */
function positionsOf(one, tokens) {
  if (!one.has('position_ids')) return {};
  const { data, shape } = one.raw('position_ids');
  return { positions: data.length === 1 && tokens !== 1 ? Number(data[0]) : { data, shape } };
}

export function onnxRotary(one, { posenc }) {
  const { params } = one;
  if (params.scale !== undefined && params.scale !== 1) throw new Error(`scale ${params.scale} is not offered`);
  const input = one.input('input', posenc);
  const table = { cos: one.input('cos_cache', posenc), sin: one.input('sin_cache', posenc) };
  const rotaryDim = 2 * table.cos.shape.at(-1);
  // 0 and nothing alike: the tables tell.
  if (params.rotary_embedding_dim) one.confirm({ rotary_embedding_dim: rotaryDim });
  one.expect('interleaved', 0, 1);
  one.expect('is_packed_batching', 0, 1); // positions choose the rows of the tables either way
  const headDim = headDimOf(input.shape, params, rotaryDim / 2);
  const packed = input.shape.length === 3;
  if (!packed && params.num_heads) one.confirm({ num_heads: input.shape[1] });
  const tokens = input.shape[0] * input.shape[packed ? 1 : 2];
  const rope = posenc.rope({ headDim, rotaryDim, layout: params.interleaved ? 'interleaved' : 'half' });
  const layout = packed ? 'packed' : 'heads';
  const out = rope.apply(input, { layout, table, ...positionsOf(one, tokens) });
  if (one.raw('output').dtype === 'F32') one.check('output', out);
  else one.checkHalf('output', out, posenc);
  rope.dispose();
}
