// T5's buckets, its bias, and attention with it.
import { attend } from './attend.mjs';
import { using } from './using.mjs';

export function t5(one, { posenc }) {
  const { kind, heads = 1, bidirectional, num_buckets: numBuckets, max_distance: maxDistance } = one.params;
  const weights = one.has('table') ? { table: one.input('table', posenc) } : {};
  one.expect('kind', ...Object.keys(kinds));
  using(posenc.t5({ heads, bidirectional, numBuckets, maxDistance, weights }), (e) => kinds[kind](one, posenc, e));
}

const kinds = {
  bucket(one, posenc, e) {
    one.context('edge');
    one.check('bucket', e.buckets(one.raw('relative_position')));
  },

  bias(one, posenc, e) {
    const { q_len: qLen, k_len: kLen, query_offset: qOffset = 0 } = one.params;
    one.check('bias', e.bias(qLen, kLen, { qOffset }));
  },

  attention(one, posenc, e) {
    const { q_len: qLen, k_len: kLen, causal_mask: causal, query_offset: qOffset = 0 } = one.params;
    one.check('bias', e.bias(qLen, kLen, { qOffset }));
    const { params } = attend(one, posenc, { causal: causal ? 'topLeft' : 'off', encodings: [e] }, { qOffset });
    if (one.has('dtable')) one.check('dtable', params['t5.table']);
  },
};
