// Results as a table for the page, and as text to take away.
import { formatDuration } from '../lib/format.js';
import { entryOf } from '../model/create.js';
import type { Name, Row } from './messages.js';

export const elementsOf = ({ shape }: Row): number => shape.reduce((product, extent) => product * extent, 1);

/** How many times as long as the library somebody takes. */
function ratio({ results }: Row, name: Name): string {
  const [own, other] = [results.posenc, results[name]];
  return own && other ? `${(other.median / own.median).toFixed(2)}\u00d7` : '\u2013';
}

export interface Column {
  title: string;
  about: string;
  text(row: Row): string;
}

const time = (row: Row, part: 'median' | 'p95' | 'mad'): string => (row.results.posenc ? formatDuration(row.results.posenc[part]) : '\u2013');
const median = (row: Row): number => row.results.posenc?.median ?? NaN;

export const columns: readonly Column[] = [
  { title: 'encoding', about: '', text: ({ case: { id } }) => entryOf(id)?.title ?? id },
  { title: 'call', about: '', text: ({ case: { operation } }) => operation },
  { title: 'result', about: 'shape of the result', text: ({ shape }) => shape.join(' \u00d7 ') },
  { title: 'median', about: 'time of one call', text: (row) => time(row, 'median') },
  { title: 'p95', about: '95 of 100 samples are faster', text: (row) => time(row, 'p95') },
  { title: 'MAD', about: 'median distance from the median', text: (row) => time(row, 'mad') },
  { title: 'ns/element', about: 'per number of the result', text: (row) => (median(row) / elementsOf(row)).toPrecision(3) },
  { title: 'GB/s', about: 'read and written at least', text: (row) => (row.bytes / median(row)).toPrecision(3) },
  { title: 'scalar', about: 'time of the scalar build, as a multiple', text: (row) => ratio(row, 'scalar') },
  { title: 'JavaScript', about: 'time of plain loops, as a multiple', text: (row) => ratio(row, 'javascript') },
  { title: 'difference', about: 'largest, to the scalar build', text: ({ difference }) => difference.toExponential(1).replace('-', '\u2212') },
];

type Facts = readonly (readonly [string, string])[];

export function toMarkdown(rows: readonly Row[], environment: Facts): string {
  const line = (cells: readonly string[]): string => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [
    ...environment.map(([name, value]) => `- ${name}: ${value}`),
    '',
    line(columns.map(({ title }) => title)),
    line(columns.map(() => '---')),
    ...rows.map((row) => line(columns.map(({ text }) => text(row)))),
    '',
  ].join('\n');
}

export function toCsv(rows: readonly Row[]): string {
  const names: readonly Name[] = ['posenc', 'scalar', 'javascript'];
  const head = ['encoding', 'call', 'shape', 'elements', 'bytes', 'difference', ...names.flatMap((name) => [`${name} median ns`, `${name} p95 ns`, `${name} MAD ns`])];
  const lines = rows.map((row) => {
    const { case: { id, operation }, shape, bytes, difference, results } = row;
    const times = names.flatMap((name) => {
      const found = results[name];
      return found ? [found.median, found.p95, found.mad].map((value) => value.toFixed(1)) : ['', '', ''];
    });
    return [id, operation, shape.join('x'), String(elementsOf(row)), String(bytes), difference.toExponential(2), ...times].join(',');
  });
  return `${[head.join(','), ...lines].join('\n')}\n`;
}

export function toJson(rows: readonly Row[], environment: Facts): string {
  return `${JSON.stringify({ environment: Object.fromEntries(environment), rows }, null, 2)}\n`;
}
