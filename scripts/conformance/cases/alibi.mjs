// ALiBi: slopes, biases, and attention with its gradients.
import { attend } from './attend.mjs';
import { using } from './using.mjs';

export function alibi(one, api) {
  const run = kinds[one.params.kind];
  if (!run) throw new Error(`kind "${one.params.kind}" is not known here`);
  run(one, api);
}

const kinds = {
  /** slopes_H for each head count H. */
  slopes(one, { posenc }) {
    for (const heads of one.params.heads) using(posenc.alibi({ heads }), (e) => one.check(`slopes_${heads}`, e.slopes));
  },

  'symmetric-bias'(one, { posenc }) {
    const { heads, q_len: qLen, k_len: kLen, query_offset: qOffset = kLen - qLen } = one.params;
    using(posenc.alibi({ heads, sides: 'symmetric' }), (e) => one.check('bias', e.bias(qLen, kLen, { qOffset })));
  },

  'causal-bias'(one, { posenc }) {
    const { heads, q_len: qLen, k_len: kLen, query_offset: qOffset = kLen - qLen } = one.params;
    using(posenc.alibi({ heads }), (e) =>
      one.check('bias', e.bias(qLen, kLen, { qOffset }), seen(qLen, kLen, qOffset)),
    );
  },

  /** MPT's order of slopes; the bias [heads, 1, seq] is that of the last query. */
  mpt(one, { posenc }) {
    const { heads, seq, alibi_bias_max: biasMax } = one.params;
    using(posenc.alibi({ heads, slopeRule: 'mpt', biasMax }), (e) => {
      one.check('slopes', e.slopes);
      one.check('bias', e.bias(1, seq, { qOffset: seq - 1 }));
    });
  },

  /** BLOOM: a number per key, from the positions of the tokens that are no padding, as a query at 0 sees them. */
  'key-bias-from-mask'(one, { posenc }) {
    const { heads } = one.params;
    const [batch, seq] = one.raw('mask').shape;
    one.confirm({ batch, seq });
    const mask = one.integers('mask');
    using(posenc.alibi({ heads }), (e) => {
      const rows = Array.from({ length: batch }, (_, row) => {
        const positions = tokenPositions(mask.slice(row * seq, (row + 1) * seq));
        return e.bias(1, seq, { positions: { q: [0], k: positions } }).data;
      });
      one.check('bias', { data: rows.flatMap((row) => [...row]), shape: [batch, heads, seq] });
    });
  },

  attention(one, { posenc }) {
    const { heads, mode, q_len: qLen, k_len: kLen, query_offset: qOffset = 0 } = one.params;
    const causal = mode === 'causal';
    one.expect('mode', 'causal', 'symmetric');
    using(posenc.alibi({ heads, sides: mode, trainable: true }), (e) => {
      if (one.has('slopes')) one.check('slopes', e.slopes);
      // Files store 0 where the causal mask hides a key.
      if (one.has('bias'))
        one.check('bias', e.bias(qLen, kLen, { qOffset }), causal ? seen(qLen, kLen, qOffset) : undefined);
      const zeros = { data: new Float32Array(heads * qLen * kLen), shape: [heads, qLen, kLen] };
      const options = { causal: causal ? 'topLeft' : 'off', encodings: [e] };
      const { dMask, params } = attend(one, posenc, options, { qOffset, mask: zeros });
      if (one.has('dbias')) one.check('dbias', dMask);
      if (one.has('dslopes')) one.check('dslopes', params['alibi.slopes']);
    });
  },
};

/** Positions 0, 1, 2, ... of the tokens, padding at 0. */
function tokenPositions(mask) {
  let count = 0;
  return mask.map((token) => (token ? count++ : 0));
}

/** Which elements of [heads, q, k] a causal query sees. */
function seen(qLen, kLen, qOffset) {
  return (index) => index % kLen <= (Math.floor(index / kLen) % qLen) + qOffset;
}
