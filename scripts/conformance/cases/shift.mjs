// Rows of distances brought under their keys: the Music Transformer's skewing, and the shift of Transformer-XL and XLNet.
// Shaw's term does just that with a table of unit vectors and keys of zeros: a query's score is its own number for that distance.

export function shift(one, { posenc }) {
  const { data, shape } = one.input('x', posenc);
  const [heads, qLen, rows] = shape;
  const kLen = one.raw('out').shape[2];
  const left = firstKey(one.params, qLen);
  const unit = Float32Array.from({ length: rows * rows }, (_, at) => (at % (rows + 1) === 0 ? 1 : 0));
  const shaw = posenc.shaw({ headDim: rows, left, right: rows - 1 - left, values: 'none', weights: { keyTable: unit } });
  const attention = posenc.attention({ heads, headDim: rows, scale: 1, encodings: [shaw] });
  const zeros = { data: new Float32Array(heads * kLen * rows), shape: [heads, kLen, rows] };
  const scores = attention.scores({ data, shape }, zeros, 'raw');
  // Elsewhere padding and reshaping leave numbers of other rows.
  const valid = one.has('valid') ? one.integers('valid') : undefined;
  one.check('out', scores, valid && ((index) => valid[index % (qLen * kLen)] === 1));
  attention.dispose();
  shaw.dispose();
}

/** The row of x that query 0 has for key 0. */
function firstKey({ kind }, qLen) {
  return kind === 'rel_shift_bnij' ? qLen : qLen - 1;
}
