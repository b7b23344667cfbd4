// Attention on q, k, v of a file, forward and backward, compared with what the file has of it.

/**
 * @param {import('../case.mjs').Case} one
 * @param {object} posenc
 * @param {object} options for posenc.attention, beside the widths and counts of the file's params
 * @param {object} call options of the call: mask, qOffset, positions
 * @returns {{ dMask?: object, params: Record<string, object> }} gradients beside those of q, k and v
 */
export function attend(one, posenc, options, call) {
  const { heads, kv_heads: kvHeads = heads, head_dim: headDim, scale } = one.params;
  const [q, k, v] = ['q', 'k', 'v'].map((name) => one.input(name, posenc));
  const valueDim = v.shape.at(-1);
  one.confirm({ q_len: q.shape.at(-2), k_len: k.shape.at(-2), seq: q.shape.at(-2), value_dim: valueDim });
  const attention = posenc.attention({ heads, kvHeads, headDim, valueDim, scale, ...options });
  try {
    const { out, lse } = attention.forwardForGrad(q, k, v, call);
    one.check('out', out);
    if (one.has('lse')) one.check('lse', lse);
    if (one.has('probs')) one.check('probs', attention.weights(q, k, call));
    if (!one.has('dout')) return { params: {} };
    const dOut = one.input('dout', posenc);
    const gradients = attention.backward({ q, k, v, out, lse, dOut, ...call });
    for (const name of ['dq', 'dk', 'dv']) if (one.has(name)) one.check(name, gradients[name]);
    return gradients;
  } finally {
    attention.dispose();
  }
}
