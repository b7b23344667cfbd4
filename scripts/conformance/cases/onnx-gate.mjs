// GatedRelativePositionBias: a gate per query, from the query and its bias, times a bias that is given.
import { toHeads } from './onnx-attention.mjs';
import { using } from './using.mjs';

export function onnxGate(one, { posenc }) {
  const { num_heads: heads } = one.params;
  const [weight, bias, scale] = ['weight', 'bias', 'eco_a'].map((name) => one.input(name, posenc));
  const relative = one.input('rel_pos', posenc);
  const [headDim, gateWidth] = weight.shape;
  const weights = { gateWeight: weight, gateBias: bias.data, gateScale: scale.data };
  using(posenc.t5({ heads, gate: 'query', headDim, gateWidth, weights }), (t5) => {
    const gates = t5.gates(toHeads(queriesOf(one, posenc), heads));
    const [batch, , queries] = gates.shape;
    const keys = relative.shape[3];
    const area = heads * queries * keys;
    const from = (n) => (relative.shape[0] === 1 ? n % area : n);
    const data = Float32Array.from({ length: batch * area }, (_, n) => gates.data[Math.floor(n / keys)] * relative.data[from(n)]);
    one.check('output', { data, shape: [batch, heads, queries, keys] });
  });
}

/** Queries with their bias, [batch, seq, hidden]. With token_offset they come packed, and padding has no query but its bias. */
function queriesOf(one, posenc) {
  const { data, shape } = one.input('query_layer', posenc);
  const bias = one.input('query_bias', posenc).data;
  const width = bias.length;
  if (!one.has('token_offset')) return { data: data.map((value, n) => value + bias[n % width]), shape };
  const places = one.integers('token_offset');
  const [batch, seq] = one.raw('token_offset').shape;
  const out = Float32Array.from({ length: batch * seq * width }, (_, n) => bias[n % width]);
  places.slice(0, shape[0]).forEach((place, token) => {
    for (let c = 0; c < width; c++) out[place * width + c] += data[token * width + c];
  });
  return { data: out, shape: [batch, seq, width] };
}
