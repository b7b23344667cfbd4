// Window biases: Swin's table with its mask and gradient, Swin v2's network, BEiT's table resized.
import { attend } from './attend.mjs';
import { using } from './using.mjs';

const sized = ([height, width]) => ({ height, width });

export function swin(one, { posenc }) {
  one.expect('version', 1, 2);
  if (one.params.windows !== undefined) one.confirm({ windows: one.raw('q').shape[0] });
  if (one.params.version === 2) swinV2(one, posenc);
  else first(one, posenc);
}

function first(one, posenc) {
  const { heads, window } = one.params;
  using(posenc.swin({ heads, window: sized(window), weights: { table: one.input('table', posenc) } }), (e) => {
    one.check('index', e.index());
    const places = window[0] * window[1];
    one.check('bias', e.bias(places, places));
    const call = one.has('mask') ? { mask: perWindow(one.input('mask', posenc)) } : {};
    const { params } = attend(one, posenc, { encodings: [e] }, call);
    if (one.has('dtable')) one.check('dtable', params['swin.table']);
  });
}

/** [windows, places, places] → [windows, 1, places, places]: of three axes the first would be heads. */
function perWindow({ data, shape: [windows, ...places] }) {
  return { data, shape: [windows, 1, ...places] };
}

function swinV2(one, posenc) {
  const { heads, window, pretrained_window: pretrained, hidden } = one.params;
  const weights = Object.fromEntries(['w1', 'b1', 'w2'].map((name) => [name, one.input(name, posenc)]));
  const options = { heads, window: sized(window), pretrainedWindow: sized(pretrained), hidden, weights };
  using(posenc.swinV2(options), (e) => {
    one.check('coords', e.coordinates());
    one.check('index', e.index());
    const places = window[0] * window[1];
    one.check('bias', e.bias(places, places));
    const logitScale = one.input('logit_scale', posenc).data;
    const call = { logitScale, ...(one.has('mask') ? { mask: perWindow(one.input('mask', posenc)) } : {}) };
    const { params, dLogitScale } = attend(one, posenc, { logits: 'cosine', encodings: [e] }, call);
    for (const name of ['w1', 'b1', 'w2']) if (one.has(`d${name}`)) one.check(`d${name}`, params[`swinV2.${name}`]);
    if (one.has('dlogit_scale')) one.check('dlogit_scale', { ...dLogitScale, shape: one.raw('dlogit_scale').shape });
  });
}

export function beit(one, { posenc }) {
  const { heads, window, new_window: to } = one.params;
  const table = posenc.beit.resize(one.input('table', posenc), { from: sized(window), to: sized(to) });
  using(posenc.beit({ heads, window: sized(to), weights: { table } }), (e) => {
    one.check('index', e.index());
    const tokens = to[0] * to[1] + 1;
    one.check('bias', e.bias(tokens, tokens));
  });
}
