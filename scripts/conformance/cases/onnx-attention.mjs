// ONNX Attention: attributes and inputs of a node → options and tensors of posenc.attention.

/** Where query 0 stands among the keys: after the past, before the valid end of an external cache, or at 0. */
function offsets(one, { past, queries, batch }) {
  if (one.has('nonpad_kv_seqlen')) {
    return Int32Array.from(one.integers('nonpad_kv_seqlen'), (length) => length - queries);
  }
  return new Int32Array(batch).fill(past);
}

/** The node's mask: true takes part, floats are added. */
function maskOf(one, posenc) {
  if (!one.has('attn_mask')) return {};
  const { dtype, data, shape } = one.raw('attn_mask');
  return { mask: dtype === 'BOOL' ? { data, shape } : one.input('attn_mask', posenc) };
}

/** [batch, seq, heads · dim] → [batch, heads, seq, dim]; four axes stay. */
export function toHeads({ data, shape }, heads) {
  if (shape.length === 4) return { data, shape };
  const [batch, seq, width] = shape;
  const dim = width / heads;
  const out = new Float32Array(data.length);
  for (let b = 0, at = 0; b < batch; b++) {
    for (let h = 0; h < heads; h++) {
      for (let s = 0; s < seq; s++, at += dim) {
        const from = (b * seq + s) * width + h * dim;
        out.set(data.subarray(from, from + dim), at);
      }
    }
  }
  return { data: out, shape: [batch, heads, seq, dim] };
}

/** [batch, heads, seq, dim] → [batch, seq, heads · dim]. */
export function toPacked({ data, shape: [batch, heads, seq, dim] }) {
  const swapped = toHeads({ data, shape: [batch, heads, seq * dim] }, seq);
  return { data: swapped.data, shape: [batch, seq, heads * dim] };
}

/** Past keys followed by new ones, along the third axis. */
export function joined(past, fresh) {
  if (!past) return fresh;
  const [batch, heads, before, dim] = past.shape;
  const after = fresh.shape[2];
  const data = new Float32Array(batch * heads * (before + after) * dim);
  for (let row = 0; row < batch * heads; row++) {
    const at = row * (before + after) * dim;
    data.set(past.data.subarray(row * before * dim, (row + 1) * before * dim), at);
    data.set(fresh.data.subarray(row * after * dim, (row + 1) * after * dim), at + before * dim);
  }
  return { data, shape: [batch, heads, before + after, dim] };
}

/** Compares an output in its own dtype. */
function check(one, name, got, posenc) {
  if (one.raw(name).dtype === 'F16' || one.raw(name).dtype === 'BF16') one.checkHalf(name, got, posenc);
  else one.check(name, got);
}

/** FLOAT, FLOAT16, DOUBLE and BFLOAT16. */
const softmaxTypes = [1, 10, 11, 16];
const stages = ['raw', 'capped', 'biased', 'weights'];

export function onnxAttention(one, { posenc }) {
  const { params } = one;
  // How softmax is computed: 32-bit floats, which are within what the file allows of any of these.
  one.expect('softmax_precision', ...softmaxTypes);
  const packed = one.raw('Q').shape.length === 3;
  const [rawQ, rawK, rawV] = ['Q', 'K', 'V'].map((name) => one.input(name, posenc));
  const heads = packed ? params.q_num_heads : rawQ.shape[1];
  const kvHeads = packed ? params.kv_num_heads : rawK.shape[1];
  one.confirm({ q_num_heads: heads, kv_num_heads: kvHeads });
  const q = toHeads(rawQ, heads);
  const past = (name) => (one.has(name) ? one.input(name, posenc) : undefined);
  const fresh = { k: toHeads(rawK, kvHeads), v: toHeads(rawV, kvHeads) };
  const earlier = { k: past('past_key'), v: past('past_value') };
  const k = joined(earlier.k, fresh.k);
  const v = joined(earlier.v, fresh.v);

  const [batch, , queries, headDim] = q.shape;
  const attention = posenc.attention({
    heads,
    kvHeads,
    headDim,
    valueDim: v.shape[3],
    causal: params.is_causal ? 'topLeft' : 'off',
    window: windowOf(params),
    ...(params.scale === undefined ? {} : { scale: params.scale }),
    ...(params.softcap === undefined ? {} : { softcap: params.softcap }),
  });
  const call = {
    ...maskOf(one, posenc),
    qOffset: offsets(one, { past: earlier.k?.shape[2] ?? 0, queries, batch }),
    ...(one.has('nonpad_kv_seqlen') ? { keyLengths: Int32Array.from(one.integers('nonpad_kv_seqlen')) } : {}),
  };

  const named = (name) => one.outputs.includes(name);
  const shaped = (out) => (packed ? toPacked(out) : out);
  if (named('Y')) check(one, 'Y', shaped(attention.forward(q, k, v, call)), posenc);
  if (named('Y') && earlier.k) check(one, 'Y', shaped(throughCache(attention, q, earlier, fresh, call)), posenc);
  if (named('present_key')) check(one, 'present_key', k, posenc);
  if (named('present_value')) check(one, 'present_value', v, posenc);
  if (named('qk_matmul_output')) {
    const stage = stages[params.qk_matmul_output_mode ?? 0];
    check(one, 'qk_matmul_output', attention.scores(q, k, stage, call), posenc);
  }
  attention.dispose();
}

/** The same with the past in a cache. */
function throughCache(attention, q, past, fresh, call) {
  const cache = attention.cache({ batch: q.shape[0] });
  try {
    cache.append(past.k, past.v);
    return attention.forward(q, fresh.k, fresh.v, { ...call, cache });
  } finally {
    cache.dispose();
  }
}

/** -1 leaves a side open. */
function windowOf({ left_window_size: left = -1, right_window_size: right = -1 }) {
  return { ...(left >= 0 ? { left } : {}), ...(right >= 0 ? { right } : {}) };
}
