// How attention's time grows: with windows, backward, lengths and widths that are no multiple of a tile, few queries.
import { random } from '../by-hand.mjs';
import { atMost, shown } from '../marks.mjs';

function problem({ posenc, heap }, { heads, queries, keys = queries, width, ...options }, encodings = []) {
  const [q, k, v] = [[3, queries], [4, keys], [5, keys]].map(([seed, rows]) => heap([heads, rows, width], random(heads * rows * width, seed)));
  const attention = posenc.attention({ heads, headDim: width, encodings, ...options });
  const out = heap(q.shape);
  return { attention, q, k, v, out, run: () => attention.forward(q, k, v, { into: out }) };
}

const windowed = {
  name: 'a window of 256 keys before the query, of 8192: [2, 8192, 64], causal',
  prepare(bench) {
    const size = { heads: 2, queries: 8192, width: 64, causal: true };
    const tiles = 8192 / 64;
    const seen = Array.from({ length: tiles }, (_, i) => Math.min(i, 256 / 64) + 1).reduce((a, b) => a + b);
    return {
      runs: { all: problem(bench, size).run, windowed: problem(bench, { ...size, window: { left: 256 } }).run },
      marks: (time) => [atMost('× its share of the tiles', time('windowed') / time('all') / (seen / ((tiles * (tiles + 1)) / 2)), 1.3)],
    };
  },
};

const backward = {
  name: 'backward against forward, causal [8, 1024, 64]',
  prepare(bench) {
    const { posenc, heap } = bench;
    const [heads, width] = [8, 64];
    const shape = [heads, 1024, width];
    const dOut = heap(shape, random(heads * 1024 * width, 6));
    const into = { dq: heap(shape), dk: heap(shape), dv: heap(shape) };
    const runs = {};
    const encodings = { none: [], RoPE: [posenc.rope({ headDim: width })], ALiBi: [posenc.alibi({ heads })], T5: [posenc.t5({ heads })] };
    for (const [name, list] of Object.entries(encodings)) {
      const { attention, q, k, v, run } = problem(bench, { heads, queries: 1024, width, causal: true }, list);
      const { out, lse } = attention.forwardForGrad(q, k, v, { into: heap(shape), lse: heap(shape.slice(0, 2)) });
      runs[name] = run;
      runs[`${name}, backward`] = () => attention.backward({ q, k, v, out, lse, dOut, into });
    }
    return {
      runs,
      marks: (time) => Object.keys(encodings).map((name) => atMost(`${name}, × forward`, time(`${name}, backward`) / time(name), 3.5)),
    };
  },
};

// Time per score, or per multiply-add, against that of a size which fits tiles.
const odd = (name, sizes, bound, workOf) => ({
  name,
  prepare(bench) {
    const label = (size) => Object.values(size).join(' × ');
    const all = sizes.flat();
    return {
      runs: Object.fromEntries(all.map((size) => [label(size), problem(bench, { heads: 8, ...size }).run])),
      marks: (time) => {
        const each = (size) => time(label(size)) / workOf(size);
        return sizes.map(([size, even]) => atMost(`${label(size)} against ${label(even)}`, each(size) / each(even), bound));
      },
    };
  },
});

const few = {
  name: 'few queries by a cache: [8, n × 4096, 64], against no encoding',
  prepare(bench) {
    const { posenc } = bench;
    const [heads, width] = [8, 64];
    const encodings = {
      none: [],
      Shaw: [posenc.shaw({ headDim: width, left: 16 })],
      DeBERTa: [posenc.deberta({ heads, headDim: width, span: 256, buckets: 'log', maxRelativePositions: 512, rows: 'projected' })],
    };
    const runs = {};
    for (const queries of [1, 4]) {
      for (const [name, list] of Object.entries(encodings)) {
        runs[`${name} ${queries}`] = problem(bench, { heads, queries, keys: 4096, width, causal: true }, list).run;
      }
    }
    const marks = (time) => [1, 4].flatMap((n) => ['Shaw', 'DeBERTa'].map((name) => shown(`${name}, n = ${n}, × none`, time(`${name} ${n}`) / time(`none ${n}`))));
    return { runs, marks };
  },
};

export const cases = [
  windowed,
  backward,
  odd('lengths that do not fit tiles, width 64', [[{ queries: 777, width: 64 }, { queries: 768, width: 64 }], [{ queries: 1000, width: 64 }, { queries: 1024, width: 64 }]], 1.2, ({ queries }) => queries ** 2),
  odd('head widths that do not fit, 768 tokens', [[{ queries: 768, width: 80 }, { queries: 768, width: 64 }], [{ queries: 768, width: 100 }, { queries: 768, width: 128 }]], 1.3, ({ width }) => width),
  few,
];
