// Reports of the benchmark page, saved there or by npm run bench:page on any machines, as tables of docs/performance.md:
// npm run bench:merge -- A.json B.json. With --print they are only printed.
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { isMain, main, Stop } from '../lib/log.mjs';
import { at } from '../lib/paths.mjs';
import { faultsOf } from './check-schema.mjs';

const page = 'docs/performance.md';
const marks = ['<!-- machines: written by npm run bench:merge -->', '<!-- machines: end -->'];
/** The section of the tables stands before this one. */
const next = '## What paid\n';
const intro = `## On several machines

Medians of the benchmark page's cases, and beside them how many times as long others take; a letter stands for the machine, ORT for onnxruntime-web. Names are encoding, call, size, and
where the numbers lie: in wasm memory (heap), in arrays of the caller's (into), or from arrays into a new one (new).
`;
const rivals = { scalar: 'scalar', javascript: 'JS', onnxruntime: 'ORT', tfjs: 'tfjs' };
const dash = '\u2013';

const number = (value) => (value === undefined || !Number.isFinite(value) ? dash : value >= 100 ? value.toFixed(0) : value.toPrecision(3));
function duration(nanoseconds) {
  const [size, unit] = [[1e9, 's'], [1e6, 'ms'], [1e3, '\u00b5s']].find(([limit]) => nanoseconds >= limit) ?? [1, 'ns'];
  return `${number(nanoseconds / size)} ${unit}`;
}
const line = (cells) => `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`;
const table = (head, aligns, rows) => [line(head), line(aligns), ...rows.map(line)].join('\n');
const letter = (i) => String.fromCharCode(65 + i);

function machines(reports) {
  const head = ['machine', 'processor', 'build', 'copy 256 KiB / 64 MiB, GB/s', 'multiply-adds, GFLOP/s', 'clock, \u00b5s', 'fetch + compile + instantiate, ms', 'measured'];
  const rows = reports.map(({ host, engine, date, plan }, i) => {
    const { bandwidth, simd = 0, relaxed = 0 } = engine.limits;
    const { fetch, compile, instantiate } = engine.cold;
    return [
      `${host.title} (${letter(i)})`,
      [host.processor ?? host.architecture, `${host.processors} threads`].filter(Boolean).join(', '),
      `${engine.version} ${engine.variant}`,
      [bandwidth[0], bandwidth.at(-1)].map((one) => number(one?.copy)).join(' / '),
      number(Math.max(simd, relaxed)),
      number(1000 * engine.clock),
      number(fetch + compile + instantiate),
      `${date.slice(0, 10)}, ${plan.preset}`,
    ];
  });
  return table(head, ['---', '---', '---', '---:', '---:', '---:', '---:', '---'], rows);
}

function cells(row, measured) {
  const own = row?.entries.find(({ name }) => name === 'posenc');
  const others = measured.map((name) => {
    const entry = row?.entries.find((one) => one.name === name);
    if (!entry) return dash;
    return entry.statistics && own?.statistics ? number(entry.statistics.median / own.statistics.median) : entry.status;
  });
  return [own?.statistics ? duration(own.statistics.median) : (own?.status ?? dash), ...others];
}

/** Tables for Markdown: the machines, and every case with its time on each and what rivals take, as multiples of it. */
export function mergeReports(reports) {
  const measured = reports.map(({ rows }) => Object.keys(rivals).filter((name) => rows.some(({ entries }) => entries.some((entry) => entry.name === name))));
  const names = [...new Set(reports.flatMap(({ rows }) => rows.map(({ name }) => name)))];
  const head = ['case', ...measured.flatMap((own, i) => [letter(i), ...own.map((name) => `\u00d7 ${rivals[name]}`)])];
  const rows = names.map((name) => [name, ...reports.flatMap((report, i) => cells(report.rows.find((row) => row.name === name), measured[i]))]);
  return `${machines(reports)}\n\n${table(head, head.map((_, i) => (i === 0 ? '---' : '---:')), rows)}\n`;
}

function read(file) {
  const schema = JSON.parse(readFileSync(at('scripts/bench/report.schema.json'), 'utf8'));
  const report = JSON.parse(readFileSync(file, 'utf8'));
  const [fault] = faultsOf(report, schema);
  if (fault) throw new Stop(`${file} is no report: ${fault}`);
  return report;
}

/** The page with the tables in place of those before, or as a section of their own. */
export function writeInto(text, tables) {
  const written = `${marks[0]}\n\n${tables}\n${marks[1]}`;
  const [begin, end] = marks.map((mark) => text.indexOf(mark));
  if (begin >= 0 && end > begin) return text.slice(0, begin) + written + text.slice(end + marks[1].length);
  if (!text.includes(next)) throw new Stop(`${page} has no place for the tables: ${marks.join(' ... ')}`);
  return text.replace(next, () => `${intro}\n${written}\n\n${next}`);
}

if (isMain(import.meta)) {
  await main(() => {
    const { values: { print }, positionals: files } = parseArgs({ options: { print: { type: 'boolean', default: false } }, allowPositionals: true });
    if (files.length === 0) throw new Stop('npm run bench:merge -- A.json B.json: which reports?');
    const tables = mergeReports(files.map(read));
    if (print) console.log(tables);
    else writeFileSync(at(page), writeInto(readFileSync(at(page), 'utf8'), tables));
  });
}
