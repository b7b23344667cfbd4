// Shaw's rows for keys and values, and BERT's relative_key and relative_key_query.
import { attendRelative } from './relative.mjs';

/** How files write out the row of each distance; tables and lengths tell the same. */
const indices = [
  'i - j + max_position_embeddings - 1',
  'clip(j - i, -k, k) + k',
  'clip(j - i, -left_max, right_max) + left_max',
];

export function shaw(one, { posenc }) {
  const { params } = one;
  const { head_dim: headDim, q_len: qLen, k_len: kLen, value_side: values, query_side: queries, causal } = params;
  one.expect('variant', 'relative_key', 'relative_key_query', 'shaw-key-value');
  one.expect('key_side', true);
  one.expect('index', ...indices);
  one.expect('incremental', true, false);
  const form = values ? { values: 'table' } : { values: 'none', queries };
  const weights = one.has('table')
    ? { keyTable: one.input('table', posenc) }
    : { keyTable: one.input('table_k', posenc), valueTable: one.input('table_v', posenc) };
  const encoding = posenc.shaw({ headDim, ...form, ...reach(params), weights });
  // The last query stands at the last key.
  const call = { qOffset: kLen - qLen };
  const options = { causal: causal ? 'bottomRight' : 'off' };
  one.context('index');
  if (one.has('scores')) {
    const { heads, scale } = params;
    const attention = posenc.attention({ heads, headDim, scale, encodings: [encoding] });
    one.check('scores', attention.scores(one.input('q', posenc), one.input('k', posenc), 'raw', call));
    attention.dispose();
  }
  const gradients = { dtable: ['keyTable'], dtable_k: ['keyTable'], dtable_v: ['valueTable'] };
  attendRelative(one, posenc, encoding, { options, call, gradients });
}

/** How far distances are told apart, and in which order rows stand. */
function reach({ max_position_embeddings: positions, max_relative_position: most, left_max: left, right_max: right }) {
  if (positions !== undefined) return { left: positions - 1, order: 'queryMinusKey', beyond: 'error' };
  return most === undefined ? { left, right } : { left: most };
}
