// CoPE: positions counted by gates, forward and gradients.
import { attendRelative, transpose } from './relative.mjs';

export function cope(one, { posenc }) {
  const { head_dim: headDim, npos: maxPositions, causal } = one.params;
  const table = transpose(one.input('pos_emb', posenc), headDim, maxPositions);
  const encoding = posenc.cope({ headDim, maxPositions, weights: { table } });
  one.expect('separate_gate_key', false);
  one.context('positions'); // what the scores are made of; the API does not show it
  attendRelative(one, posenc, encoding, {
    options: { causal: causal ? 'topLeft' : 'off' },
    gradients: { dpos_emb: ['table', (tensor) => transpose(tensor, maxPositions, headDim)] },
  });
}
