// How fast the built package is, as ratios within one run: npm run bench [-- --variant simd] [-- --only RoPE,digits]
// [-- --budget 3000] [-- --out file.json] [-- --page: in a page of Chromium]. Ends with status 1 where a ratio misses what
// it must reach, which says something on a quiet machine only.
import { spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { main, Stop } from '../lib/log.mjs';
import { ask } from '../lib/run.mjs';
import { at } from '../lib/paths.mjs';
import { nodeFlags } from '../lib/node-flags.mjs';
import { atMost } from './marks.mjs';

const number = (x) => (!Number.isFinite(x) ? '–' : x >= 100 ? x.toFixed(0) : x >= 10 ? x.toFixed(1) : x.toFixed(2));
const time = (ms) => (ms < 0.1 ? `${number(1000 * ms)} µs` : `${number(ms)} ms`);

async function measureInNode(options, report) {
  const child = spawn(process.execPath, [...nodeFlags(options.variant), at('scripts/bench/worker.mjs'), JSON.stringify(options)], { stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.startsWith('{')) report(JSON.parse(line));
  }
  return `Node ${process.version}`;
}

function show({ name, times, error, tolerance, marks, medians, failed }) {
  console.log(`\n${name}`);
  if (failed) return console.log(`  failed: ${failed}`);
  for (const [run, { least, median }] of Object.entries(times)) {
    console.log(`  ${run.padEnd(40)} ${time(least).padStart(10)}   median ${time(median)}`);
  }
  if (error !== undefined) console.log(`  largest difference ${error.toExponential(1)}, allowed ${tolerance}`);
  marks.forEach(({ text, value, bound, aim, sign, isMet }, i) => {
    const demand = bound ? `must be ${sign} ${bound}` : '';
    const wish = aim ? `aim ${aim}` : '';
    console.log(`  ${isMet ? ' ' : '✗'} ${text.padEnd(38)} ${number(value).padStart(8)}   by medians ${number(medians[i])}   ${[demand, wish].filter(Boolean).join(', ')}`);
  });
}

const isWrong = ({ failed, error, tolerance, marks }) =>
  Boolean(failed) || !(error === undefined || error <= tolerance) || marks.some(({ isMet }) => !isMet);

/** Import to first result, in new processes. */
function measureLoad(variant) {
  const script = at('scripts/bench/load.mjs');
  const posenc = spread(Array.from({ length: 21 }, () => Number(ask(process.execPath, [...nodeFlags(variant), script, variant]))));
  const marks = [atMost('ms from import to the first result', posenc.least, 15, 8)];
  return { name: 'load', times: { posenc }, marks, medians: [posenc.median] };
}

/** The same in new pages, over the import of a file with nothing in it. */
async function measureLoadInPages(variant) {
  const { loadTimes } = await import('./in-chromium.mjs');
  const times = Object.fromEntries(Object.entries(await loadTimes(variant, 21)).map(([name, samples]) => [name, spread(samples)]));
  const over = (of) => times.posenc[of] - times.nothing[of];
  const marks = [atMost('ms from import to the first result, over nothing', over('least'), 30)];
  return { name: 'load', times, marks, medians: [over('median')] };
}

function spread(samples) {
  const sorted = samples.toSorted((a, b) => a - b);
  return { least: sorted[0], median: sorted[sorted.length >> 1] };
}

await main(async () => {
  const { values } = parseArgs({ options: {
    page: { type: 'boolean', default: false }, variant: { type: 'string' }, only: { type: 'string', default: '' },
    budget: { type: 'string', default: '3000' }, out: { type: 'string' },
  } });
  if (!existsSync(at('dist/node.js'))) throw new Stop('There is no package in dist/: npm run build -- package');
  const only = values.only.split(',').filter(Boolean);
  const run = values.page ? (await import('./in-chromium.mjs')).measureInPage : measureInNode;
  console.log(`${cpus()[0]?.model ?? 'unknown processor'}, ${cpus().length} processors`);
  const all = [];
  for (const variant of values.variant ? [values.variant] : ['simd', 'relaxed']) {
    console.log(`\n== ${variant} ==`);
    const results = [];
    const engine = await run({ variant, only, budget: Number(values.budget) }, (result) => {
      results.push(result);
      show(result);
    });
    console.log(`\nby ${engine}`);
    if (only.length === 0 || only.includes('load')) {
      results.push(await (values.page ? measureLoadInPages : measureLoad)(variant));
      show(results.at(-1));
    }
    all.push({ variant, engine, results });
  }
  if (values.out) writeFileSync(values.out, JSON.stringify(all, null, 1));
  const missed = all.flatMap(({ variant, results }) => results.filter(isWrong).map(({ name }) => `${variant}: ${name}`));
  if (missed.length > 0) throw new Stop(`Missed:\n  ${missed.join('\n  ')}`);
  console.log('\nAll that has to be reached is reached.');
});
