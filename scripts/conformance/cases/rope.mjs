// Rotations at given positions, with their frequencies, amplitude and gradient.

/** The file's params as a config.json, for the scalings that those have. */
function configOf(params) {
  const { heads, kv_heads: kvHeads = heads, head_dim: headDim, rotary_dim: rotaryDim = headDim } = params;
  const original = params.original_max_position_embeddings;
  return {
    model_type: 'llama',
    hidden_size: heads * headDim,
    num_hidden_layers: 1,
    num_attention_heads: heads,
    num_key_value_heads: kvHeads,
    head_dim: headDim,
    rotary_dim: rotaryDim,
    rope_theta: params.theta,
    max_position_embeddings: params.max_position_embeddings ?? null,
    ...(original ? { original_max_position_embeddings: original } : {}),
    rope_scaling: { ...params.rope_scaling, rope_type: params.rope_type },
  };
}

/** Scalings of the YaRN authors' repository, which no config.json has. */
const ownScalings = {
  'ntk-aware': ({ factor }) => ({ type: 'ntk', factor }),
  'ntk-by-parts': (scaling) => ({
    type: 'ntkByParts',
    factor: scaling.factor,
    originalLength: scaling.original_max_position_embeddings,
    beta0: scaling.beta_0,
    beta1: scaling.beta_1,
    gamma0: scaling.gamma_0,
    gamma1: scaling.gamma_1,
    ntkFactor: scaling.ntk_factor,
    extrapolationFactor: scaling.extrapolation_factor,
  }),
};

/** Fields of a scaling, whatever its type: a config may have more, of which nothing here would say that they were passed over. */
const scalingFields = new Set([
  'rope_type', 'type', 'factor', 'original_max_position_embeddings', 'attention_factor', 'mscale', 'mscale_all_dim', 'beta_fast',
  'beta_slow', 'truncate', 'short_factor', 'long_factor', 'low_freq_factor', 'high_freq_factor', 'beta_0', 'beta_1', 'gamma_0',
  'gamma_1', 'ntk_factor', 'extrapolation_factor', 'rope_theta', 'partial_rotary_factor',
]);

function optionsOf(params, describeConfig) {
  for (const name of Object.keys(params.rope_scaling ?? {})) {
    if (!scalingFields.has(name)) throw new Error(`parameter rope_scaling.${name}: nothing here reads it`);
  }
  const { head_dim: headDim, rotary_dim: rotaryDim = headDim, theta: base, layout, rope_type: type } = params;
  const own = ownScalings[type];
  if (own) return { headDim, rotaryDim, base, layout, scaling: own(params.rope_scaling) };
  const [group] = describeConfig(configOf(params)).towers[0].groups;
  return { ...group.encodings[0].options, layout };
}

export function rope(one, { posenc, describeConfig }) {
  const { params } = one;
  one.expect('kind', 'apply', 'apply-qk');
  one.expect('layout', 'half', 'interleaved');
  one.confirm({ heads: one.raw(one.has('x') ? 'x' : 'q').shape[0] });
  if (one.has('k')) one.confirm({ kv_heads: one.raw('k').shape[0] });
  const encoding = posenc.rope(optionsOf(params, describeConfig));
  const reached = params.seq_len ? { reached: params.seq_len } : {};
  const positions = one.integers('positions');
  const at = (side = 'query') => ({ positions, side, ...reached });

  if (one.has('inv_freq')) one.check('inv_freq', encoding.frequencies(reached));
  if (typeof params.attention_factor === 'number') {
    const bound = [{ relative: 1e-6, absolute: 0 }];
    one.checkNumbers('attention_factor', encoding.attentionFactor(reached).data, [params.attention_factor], bound);
  }
  if (one.has('x')) one.check('out', encoding.apply(one.input('x', posenc), at()));
  if (one.has('dout')) one.check('dx', encoding.backward(one.input('dout', posenc), at()));
  for (const [name, side] of [
    ['q', 'query'],
    ['k', 'key'],
  ]) {
    if (one.has(name)) one.check(`${name}_out`, encoding.apply(one.input(name, posenc), at(side)));
  }
  encoding.dispose();
}
