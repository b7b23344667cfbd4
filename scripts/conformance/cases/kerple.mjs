// KERPLE's kernels as the authors' code has them: nothing ahead of the query, `out` = x + bias.
import { using } from './using.mjs';

export function kerple(one, { posenc }) {
  const { kind, heads, q_len: qLen, k_len: kLen, eps: minimum } = one.params;
  const weights = { p: one.input('p', posenc), a: one.input('a', posenc) };
  one.context('valid');
  using(posenc.kerple({ heads, kind, sides: 'causal', minimum, weights }), (e) => {
    const bias = e.bias(qLen, kLen);
    one.check('bias', bias);
    const x = one.input('x', posenc);
    one.check('out', { data: bias.data.map((value, i) => value + x.data[i]), shape: bias.shape });
    const gradients = e.backward(one.input('dout', posenc));
    one.check('dp', gradients.p);
    one.check('da', gradients.a);
  });
}
