// RelativePositionBias: T5's bias with its table given. Upstream's files hold the table twice; `bias_table_hf` is the one
// in row order.
import { using } from './using.mjs';

export function onnxBias(one, { posenc }) {
  const table = one.has('bias_table_hf') ? one.input('bias_table_hf', posenc) : byBucket(one.input('bias_table', posenc));
  const [numBuckets, heads] = table.shape;
  one.confirm({ num_buckets: numBuckets });
  const { is_bidirectional: both = 0, max_distance: maxDistance } = one.params;
  if (one.has('bias_table')) one.raw('bias_table'); // the same numbers, head by head
  const [qLen, kLen] = ['query_length', 'key_length'].map((name) => Number(one.raw(name).data[0]));
  const options = { heads, numBuckets, maxDistance, bidirectional: both === 1, weights: { table } };
  using(posenc.t5(options), (t5) => {
    if (one.has('bucket')) one.check('bucket', t5.buckets(distances(qLen, kLen)));
    const { data, shape } = t5.bias(qLen, kLen);
    one.check('output', { data, shape: [1, ...shape] });
  });
}

/** A table whose memory runs head by head, in row order. */
function byBucket({ data, shape: [buckets, heads] }) {
  return { data: data.map((_, n) => data[(n % heads) * buckets + Math.floor(n / heads)]), shape: [buckets, heads] };
}

/** Key minus query, [qLen, kLen]. */
function distances(qLen, kLen) {
  const data = Float64Array.from({ length: qLen * kLen }, (_, n) => (n % kLen) - Math.floor(n / kLen));
  return { data, shape: [qLen, kLen] };
}
