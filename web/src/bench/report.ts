// Reports: put together, checked when they come from elsewhere, and written as text to take away.
import { faultsOf } from '../../../scripts/bench/check-schema.mjs';
import schema from '../../../scripts/bench/report.schema.json' with { type: 'json' };
import { formatDuration } from '../lib/format.js';
import { entryOf } from '../model/create.js';
import { floorOf } from './machine.js';
import { names, type Entry, type Name, type Report, type Row } from './results.js';
import { isSteady, type Statistics } from './statistics.js';

/** Reads a report that was saved; throws what is wrong with it. */
export function readReport(text: string): Report {
  const value: unknown = JSON.parse(text);
  const [fault] = faultsOf(value, schema);
  if (fault) throw new Error(fault);
  return value as Report;
}

/** Without single samples, which are most of its length. */
export function withoutSamples(report: Report): Report {
  const bare = ({ samples: _, ...entry }: Entry): Entry => entry;
  return { ...report, rows: report.rows.map((row) => ({ ...row, entries: row.entries.map(bare) })) };
}

export const entryFor = ({ entries }: Row, name: Name): Entry | undefined => entries.find((entry) => entry.name === name);
export const statisticsOf = (row: Row, name: Name): Statistics | undefined => entryFor(row, name)?.statistics;

/** Who was measured in any row, posenc first. */
export const measuredIn = (rows: readonly Row[]): Name[] => names.filter((name) => rows.some((row) => entryFor(row, name)));

/** How many times as long as the library somebody takes. */
export function ratioOf(row: Row, name: Name): number | undefined {
  const [own, other] = [statisticsOf(row, 'posenc'), statisticsOf(row, name)];
  return own && other ? other.median / own.median : undefined;
}

/** What share of the speed that the machine allows the library reaches. */
export function shareOf(row: Row, { engine }: Report): number | undefined {
  const own = statisticsOf(row, 'posenc');
  return own && floorOf(row, engine) / own.median;
}

const dash = '\u2013';
export const digits3 = (value: number | undefined): string =>
  value === undefined || !Number.isFinite(value) ? dash : value >= 100 ? value.toFixed(0) : value.toPrecision(3);
export const titleOf = ({ id }: { id: string }): string => entryOf(id)?.title ?? id;

const labels: Readonly<Record<Name, { doc: string }>> = {
  posenc: { doc: 'posenc' }, scalar: { doc: 'scalar build' }, javascript: { doc: 'JavaScript' }, onnxruntime: { doc: 'onnxruntime-web' }, tfjs: { doc: 'tfjs wasm' },
};
export const labelOf = (name: Name): string => labels[name].doc;

function rivalCell(row: Row, name: Name): string {
  const entry = entryFor(row, name);
  if (!entry) return dash;
  return entry.status === 'timed' ? `${digits3(ratioOf(row, name))}\u00d7` : entry.status;
}

const line = (cells: readonly string[]): string => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;

function factsOf({ host, engine, date, plan }: Report): string[] {
  const { bandwidth, simd, relaxed } = engine.limits;
  return [
    `- ${host.title}; ${[host.processor, host.architecture].filter(Boolean).join(', ')}${host.processor || host.architecture ? ', ' : ''}${host.processors} processors`,
    `- posenc ${engine.version}, ${engine.variant} build (${engine.wasm.bytes} bytes${engine.wasm.sha256 ? `, SHA-256 ${engine.wasm.sha256.slice(0, 12)}` : ''})`,
    `- clock in steps of ${digits3(1000 * engine.clock)} \u00b5s; copy ${bandwidth.map(({ bytes, copy }) => `${digits3(copy)} GB/s in ${digits3(bytes / 2 ** 20)} MiB`).join(', ')}; multiply-adds ${digits3(Math.max(simd ?? 0, relaxed ?? 0))} GFLOP/s`,
    `- ${date.slice(0, 16).replace('T', ' ')} UTC; preset ${plan.preset}, seed ${plan.seed}${plan.filter ? `, filter ${plan.filter}` : ''}`,
  ];
}

export function toMarkdown(report: Report): string {
  const rivals = measuredIn(report.rows).filter((name) => name !== 'posenc');
  const head = ['encoding', 'call', 'numbers lie', 'result', 'median', '95 % interval', 'GB/s', 'GFLOP/s', 'of the limit', ...rivals.map((name) => `${labelOf(name)} takes`)];
  const rows = report.rows.map((row) => {
    const own = statisticsOf(row, 'posenc');
    const common = [titleOf(row), row.operation, row.output, row.shape.join(' \u00d7 ')];
    if (!own) return [...common, entryFor(row, 'posenc')?.status ?? dash, dash, dash, dash, dash, ...rivals.map(() => dash)];
    return [
      ...common,
      `${formatDuration(own.median)}${isSteady(own) ? '' : ' (unsteady)'}`,
      `${formatDuration(own.low)} to ${formatDuration(own.high)}`,
      digits3(row.bytes / own.median),
      row.flops ? digits3(row.flops / own.median) : dash,
      `${digits3(100 * (shareOf(row, report) ?? NaN))} %`,
      ...rivals.map((name) => rivalCell(row, name)),
    ];
  });
  return [...factsOf(report), '', line(head), line(head.map(() => '---')), ...rows.map(line), ''].join('\n');
}

const times = ['n', 'min', 'median', 'mean', 'p95', 'mad', 'low', 'high'] as const;

export function toCsv({ rows }: Report): string {
  const head = [
    'name', 'encoding', 'operation', 'size', 'output', 'shape', 'elements', 'bytes', 'boundary', 'flops',
    'system', 'status', 'difference', 'first ns', ...times.map((time) => (time === 'n' ? time : `${time} ns`)), 'ns per element', 'GB/s', 'GFLOP/s',
  ];
  const lines = rows.flatMap((row) => row.entries.map((entry) => {
    const { statistics } = entry;
    const speeds = statistics
      ? [statistics.median / row.elements, row.bytes / statistics.median, row.flops ? row.flops / statistics.median : undefined]
      : [undefined, undefined, undefined];
    const numbers = [entry.difference, entry.first, ...times.map((time) => statistics?.[time]), ...speeds];
    return [
      row.name, row.id, row.operation, row.size, row.output, row.shape.join('x'), row.elements, row.bytes, row.boundary, row.flops ?? '',
      entry.name, entry.status, ...numbers.map((number) => (number === undefined ? '' : String(Number(number.toPrecision(6))))),
    ].join(',');
  }));
  return `${[head.join(','), ...lines].join('\n')}\n`;
}

export const toJson = (report: Report): string => `${JSON.stringify(report, null, 1)}\n`;
