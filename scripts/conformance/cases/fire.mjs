// FIRE's bias, and the gradients of everything in it.
import { using } from './using.mjs';

const gradients = { w1: 'dw1', b1: 'db1', w2: 'dw2', b2: 'db2', c: 'dc', lMultiplier: 'dL_multiplier' };

export function fire(one, { posenc }) {
  const { heads, seq, mlp_width: width, c, L_multiplier: multiplier, init_L: initL, eps } = one.params;
  const network = Object.fromEntries(['w1', 'b1', 'w2', 'b2'].map((name) => [name, one.input(name, posenc)]));
  const weights = { ...network, c: Float32Array.of(c), lMultiplier: Float32Array.of(multiplier) };
  using(posenc.fire({ heads, width, initL, eps, weights }), (e) => {
    one.check('bias', e.bias(seq, seq));
    const found = e.backward(one.input('dout', posenc));
    for (const [name, file] of Object.entries(gradients)) if (one.has(file)) one.check(file, found[name]);
  });
}
