// Transformer-XL and its relatives: Conformer, the learnable table, XLNet.
import { attendRelative, maskOf, transpose } from './relative.mjs';

export function transformerXL(one, { posenc }) {
  const { params } = one;
  const { heads, head_dim: headDim, mem_len: memory = 0, clamp_len: clampLength = 0 } = params;
  const layout = params.variant === 'bidirectional-conformer' ? 'interleaved' : 'concat';
  one.expect('variant', 'partial-learnable', 'bidirectional-conformer', 'learnable');
  one.expect('same_length', true, false); // a matter of the mask, which the file has
  const learnable = one.has('r_emb');
  const form = learnable ? { rows: 'table', maxLength: params.max_rel } : { layout };
  const clamp = clampLength > 0 ? { clampLength } : {};
  const names = learnable
    ? { contentBias: 'u', table: 'r_emb', tableBias: 'r_bias' }
    : { contentBias: 'u', positionBias: 'v_bias', projection: 'w_r' };
  const weights = Object.fromEntries(Object.entries(names).map(([own, file]) => [own, one.input(file, posenc)]));
  const encoding = posenc.transformerXL({ heads, headDim, ...form, ...clamp, weights });
  checkRows(one, encoding, params.k_len - 1);
  const gradients = Object.fromEntries(Object.entries(names).map(([own, file]) => [`d${file}`, [own]]));
  attendRelative(one, posenc, encoding, { call: { qOffset: memory, ...maskOf(one, 0) }, gradients });
}

/** XLNet: its projection is [in, heads, dim], and rows begin one distance further. */
export function xlnet(one, { posenc }) {
  const { heads, head_dim: headDim, mem_len: memory = 0, clamp_len: clampLength = 0, segments = false } = one.params;
  const dim = heads * headDim;
  one.expect('attn_type', 'bi', 'uni'); // a matter of the mask: distances to both sides have rows
  const weights = {
    contentBias: one.input('r_w_bias', posenc),
    positionBias: one.input('r_r_bias', posenc),
    projection: transpose(one.input('w_r', posenc), dim, dim),
    ...(segments ? { segmentBias: one.input('r_s_bias', posenc), segmentTable: one.input('seg_embed', posenc) } : {}),
  };
  const clamp = clampLength > 0 ? { clampLength } : {};
  const encoding = posenc.transformerXL({ heads, headDim, segments, ...clamp, weights });
  checkRows(one, encoding, one.params.k_len);
  const shaped = ({ data }) => ({ data, shape: [dim, heads, headDim] });
  const gradients = {
    dr_w_bias: ['contentBias'],
    dr_r_bias: ['positionBias'],
    dw_r: ['projection', (tensor) => shaped(transpose(tensor, dim, dim))],
    dr_s_bias: ['segmentBias'],
    dseg_embed: ['segmentTable'],
  };
  const call = { qOffset: memory, ...maskOf(one, 0), ...placesAndSegments(one, segments) };
  attendRelative(one, posenc, encoding, { call, gradients });
}

/** The projected rows of all distances query - key from the first down. */
function checkRows(one, encoding, first) {
  one.context('r');
  if (!one.has('r_k')) return;
  const [, count] = one.raw('r_k').shape;
  one.check('r_k', encoding.rows(Array.from({ length: count }, (_, row) => row - first)));
}

/** Positions with the segment as their second coordinate. */
function placesAndSegments(one, segments) {
  if (!segments) return {};
  const ids = one.integers('segment_ids');
  const memory = one.params.mem_len;
  const pairs = (list, offset) => ({ data: list.flatMap((id, i) => [i + offset, id]), shape: [list.length, 2] });
  // Tokens of the memory are of segment 0.
  return { positions: { q: pairs(ids, memory), k: pairs([...new Array(memory).fill(0), ...ids], 0) } };
}
