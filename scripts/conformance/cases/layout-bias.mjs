// LayoutLMv2's relative biases: of places in the text, and of boxes on the page.
import { using } from './using.mjs';

export function layoutBias(one, { posenc }) {
  one.expect('variant', 'v2-relative-bias');
  const { heads, seq, rel_pos_bins: numBuckets, max_rel_pos: maxDistance } = one.params;
  const { rel_2d_pos_bins: numBuckets2d, max_rel_2d_pos: maxDistance2d } = one.params;
  const places = one.raw('position_ids');
  const boxes = one.raw('bbox');
  const relPos = one.input('w_1d', posenc);
  using(posenc.layoutBias({ heads, parts: 'text', numBuckets, maxDistance, weights: { relPos } }), (e) => {
    one.check('bias_1d', e.bias(seq, seq, { positions: { q: places, k: places } }));
  });
  const weights = { relPosX: one.input('w_x', posenc), relPosY: one.input('w_y', posenc) };
  using(posenc.layoutBias({ heads, parts: 'page', numBuckets2d, maxDistance2d, weights }), (e) => {
    const positions = e.positions(boxes);
    one.check('bias_2d', e.bias(seq, seq, { positions: { q: positions, k: positions } }));
  });
  const both = { heads, numBuckets, maxDistance, numBuckets2d, maxDistance2d, weights: { ...weights, relPos } };
  using(posenc.layoutBias(both), (e) => {
    const positions = e.positions(boxes, places);
    const sum = e.bias(seq, seq, { positions: { q: positions, k: positions } });
    const [text, page] = ['bias_1d', 'bias_2d'].map((name) => one.raw(name).data);
    one.checkNumbers('bias_1d + bias_2d', sum.data, text.map((value, i) => value + page[i]), one.boundsOf('bias_1d'));
  });
}
