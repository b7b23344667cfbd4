// How cost grows with length, width and heads: npm run bench:scaling [-- VARIANT]. Prints tables for docs/performance.md and
// writes the plot beside it. A step is the time of a row over that of the row before, divided by what the mathematics
// says: 4 or 2 for each doubling; above 1 the step costs more than that.
import { writeFileSync } from 'node:fs';
import { main } from '../lib/log.mjs';
import { at } from '../lib/paths.mjs';
import { random } from './by-hand.mjs';

const variant = process.argv[2] ?? 'simd';

/** Milliseconds of the fastest call, of as many as fit 0.4 seconds, three at least. */
function fastest(run) {
  let least = Infinity;
  const end = performance.now() + 400;
  for (let i = 0; i < 3 || performance.now() < end; i++) {
    const start = performance.now();
    run();
    least = Math.min(least, performance.now() - start);
  }
  return least;
}

function attention(posenc, { heads = 1, length, width = 64, causal = true }) {
  const shape = [heads, length, width];
  const [q, k, v, out] = [1, 2, 3, 4].map((seed) => posenc.tensor(shape, random(heads * length * width, seed)));
  const layer = posenc.attention({ heads, headDim: width, causal });
  const time = fastest(() => layer.forward(q, k, v, { into: out }));
  for (const one of [q, k, v, out, layer]) one.dispose();
  return time;
}

function turn(posenc, length) {
  const shape = [8, length, 64];
  const [x, out] = [1, 2].map((seed) => posenc.tensor(shape, random(8 * length * 64, seed)));
  const rope = posenc.rope({ headDim: 64 });
  const time = fastest(() => rope.apply(x, { into: out }));
  for (const one of [x, out, rope]) one.dispose();
  return time;
}

function rows(posenc, length) {
  const out = posenc.tensor([length, 512]);
  const encoding = posenc.sinusoidal({ dim: 512 });
  const time = fastest(() => encoding.encode(length, { into: out }));
  for (const one of [out, encoding]) one.dispose();
  return time;
}

const lengths = Array.from({ length: 8 }, (_, i) => 256 << i);
const columns = {
  'causal attention [1, n, 64], ms': { exponent: 2, run: (posenc, length) => attention(posenc, { length }) },
  'sines [n, 512], ms': { exponent: 1, run: rows },
  'RoPE [8, n, 64], ms': { exponent: 1, run: turn },
};

function table(head, lines) {
  return [head, head.map(() => '---:'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** A table of times with the steps between them; `expected` is the factor for each row over the one before. */
function steps(name, sizes, times, expected) {
  const lines = sizes.map((size, i) => [size, times[i].toPrecision(3), i === 0 ? '' : (times[i] / times[i - 1] / expected(i)).toFixed(2)]);
  return table([name, 'ms', 'step'], lines);
}

/** Lines of time by length, both axes logarithmic. */
function plot(series) {
  const [width, height, left, bottom] = [640, 400, 60, 40];
  const all = series.flatMap(({ times }) => times);
  const [low, high] = [Math.floor(Math.log10(Math.min(...all))), Math.ceil(Math.log10(Math.max(...all)))];
  const x = (i) => left + (i / (lengths.length - 1)) * (width - left - 20);
  const y = (time) => height - bottom - ((Math.log10(time) - low) / (high - low)) * (height - bottom - 40);
  const colours = ['#0b5fa5', '#b3541e', '#2e7d32'];
  const label = (px, py, text, anchor, colour = '#444') => `<text x="${px.toFixed(0)}" y="${py.toFixed(0)}" text-anchor="${anchor}" fill="${colour}">${text}</text>`;
  const parts = [
    ...lengths.map((n, i) => label(x(i), height - 18, n, 'middle')),
    ...Array.from({ length: high - low + 1 }, (_, i) => {
      const py = y(10 ** (low + i));
      return `<line x1="${left}" x2="${width - 20}" y1="${py}" y2="${py}" stroke="#ccc"/>${label(left - 6, py + 4, `${10 ** (low + i)} ms`, 'end')}`;
    }),
    ...series.map(({ name, times }, s) => {
      const points = times.map((time, i) => `${x(i).toFixed(1)},${y(time).toFixed(1)}`).join(' ');
      return `<polyline points="${points}" fill="none" stroke="${colours[s]}" stroke-width="2"/>${label(left + 12, 22 + 16 * s, name.replace(', ms', ''), 'start', colours[s])}`;
    }),
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="11" role="img" aria-label="Time by sequence length">\n${parts.join('\n')}\n</svg>\n`;
}

await main(async () => {
  const { load } = await import(at('dist/node.js'));
  const posenc = await load({ simd: variant });
  attention(posenc, { length: 512 }); // compiles what is measured
  const series = Object.entries(columns).map(([name, { run }]) => ({ name, times: lengths.map((length) => run(posenc, length)) }));
  const head = ['n', ...series.flatMap(({ name }) => [name, 'step'])];
  console.log(table(head, lengths.map((length, i) => [length, ...series.flatMap(({ name, times }) => [
    times[i].toPrecision(3),
    i === 0 ? '' : (times[i] / times[i - 1] / 2 ** columns[name].exponent).toFixed(2),
  ])])));
  const widths = [32, 64, 128, 256];
  console.log(`\n${steps('head width, [4, 1024, width]', widths, widths.map((width) => attention(posenc, { heads: 4, length: 1024, width })), () => 2)}`);
  const heads = [1, 2, 4, 8, 16, 32];
  console.log(`\n${steps('heads, [heads, 512, 64]', heads, heads.map((count) => attention(posenc, { heads: count, length: 512 })), () => 2)}`);
  writeFileSync(at('docs/performance-scaling.svg'), plot(series));
});
