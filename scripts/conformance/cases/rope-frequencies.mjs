// Inverse frequencies and amplitude of the rotation that a config.json describes, and rotations one after the other.

export function ropeFrequencies(one, { posenc, fromConfig }) {
  const {
    config,
    seq_len: length,
    expected_inv_freq: frequencies,
    attention_scaling: amplitude,
    layer_type: kind,
    tolerance,
  } = one.params;
  const reached = length ? { reached: length } : {};
  const model = fromConfig(posenc, config, length ? { length } : {});
  try {
    const groups = model.towers.flatMap((tower) => tower.groups);
    const rotates = ({ encodings }) => encodings.some(({ family }) => family === 'rotary');
    const group = groups.find((candidate) => rotates(candidate) && (kind === undefined || candidate.kind === kind));
    const rope = group?.encodings.find(({ family }) => family === 'rotary');
    if (!rope) throw new Error(`no rotary encoding for layers ${kind ?? 'of any kind'}`);
    const bound = [{ relative: tolerance.rtol, absolute: tolerance.atol ?? 0 }];
    if (frequencies) one.checkNumbers('inv_freq', rope.frequencies(reached).data, frequencies, bound);
    if (amplitude !== undefined)
      one.checkNumbers('attention_scaling', rope.attentionFactor(reached).data, [amplitude], bound);
    if (!frequencies && amplitude === undefined) one.fail('nothing is expected');
  } finally {
    model.dispose();
  }
}

/**
 * Rotating at 100 + i and then at -67 equals rotating at 33 + i; 128 of 256 channels, 32 heads, 73 tokens. With sections
 * each axis is one position further than the one before.
 */
export function composition(one, { posenc }) {
  const { layout } = one.params;
  const shape = [32, 73, 256];
  const x = { data: noise(shape.reduce((a, b) => a * b)), shape };
  const common = { headDim: 256, rotaryDim: 128 };
  const axes = layout === 'sections' ? 4 : 1;
  const rope =
    axes === 1
      ? posenc.rope({ ...common, layout })
      : posenc.mrope({ ...common, base: 1e6, sections: [16, 24, 24, 0] });
  const positions = (first, step, along) => ({
    data: Array.from({ length: 73 * axes }, (_, n) => first + step * Math.floor(n / axes) + along * (n % axes)),
    shape: axes === 1 ? [73] : [73, axes],
  });
  const twice = rope.apply(rope.apply(x, { positions: positions(100, 1, 1) }), { positions: positions(-67, 0, 0) });
  const once = rope.apply(x, { positions: positions(33, 1, 1) });
  const difference = once.data.reduce((sum, value, i) => sum + Math.abs(value - twice.data[i]), 0);
  const size = once.data.reduce((sum, value) => sum + Math.abs(value), 0);
  if (!(difference / size < 1e-4)) one.fail(`relative difference ${difference / size}, allowed below 1e-4`);
  rope.dispose();
}

/** Numbers from -1 to 1, the same every time. */
function noise(count) {
  let state = 1;
  return Float32Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  });
}
