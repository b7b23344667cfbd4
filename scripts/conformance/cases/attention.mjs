// Softmax attention with masks, biases, grouped heads and rotation, forward and gradients.
import { attend } from './attend.mjs';

/** Causal masks stand at the top left unless a file says otherwise. */
const alignments = { 'top-left': 'topLeft', 'bottom-right': 'bottomRight' };

export function attention(one, { posenc }) {
  const { causal = false, causal_alignment: alignment = 'top-left', rope } = one.params;
  const rotation = rope && posenc.rope(ropeOptions(rope, one.params.head_dim));
  const options = {
    causal: causal ? alignmentOf(one, alignment) : 'off',
    encodings: rotation ? [rotation] : [],
  };
  const call = { ...maskOf(one, posenc), ...positionsOf(one) };
  if (one.has('bias')) one.confirm({ bias_heads: one.raw('bias').shape[0] });
  const gradients = attend(one, posenc, options, call);
  if (one.has('dbias')) one.check('dbias', gradients.dMask);
  rotation?.dispose();
}

function alignmentOf(one, alignment) {
  one.expect('causal_alignment', ...Object.keys(alignments));
  return alignments[alignment];
}

function ropeOptions({ layout, theta, rotary_dim: rotaryDim, ...others }, headDim) {
  const unknown = Object.keys(others);
  if (unknown.length > 0) throw new Error(`parameters of rope that nothing here reads: ${unknown.join(', ')}`);
  return { headDim, rotaryDim, base: theta, layout };
}

/** `mask` (1: allowed) and `bias` (added) as the one mask that the API takes. */
function maskOf(one, posenc) {
  if (!one.has('mask')) return one.has('bias') ? { mask: one.input('bias', posenc) } : {};
  const { data, shape } = one.raw('mask');
  if (!one.has('bias')) return { mask: { data: Uint8Array.from(data, Number), shape } };
  // Both: what is hidden gets -infinity; the mask repeats over the leading axes of the bias.
  const bias = one.input('bias', posenc);
  const hidden = (i) => Number(data[i % data.length]) === 0;
  return { mask: { data: bias.data.map((value, i) => (hidden(i) ? -Infinity : value)), shape: bias.shape } };
}

/** `positions` of queries and keys alike, or apart as `q_positions` and `k_positions`. */
function positionsOf(one) {
  if (one.has('q_positions')) {
    return { positions: { q: one.integers('q_positions'), k: one.integers('k_positions') } };
  }
  if (!one.has('positions')) return {};
  const positions = one.integers('positions');
  const queries = one.params.q_len;
  // Queries are the last of the keys where there are fewer of them.
  return { positions: { q: positions.slice(positions.length - queries), k: positions } };
}
