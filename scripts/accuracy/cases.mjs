// What is promised of results, and how far they are off: { name, header, bound, measure(posenc) }. Where the header states
// a bound, it is that one. A case's number is the largest error of all its elements.
import { attention, bicubic, floats, largestError, rotate, sizeOf, spread } from './plain.mjs';

const sequence = (count) => Array.from({ length: count }, (_, i) => i);
const heads = 4, seq = 200, dim = 64;
const [q, k, v, dOut] = [1, 2, 3, 4].map((seed) => floats(heads * seq * dim, seed));
const tensor = (data) => ({ data, shape: [heads, seq, dim] });
const geometric = (base, width) => sequence(width / 2).map((m) => base ** (-2 * m / width));
// Scores up to about 8: queries are three times as long.
const longer = q.map((x) => 3 * x);

function disposed(object, use) {
  try {
    return use(object);
  } finally {
    object.dispose();
  }
}

function sines(posenc) {
  const positions = spread(2 ** 24, 600);
  return disposed(posenc.sinusoidal({ dim: 64 }), (pe) => {
    const want = positions.flatMap((p) => geometric(10000, 64).flatMap((w) => [Math.sin(p * w), Math.cos(p * w)]));
    return largestError(pe.encode(positions).data, want);
  });
}

function factors(posenc) {
  const positions = spread(2 ** 24, 600);
  return disposed(posenc.rope({ headDim: 64, base: 500000 }), (rope) => {
    const { cos, sin } = rope.table(positions);
    const angles = positions.flatMap((p) => geometric(500000, 64).map((w) => p * w));
    return Math.max(largestError(cos.data, angles.map(Math.cos)), largestError(sin.data, angles.map(Math.sin)));
  });
}

function turned(posenc) {
  const positions = spread(2 ** 20, seq);
  const want = rotate(q, { heads, seq, dim, positions, frequencies: geometric(10000, dim) });
  return disposed(posenc.rope({ headDim: dim }), (rope) => largestError(rope.apply(tensor(q), { positions }).data, want));
}

const alibiOf = (h, i, j) => -(2 ** (-8 * (h + 1) / heads)) * (i - j);

function slopes(posenc) {
  const want = sequence(heads).flatMap((h) => sequence(300).flatMap((i) => sequence(300).map((j) => alibiOf(h, i, j))));
  return disposed(posenc.alibi({ heads }), (alibi) => largestError(alibi.bias(300, 300).data, want, (x) => Math.max(Math.abs(x), 1)));
}

// Each kind of attention once, forward and backward.
function attended(posenc, { query = q, encodings = () => [], plain = {}, options = {} }) {
  const used = encodings(posenc);
  const attend = posenc.attention({ heads, headDim: dim, causal: true, encodings: used, ...options });
  const { out, lse } = attend.forwardForGrad(tensor(query), tensor(k), tensor(v));
  const { dq, dk, dv } = attend.backward({ q: tensor(query), k: tensor(k), v: tensor(v), out, lse, dOut: tensor(dOut) });
  attend.dispose();
  for (const encoding of used) encoding.dispose();
  const want = attention({ heads, seq, dim, q: query, k, v, dOut, causal: true, ...plain });
  const relative = (got, exact) => largestError(got.data, exact) / Math.max(sizeOf(exact), 1);
  return {
    out: largestError(out.data, want.out),
    lse: largestError(lse.data, want.lse),
    gradients: Math.max(relative(dq, want.dq), relative(dk, want.dk), relative(dv, want.dv)),
  };
}

const kinds = [
  ['attention', {}],
  ['attention, scores to 8', { query: longer }],
  ['attention with ALiBi', { encodings: (posenc) => [posenc.alibi({ heads })], plain: { bias: alibiOf } }],
  ['attention with softcap', { query: longer, options: { softcap: 5 }, plain: { softcap: 5 } }],
];

// One run gives three numbers.
const results = new WeakMap();
function resultOf(posenc, kind, about) {
  if (!results.has(posenc)) results.set(posenc, new Map());
  const known = results.get(posenc);
  if (!known.has(kind)) known.set(kind, attended(posenc, about));
  return known.get(kind);
}

function resampled(posenc) {
  const table = floats(14 * 14 * 32, 5);
  const got = posenc.gridLearned.resample({ data: table, shape: [196, 32] }, { from: [14, 14], to: [37, 31] });
  return largestError(got.data, bicubic(table, { rows: 14, cols: 14, toRows: 37, toCols: 31, dim: 32 }));
}

// Two times the projections, and attention between them.
function layered(posenc) {
  const width = 32, count = 48;
  const x = floats(count * width, 6);
  return disposed(posenc.attentionLayer({ dim: width, heads: 2, causal: true, seed: 1 }), (layer) => {
    const { Wq, Wk, Wv, Wo, bq, bk, bv, bo } = layer.parameters;
    const project = (rows, weight, bias) => sequence(count * width).map((n) => {
      const [i, o] = [Math.floor(n / width), n % width];
      let sum = bias ? bias.data[o] : 0;
      for (let c = 0; c < width; c++) sum += rows[i * width + c] * weight.data[c * width + o];
      return sum;
    });
    const byHead = (rows) => sequence(2).flatMap((h) => sequence(count).flatMap((i) => rows.slice(i * width + h * 16, i * width + h * 16 + 16)));
    const [a, b, c] = [[Wq, bq], [Wk, bk], [Wv, bv]].map(([weight, bias]) => byHead(project(x, weight, bias)));
    const { out } = attention({ heads: 2, seq: count, dim: 16, q: a, k: b, v: c, dOut: new Float64Array(2 * count * 16), causal: true });
    const joined = sequence(count).flatMap((i) => sequence(2).flatMap((h) => out.slice((h * count + i) * 16, (h * count + i) * 16 + 16)));
    return largestError(layer.forward({ data: x, shape: [count, width] }).data, project(joined, Wo, bo), (y) => 1 + Math.abs(y));
  });
}

// Every half float there is, to a float and back.
function halves(posenc) {
  const bits = Uint16Array.from({ length: 65536 }, (_, i) => i).filter((x) => (x & 0x7c00) !== 0x7c00);
  const want = Array.from(bits, (x) => {
    const [sign, exponent, fraction] = [x >> 15 ? -1 : 1, (x >> 10) & 31, x & 1023];
    return sign * (exponent === 0 ? fraction * 2 ** -24 : (1 + fraction / 1024) * 2 ** (exponent - 15));
  });
  return largestError(posenc.fromHalf(bits, [bits.length], 'f16').data, want);
}

/** `slack`: how far the double formula itself may be off. */
export const cases = [
  { name: 'sines and cosines of positions to 2^24', header: 'kernels/angles.hpp', bound: 3e-8, slack: 3e-9, measure: sines },
  { name: 'RoPE\'s factors, positions to 2^24', header: 'rotary/rope.hpp', bound: 2e-7, slack: 3e-9, measure: factors },
  { name: 'RoPE on values in [-1, 1]', header: 'kernels/rotate.hpp', bound: 2.5e-7, measure: turned },
  { name: 'ALiBi, relative', header: 'bias/alibi.hpp', bound: 6e-8, measure: slopes },
  ...kinds.flatMap(([name, about]) => [
    { name: `${name}: out`, header: 'attention/attention.hpp', bound: 5e-7, measure: (posenc) => resultOf(posenc, name, about).out },
    { name: `${name}: lse`, header: 'attention/attention.hpp', bound: 2e-6, measure: (posenc) => resultOf(posenc, name, about).lse },
    { name: `${name}: gradients, relative to their largest`, header: 'attention/attention.hpp', bound: 2e-6, measure: (posenc) => resultOf(posenc, name, about).gradients },
  ]),
  { name: 'bicubic resampling of values in [-1, 1]', header: 'kernels/resample.hpp', bound: 5e-7, measure: resampled },
  { name: 'attention layer, relative to 1 + abs(out)', header: 'layer/layer.hpp', bound: 2e-6, measure: layered },
  { name: 'half floats to floats', header: 'kernels/half.hpp', bound: 0, measure: halves },
];
