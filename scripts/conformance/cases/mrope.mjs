// Rotations by three rows of positions, and what rotations by sections have to add up to.

export function mrope(one, { posenc }) {
  const { layout, head_dim: headDim, rotary_dim: rotaryDim = headDim, theta: base } = one.params;
  const order = one.params.interleaved_sections ? 'interleaved' : 'chunked';
  const rope = posenc.mrope({ headDim, rotaryDim, base, layout, sections: one.params.mrope_section, order });
  try {
    const positions = transposed(one.raw('position_ids'));
    if (one.has('axis')) one.check('axis', rope.axisOfPairs());
    one.confirm({ heads: one.raw('q').shape[0] });
    if (one.has('k')) one.confirm({ kv_heads: one.raw('k').shape[0] });
    for (const side of ['q', 'k']) {
      if (one.has(side)) one.check(`${side}_out`, rope.apply(one.input(side, posenc), { positions, side: side === 'q' ? 'query' : 'key' }));
    }
  } finally {
    rope.dispose();
  }
}

/** [axes, tokens] as files have it → [tokens, axes]. */
function transposed({ data, shape: [axes, tokens] }) {
  const values = Float64Array.from({ length: axes * tokens }, (_, n) => Number(data[(n % axes) * tokens + Math.floor(n / axes)]));
  return { data: values, shape: [tokens, axes] };
}
