// Scores by distance turned into scores by key: relative shifts and skewing. Some tricks leave numbers in places that a mask
// hides; `valid` marks the others.

export function shift(one, { posenc }) {
  const { kind, masked } = one.params;
  const x = one.input('x', posenc);
  const { shape } = one.raw('out');
  const [queries, keys] = shape.slice(-2);
  one.expect('kind', 'rel_shift', 'rel_shift_bnij');
  one.confirm({ heads: shape[0], q_len: queries, k_len: keys, seq: queries, rows: x.shape.at(-1) });
  if (masked !== undefined) one.confirm({ masked: x.shape.at(-1) === queries });
  const offset = kind === 'rel_shift_bnij' ? queries : queries - 1;
  const valid = one.has('valid') ? one.integers('valid') : undefined;
  one.check('out', posenc.transformerXL.shift(x, { keys, offset }), valid && ((n) => valid[n % valid.length] === 1));
}
