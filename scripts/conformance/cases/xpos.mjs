// Rotation with fading: queries and keys about the file's centre, and scores whatever the centre.

export function xpos(one, { posenc }) {
  const { layout, heads, head_dim: headDim, theta: base, scale_base: scaleBase, center, q_len: qLen, k_len: kLen } = one.params;
  one.confirm({ heads: one.raw('q').shape[0] });
  const options = { headDim, base, layout, scaleBase };
  const centred = posenc.xpos({ ...options, centre: -center });
  const plain = posenc.xpos(options);
  const attention = posenc.attention({ heads, headDim, scale: 1, encodings: [plain] });
  try {
    const [q, k] = [one.input('q', posenc), one.input('k', posenc)];
    const first = one.params.query_offset ?? kLen - qLen;
    one.check('q_out', centred.apply(q, { positions: first, side: 'query' }));
    one.check('k_out', centred.apply(k, { positions: 0, side: 'key' }));
    if (one.has('logits')) one.check('logits', attention.scores(q, k, 'raw', { positions: { q: first, k: 0 } }));
  } finally {
    for (const made of [attention, plain, centred]) made.dispose();
  }
}
