// com.microsoft.Attention: its weights hold Wq, Wk and Wv side by side, and no output projection follows.

export function onnxLayer(one, { posenc }) {
  const { params } = one;
  const input = one.input('input', posenc);
  const weights = one.input('weights', posenc);
  const [batch, queries, dim] = input.shape;
  const widths = params.qkv_hidden_sizes ?? Array(3).fill(weights.shape[1] / 3);
  const heads = params.num_heads;
  const past = one.has('past') ? splitPast(one.input('past', posenc)) : undefined;
  const keys = queries + (past?.k.shape[2] ?? 0);
  const layer = posenc.attentionLayer({
    dim,
    heads,
    headDim: widths[0] / heads,
    valueDim: widths[2] / heads,
    causal: params.unidirectional === 1,
    outputProjection: false,
    qkvBias: one.has('bias'),
    ...(params.scale === undefined ? {} : { scale: params.scale }),
    weights: { Wqkv: weights, ...(one.has('bias') ? { bqkv: one.input('bias', posenc) } : {}) },
  });
  const cache = past && layer.cache({ batch });
  try {
    cache?.append(past.k, past.v);
    const call = maskOf(one, posenc, { batch, heads, queries, keys }, past !== undefined);
    one.check('output', layer.forward(input, { ...call, ...(cache ? { cache } : {}) }));
    if (one.has('present')) one.check('present', presentOf(past, input, layer));
  } finally {
    cache?.dispose();
    layer.dispose();
  }
}

/** [2, batch, heads, seq, dim] → keys and values. */
function splitPast({ data, shape: [, ...shape] }) {
  const half = data.length / 2;
  return { k: { data: data.slice(0, half), shape }, v: { data: data.slice(half), shape } };
}

/**
 * mask_index: the number of valid keys [batch]; their ends and then their starts [2 · batch]; or 1 for each key that takes
 * part, [batch, keys] or [batch, queries, keys] or [batch, 1, ..]. And attention_bias, which is added to the scores.
 */
function maskOf(one, posenc, sizes, hasPast) {
  const { batch, heads, queries, keys } = sizes;
  const hides = hiding(one, sizes);
  if (!one.has('attention_bias')) {
    if (!hides) return {};
    const { shape } = one.raw('mask_index');
    if (shape.length === 1 && shape[0] === batch && !hasPast) return { keyLengths: one.integers('mask_index') };
    const data = new Uint8Array(batch * queries * keys).map((_, n) => (hides(n) ? 0 : 1));
    return { mask: { data, shape: [batch, 1, queries, keys] } };
  }
  const { data, shape } = one.input('attention_bias', posenc);
  const full = new Float32Array(batch * heads * queries * keys);
  const rows = shape[0] * shape[1];
  full.forEach((_, n) => {
    const plane = Math.floor(n / (queries * keys));
    const from = rows === 1 ? 0 : shape[0] === 1 ? plane % heads : shape[1] === 1 ? Math.floor(plane / heads) : plane;
    const cell = n % (queries * keys);
    full[n] = hides?.(Math.floor(plane / heads) * queries * keys + cell) ? -Infinity : data[from * queries * keys + cell];
  });
  return { mask: { data: full, shape: [batch, heads, queries, keys] } };
}

/** Whether element n of [batch, queries, keys] is hidden by mask_index. */
function hiding(one, { batch, queries, keys }) {
  if (!one.has('mask_index')) return undefined;
  const { shape } = one.raw('mask_index');
  const mask = one.integers('mask_index');
  const placeOf = (n) => ({ row: Math.floor(n / (queries * keys)), query: Math.floor(n / keys) % queries, key: n % keys });
  if (shape.length === 1) {
    return (n) => {
      const { row, key } = placeOf(n);
      return key >= mask[row] || (shape[0] === 2 * batch && key < mask[batch + row]);
    };
  }
  const perQuery = shape.length > 2;
  const width = shape.at(-1);
  return (n) => {
    const { row, query, key } = placeOf(n);
    const line = perQuery ? row * shape.at(-2) + query + (shape.length === 4 ? keys - queries : 0) : row;
    return mask[line * width + key] === 0;
  };
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
