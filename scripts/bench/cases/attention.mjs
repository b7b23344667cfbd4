// Attention at the sizes of the peer benchmark, from typed arrays to a new one, as onnxruntime-web works; and what
// encodings add to its time. Errors are measured against plain loops in double.
import { memoryLimits } from '../limits.mjs';
import { attend, random, t5Bucket } from '../by-hand.mjs';
import { atLeast, atMost, largestDifference, shown } from '../marks.mjs';

const peak = 51.8; // GFLOP/s of a thread with 128-bit vectors on the machine of docs/performance.md

const flopsOf = ({ heads, queries, keys, width, causal }) =>
  4 * heads * width * (causal && queries > 1 ? (queries * (2 * keys - queries + 1)) / 2 : queries * keys);

function operands({ heads, queries, keys, width }) {
  return [
    { data: random(heads * queries * width, 3), shape: [heads, queries, width] },
    { data: random(heads * keys * width, 4), shape: [heads, keys, width] },
    { data: random(heads * keys * width, 5), shape: [heads, keys, width] },
  ];
}

/** The bias that a framework takes ready: [heads, queries, keys], with -1e9 where a key is hidden. */
function biasMatrix({ heads, queries, keys, causal }, score) {
  const bias = new Float32Array(heads * queries * keys);
  for (let row = 0, at = 0; row < heads * queries; row++) {
    const place = (row % queries) + keys - queries;
    for (let j = 0; j < keys; j++) bias[at++] = causal && j > place ? -1e9 : score(Math.floor(row / queries), j - place);
  }
  return bias;
}

const kinds = {
  alibi: (posenc, { heads, causal }) => {
    const encoding = posenc.alibi({ heads, sides: causal ? 'causal' : 'symmetric' });
    const slopes = encoding.slopes.data;
    return { encoding, score: (head, distance) => -slopes[head] * Math.abs(distance) };
  },
  t5: (posenc, { heads }) => {
    const table = random(32 * heads, 6);
    const encoding = posenc.t5({ heads, weights: { table: { data: table, shape: [32, heads] } } });
    return { encoding, score: (head, distance) => table[t5Bucket(distance, 32, 128) * heads + head] };
  },
};

const againstRivals = (name, size, kind, bounds) => ({
  name,
  async prepare({ posenc, rivals, variant }) {
    const { encoding, score } = kinds[kind](posenc, size);
    const attention = posenc.attention({ heads: size.heads, headDim: size.width, causal: size.causal, encodings: [encoding] });
    const [q, k, v] = operands(size);
    let out;
    const others = await rivals.attention?.(size, [q, k, v], biasMatrix(size, score)) ?? {};
    return {
      runs: { posenc: () => (out = attention.forward(q, k, v)), ...others },
      error: () => largestDifference(out.data, attend(q.data, k.data, v.data, { ...size, score })),
      tolerance: 5e-7,
      marks: (time) => {
        const best = Math.min(...Object.keys(others).map(time));
        const speed = flopsOf(size) / time('posenc') / 1e6;
        return [
          Number.isFinite(best) ? atLeast('× onnxruntime-web', best / time('posenc'), bounds[variant] ?? 0) : shown('× onnxruntime-web', NaN),
          atLeast('GFLOP/s', speed, 0, variant === 'relaxed' ? 34 : 26),
          shown('of the peak', speed / peak),
        ];
      },
    };
  },
});

const decode = {
  name: 'one decode step [32, 1 × 4096, 128], ALiBi, in wasm memory',
  prepare({ posenc, heap }) {
    const size = { heads: 32, queries: 1, keys: 4096, width: 128, causal: true };
    const { encoding, score } = kinds.alibi(posenc, size);
    const attention = posenc.attention({ heads: 32, headDim: 128, causal: true, encodings: [encoding] });
    const given = operands(size);
    const [q, k, v] = given.map(({ data, shape }) => heap(shape, data));
    const out = heap(q.shape);
    return {
      runs: { posenc: () => attention.forward(q, k, v, { into: out }), read: memoryLimits(8 * k.size).read },
      error: () => largestDifference(out.view(), attend(...given.map(({ data }) => data), { ...size, score })),
      tolerance: 5e-7,
      marks: (time) => [atLeast('× the read of K and V', time('read') / time('posenc'), 0.6, 0.8)],
    };
  },
};

// Each with tensors in wasm memory at [8, 1024, 64], no mask.
const [heads, length, width] = [8, 1024, 64];
const shape = [heads, length, width];

function within(name, encodingsOf, marks, callOf = () => ({})) {
  return {
    name,
    prepare({ posenc, heap }) {
      const [q, k, v] = [3, 4, 5].map((seed) => heap(shape, random(heads * length * width, seed)));
      const out = heap(shape);
      const run = (encodings, call) => {
        const attention = posenc.attention({ heads, headDim: width, encodings });
        return () => attention.forward(q, k, v, { ...call, into: out });
      };
      const made = encodingsOf(posenc, heap);
      const runs = { plain: run([], {}) };
      for (const [label, encoding] of Object.entries(made)) runs[label] = run([encoding].filter(Boolean), callOf(label, heap));
      return {
        runs: { ...runs, ...extraRuns(posenc, made) },
        marks: (time) => Object.keys(made).map((label) => marks(label, time)),
      };
    },
  };
}

// The rows that Transformer-XL's W·r makes are a cost of their own, measured apart.
const extraRuns = (posenc, { 'Transformer-XL': xl }) =>
  xl ? { rows: () => xl.rows(2 * length - 1, { offset: 1 - length }) } : {};

const ratio = (bound) => (label, time) => atMost(`${label}, × plain`, time(label) / time('plain'), bound);
const square = { height: 32, width: 32 };

export const cases = [
  againstRivals('causal attention [8, 1024, 64], ALiBi', { heads: 8, queries: 1024, keys: 1024, width: 64, causal: true }, 'alibi', { simd: 1.9, relaxed: 2.8 }),
  againstRivals('full attention [12, 512, 64], T5', { heads: 12, queries: 512, keys: 512, width: 64, causal: false }, 't5', { simd: 1, relaxed: 1.3 }),
  decode,
  within('what terms of the content add, [8, 1024, 64]', (posenc) => ({
    Shaw: posenc.shaw({ headDim: width, left: 16 }),
    'Transformer-XL': posenc.transformerXL({ heads, headDim: width }),
    DeBERTa: posenc.deberta({ heads, headDim: width, span: 256, buckets: 'log', maxRelativePositions: 512 }),
  }), (label, time) => {
    const rows = label === 'Transformer-XL' ? time('rows') : 0;
    return atMost(`${label}${rows ? ' less W·r' : ''}, × plain`, (time(label) - rows) / time('plain'), 2.5);
  }),
  within('what biases of the distance add, [8, 1024, 64]', (posenc) => ({
    ALiBi: posenc.alibi({ heads, sides: 'symmetric' }),
    T5: posenc.t5({ heads }),
    KERPLE: posenc.kerple({ heads }),
    Sandwich: posenc.sandwich({ heads }),
    FIRE: posenc.fire({ heads, initL: 2048 }),
  }), ratio(1.15)),
  within('what tables and matrices add, [8, 1024, 64]', (posenc) => ({
    Swin: posenc.swin({ heads, window: square }),
    relations: posenc.relation({ heads, relations: 64 }),
    'additive mask': null,
  }), ratio(1.5), (label, heap) => {
    if (label === 'additive mask') return { mask: heap(shape.with(2, length), random(heads * length * length, 7)) };
    return label === 'relations' ? { relations: relationIds() } : {};
  }),
  within('what a rotation adds, [8, 1024, 64]', (posenc) => ({ RoPE: posenc.rope({ headDim: width }) }), ratio(1.1)),
];

function relationIds() {
  return { data: Int32Array.from(random(length * length, 8), (value) => Math.floor((value + 1) * 31.9)), shape: [length, length] };
}
