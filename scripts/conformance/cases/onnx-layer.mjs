// com.microsoft.Attention: its weights hold Wq, Wk and Wv side by side, and no output projection follows.
import { paddingMask } from './onnx-padding.mjs';

export function onnxLayer(one, { posenc }) {
  const { params } = one;
  const input = one.input('input', posenc);
  const weights = one.input('weights', posenc);
  const [batch, queries, dim] = input.shape;
  const widths = params.qkv_hidden_sizes ?? Array(3).fill(weights.shape[1] / 3);
  const heads = params.num_heads;
  const past = one.has('past') ? splitPast(one.input('past', posenc)) : undefined;
  const keys = queries + (past?.k.shape[2] ?? 0);
  one.expect('unidirectional', 0, 1);
  one.expect('past_present_share_buffer', 0);
  const rope = rotationOf(one, posenc, widths[0] / heads);
  const layer = posenc.attentionLayer({
    dim,
    heads,
    headDim: widths[0] / heads,
    valueDim: widths[2] / heads,
    causal: params.unidirectional === 1,
    outputProjection: false,
    encodings: rope ? [rope] : [],
    qkvBias: one.has('bias'),
    ...(params.scale === undefined ? {} : { scale: params.scale }),
    weights: { Wqkv: weights, ...(one.has('bias') ? { bqkv: one.input('bias', posenc) } : {}) },
  });
  const cache = past && layer.cache({ batch });
  try {
    cache?.append(past.k, past.v);
    const call = paddingMask(one, posenc, 'mask_index', { batch, heads, queries, keys });
    one.check('output', layer.forward(input, { ...call, ...(cache ? { cache } : {}) }));
    if (one.has('present')) one.check('present', presentOf(past, input, layer));
  } finally {
    cache?.dispose();
    layer.dispose();
    rope?.dispose();
  }
}

/** do_rotary: halves of the first channels, base 10000, at places 0, 1, 2, ... */
function rotationOf(one, posenc, headDim) {
  const { do_rotary: rotates = 0, rotary_embedding_dim: rotaryDim = 0 } = one.params;
  if (rotates !== 1) return undefined;
  if (one.has('present')) throw new Error('do_rotary with a present output: rotated keys are not written out here');
  return posenc.rope({ headDim, rotaryDim: rotaryDim || headDim });
}

/** [2, batch, heads, seq, dim] → keys and values. */
function splitPast({ data, shape: [, ...shape] }) {
  const half = data.length / 2;
  return { k: { data: data.slice(0, half), shape }, v: { data: data.slice(half), shape } };
}

/** Keys and values of past and new tokens, [2, batch, heads, seq, dim]; the new ones by plain sums. */
function presentOf(past, { data, shape: [batch, queries, dim] }, layer) {
  const { kvHeads: heads, parameters } = layer;
  const parts = [
    [parameters.Wk, parameters.bk, layer.headDim, past?.k],
    [parameters.Wv, parameters.bv, layer.valueDim, past?.v],
  ];
  const before = past?.k.shape[2] ?? 0;
  const rows = [];
  for (const [weight, bias, width, old] of parts) {
    const project = (row, column) => {
      let sum = bias?.data[column] ?? 0;
      for (let c = 0; c < dim; c++) sum += data[row * dim + c] * weight.data[c * heads * width + column];
      return sum;
    };
    for (let head = 0; head < batch * heads; head++) {
      for (let n = 0; n < before * width; n++) rows.push(old.data[head * before * width + n]);
      for (let n = 0; n < queries * width; n++) {
        const row = Math.floor(head / heads) * queries + Math.floor(n / width);
        rows.push(project(row, (head % heads) * width + (n % width)));
      }
    }
  }
  return { data: rows, shape: [2, batch, heads, before + queries, layer.headDim] };
}
