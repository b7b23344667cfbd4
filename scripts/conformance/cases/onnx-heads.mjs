// com.microsoft.MultiHeadAttention and GroupQueryAttention: projected queries, keys and values, apart or packed.
import { joined, toHeads, toPacked } from './onnx-attention.mjs';
import { paddingMask } from './onnx-padding.mjs';

/** [batch, seq, heads, parts, dim] → that many of [batch, seq, heads · dim]. */
function unpacked({ data, shape: [batch, seq, heads, parts, dim] }) {
  return Array.from({ length: parts }, (_, part) => ({
    data: Float32Array.from({ length: batch * seq * heads * dim }, (_, n) => data[(Math.floor(n / dim) * parts + part) * dim + (n % dim)]),
    shape: [batch, seq, heads * dim],
  }));
}

/** Columns of [batch, seq, width], cut into parts of those widths. */
function columns({ data, shape: [batch, seq, width] }, widths) {
  let first = 0;
  return widths.map((part) => {
    const from = first;
    first += part;
    return {
      data: Float32Array.from({ length: batch * seq * part }, (_, n) => data[Math.floor(n / part) * width + from + (n % part)]),
      shape: [batch, seq, part],
    };
  });
}

function biased({ data, shape }, bias, first) {
  const width = shape.at(-1);
  return bias ? { data: data.map((value, n) => value + bias[first + (n % width)]), shape } : { data, shape };
}

/** Queries, keys and values [batch, heads, seq, dim], with their biases; those that come in heads already have none. */
function operands(one, posenc, heads) {
  const query = one.input('query', posenc);
  const bias = one.has('bias') ? one.input('bias', posenc).data : undefined;
  let parts = query.shape.length === 5 ? unpacked(query) : [query];
  if (one.has('key')) {
    const key = one.input('key', posenc);
    parts = [...parts, ...(key.shape.length === 5 ? unpacked(key) : [key])];
  }
  if (one.has('value')) parts.push(one.input('value', posenc));
  if (parts.length !== 3) throw new Error(`${parts.length} of queries, keys and values`);
  let first = 0;
  return parts.map((part) => {
    if (part.shape.length === 4) return part;
    const with_ = biased(part, bias, first);
    first += part.shape.at(-1);
    return toHeads(with_, heads);
  });
}

export function onnxMultiHead(one, { posenc }) {
  const { num_heads: heads, scale, unidirectional = 0 } = one.params;
  one.expect('unidirectional', 0, 1);
  const [q, freshK, freshV] = operands(one, posenc, heads);
  const past = ['past_key', 'past_value'].map((name) => (one.has(name) ? one.input(name, posenc) : undefined));
  const [k, v] = [joined(past[0], freshK), joined(past[1], freshV)];
  const [batch, , queries, headDim] = q.shape;
  const attention = posenc.attention({
    heads,
    headDim,
    valueDim: v.shape[3],
    causal: unidirectional === 1 ? 'topLeft' : 'off',
    ...(scale ? { scale } : {}), // 0 and nothing alike
  });
  try {
    const mask = paddingMask(one, posenc, 'key_padding_mask', { batch, heads, queries, keys: k.shape[2] });
    const call = { ...mask, qOffset: past[0]?.shape[2] ?? 0 };
    one.check('output', toPacked(attention.forward(q, k, v, call)));
    if (one.has('present_key')) one.check('present_key', k);
    if (one.has('present_value')) one.check('present_value', v);
    if (one.has('qk')) one.check('qk', attention.scores(q, k, 'raw', call));
  } finally {
    attention.dispose();
  }
}

export function onnxGroupQuery(one, { posenc }) {
  const { num_heads: heads, kv_num_heads: kvHeads, scale, softcap = 0, local_window_size: window = -1 } = one.params;
  one.expect('smooth_softmax', 0, 1, -1);
  const query = one.input('query', posenc);
  const headDim = one.has('key') ? query.shape[2] / heads : query.shape[2] / (heads + 2 * kvHeads);
  const apart = () => [query, one.input('key', posenc), one.input('value', posenc)];
  const parts = one.has('key') ? apart() : columns(query, [heads, kvHeads, kvHeads].map((count) => count * headDim));
  let [q, k, v] = parts.map((part, n) => toHeads(part, n === 0 ? heads : kvHeads));
  const [batch, , queries] = q.shape;
  // The lengths that keys reach; the first call of a batch that is padded on the right has no past.
  const lengths = one.integers('seqlens_k').map((last) => last + 1);
  const [total] = one.integers('total_sequence_length');
  const offsets = lengths.map((length) => (total === queries ? 0 : length - queries));
  [q, k] = rotated(one, posenc, { q, k, headDim, offsets });
  const past = ['past_key', 'past_value'].map((name) => (one.has(name) ? one.input(name, posenc) : undefined));
  const keys = Math.max(total, past[0]?.shape[2] ?? 0);
  const [allK, allV] = [k, v].map((fresh, n) => placed(past[n], fresh, offsets, keys));
  const attention = posenc.attention({
    heads,
    kvHeads,
    headDim,
    causal: true,
    softcap,
    window: window > 0 ? { left: window - 1 } : {},
    ...(scale ? { scale } : {}),
  });
  try {
    const bias = paddingMask(one, posenc, 'no mask', { batch, heads, queries, keys });
    const sinks = one.has('head_sink') ? one.input('head_sink', posenc) : one.params.smooth_softmax === 1 ? new Float32Array(heads) : undefined;
    const call = { ...bias, qOffset: Int32Array.from(offsets), keyLengths: Int32Array.from(lengths), ...(sinks ? { sinks } : {}) };
    const out = toPacked(attention.forward(q, allK, allV, call));
    // What stands beyond the length of a row is padding.
    const counts = (n) => offsets[Math.floor(n / (queries * heads * headDim))] + (Math.floor(n / (heads * headDim)) % queries);
    one.check('output', out, (n) => counts(n) < lengths[Math.floor(n / (queries * heads * headDim))]);
    const filled = (n) => Math.floor(n / headDim) % keys < lengths[Math.floor(n / (kvHeads * keys * headDim))];
    if (one.has('present_key')) one.check('present_key', allK, filled);
    if (one.has('present_value')) one.check('present_value', allV, filled);
  } finally {
    attention.dispose();
  }
}

/** New rows behind the past of each batch row, in room for `keys`. */
function placed(past, { data, shape: [batch, heads, count, dim] }, offsets, keys) {
  const out = new Float32Array(batch * heads * keys * dim);
  const before = past?.shape[2] ?? 0;
  for (let row = 0; row < batch * heads; row++) {
    const offset = offsets[Math.floor(row / heads)];
    if (past) out.set(past.data.subarray(row * before * dim, (row * before + Math.min(offset, before)) * dim), row * keys * dim);
    out.set(data.subarray(row * count * dim, (row + 1) * count * dim), (row * keys + offset) * dim);
  }
  return { data: out, shape: [batch, heads, keys, dim] };
}

/** do_rotary: by the tables that come with the node, each token at its place or where position_ids says. */
function rotated(one, posenc, { q, k, headDim, offsets }) {
  const { do_rotary: rotates = 0, rotary_interleaved: interleaved = 0 } = one.params;
  if (rotates !== 1) return [q, k];
  const table = { cos: one.input('cos_cache', posenc), sin: one.input('sin_cache', posenc) };
  const [batch, , tokens] = q.shape;
  const counted = Array.from({ length: batch * tokens }, (_, n) => offsets[Math.floor(n / tokens)] + (n % tokens));
  const data = one.has('position_ids') ? one.integers('position_ids') : counted;
  const rope = posenc.rope({ headDim, rotaryDim: 2 * table.cos.shape.at(-1), layout: interleaved === 1 ? 'interleaved' : 'half' });
  const turn = (x) => rope.apply(x, { table, positions: { data, shape: [batch, tokens] } });
  const turned = [turn(q), turn(k)];
  rope.dispose();
  return turned;
}
