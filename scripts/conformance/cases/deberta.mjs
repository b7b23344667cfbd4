// DeBERTa: logarithmic buckets, and disentangled attention with projected rows and with embeddings.
import { attendRelative, maskOf } from './relative.mjs';

export function deberta(one, { posenc }) {
  if (one.params.kind === 'bucket') {
    const { bucket_size: span, max_position: maxRelativePositions } = one.params;
    one.context('edge');
    one.check('bucket', posenc.deberta.buckets(one.integers('relative_position'), { span, maxRelativePositions }));
    return;
  }
  one.context('rel_index', 'index');
  one.expect('version', 1, 2);
  one.expect('pos_att_type', ['c2p', 'p2c'], ['p2c', 'c2p'], ['c2p'], ['p2c']);
  // The two projections are given, whether or not a model takes those of the content for them.
  one.expect('share_att_key', true, false);
  checkSizes(one);
  attendWith(one, posenc, { rows: 'projected' }, { positionKeys: 'pos_key', positionQueries: 'pos_query' });
  if (!one.has('rel_embeddings')) return;
  attendWith(one, posenc, {}, {
    relativeEmbeddings: 'rel_embeddings',
    keyWeight: 'w_pos_key',
    keyBias: 'b_pos_key',
    queryWeight: 'w_pos_query',
    queryBias: 'b_pos_query',
  });
}

/** Rows, span and scale say the same in other words. */
function checkSizes(one) {
  const { rel_rows: rows, position_buckets: buckets, max_relative_positions: most, seq, pos_att_type: terms, head_dim: dim } = one.params;
  const span = rows / 2;
  if (!(buckets > 0)) one.confirm({ max_relative_positions: span });
  // The table that is looked at ends where the tokens do.
  one.confirm({ att_span: buckets > 0 ? buckets : Math.min(seq, most), scale_factor: 1 + terms.length });
  const scale = 1 / Math.sqrt(dim * (1 + terms.length));
  one.checkNumbers('parameter scale', [one.params.scale], [scale], [{ relative: 1e-6, absolute: 0 }]);
}

function attendWith(one, posenc, form, names) {
  const { heads, head_dim: headDim, rel_rows: rows, position_buckets: buckets, pos_att_type: terms } = one.params;
  const log = buckets > 0 ? { buckets: 'log', maxRelativePositions: one.params.max_relative_positions } : {};
  const there = Object.entries(names).filter(([, file]) => one.has(file));
  const weights = Object.fromEntries(there.map(([own, file]) => [own, one.input(file, posenc)]));
  const both = terms.length === 2 ? 'both' : terms[0];
  const encoding = posenc.deberta({ heads, headDim, span: rows / 2, ...log, terms: both, ...form, weights });
  const gradients = Object.fromEntries(there.map(([own, file]) => [`d${file}`, [own]]));
  attendRelative(one, posenc, encoding, { call: maskOf(one, 1), gradients });
}
