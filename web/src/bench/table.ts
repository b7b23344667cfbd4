// Results as a table: a row for each case, a column for each rival that was asked, and an earlier run beside it.
import { make } from '../lib/dom.js';
import { formatDuration } from '../lib/format.js';
import { t } from '../lib/language.js';
import { digits3, entryFor, labelOf, measuredIn, ratioOf, shareOf, statisticsOf, titleOf } from './report.js';
import type { Entry, Name, Report, Row } from './results.js';
import { areApart, isSteady, type Statistics } from './statistics.js';

interface Column {
  title: string;
  /** What it means, where the title does not say it. */
  about?: string;
  text(row: Row): string;
}

const dash = '\u2013';
const duration = (value: number | undefined): string => (value === undefined ? dash : formatDuration(value));

/** A value made of the library's own times. */
const own = (text: (statistics: Statistics, row: Row) => string) => (row: Row): string => {
  const statistics = statisticsOf(row, 'posenc');
  return statistics ? text(statistics, row) : dash;
};

function medianText(row: Row): string {
  const entry = entryFor(row, 'posenc');
  if (entry?.status === 'timed' && entry.statistics) return formatDuration(entry.statistics.median);
  return entry?.status === 'wrong' ? t('wrong: not timed') : t('failed: not timed');
}

/** Where the library has no time, nobody has one; a rival's result may be wrong on its own. */
function rivalText(entry: Entry | undefined, ratio: number | undefined): string {
  if (!entry) return dash;
  if (entry.status === 'timed') return `${digits3(ratio)}\u00d7`;
  return entry.status === 'wrong' ? t('wrong by {0}', (entry.difference ?? NaN).toExponential(1).replace('-', '\u2212')) : t('failed');
}

const rivalColumn = (name: Name): Column => ({
  title: t(labelOf(name)),
  about: t('its time, as a multiple of ours'),
  text: (row) => rivalText(entryFor(row, name), ratioOf(row, name)),
});

/** What changed since the earlier run: a difference counts only where the intervals have nothing in common. */
export function changeText(now: Statistics | undefined, before: Statistics | undefined): string {
  if (!now || !before) return dash;
  const factor = `${digits3(before.median / now.median)}\u00d7`;
  if (!areApart(now, before)) return t('{0}, not certain', factor);
  return now.median < before.median ? t('{0}, faster', factor) : t('{0}, slower', factor);
}

function earlierColumns(earlier: Report): Column[] {
  const rows = new Map(earlier.rows.map((row) => [row.name, row]));
  const found = ({ name }: Row): Statistics | undefined => {
    const row = rows.get(name);
    return row && statisticsOf(row, 'posenc');
  };
  return [
    { title: t('before'), about: t('median of the earlier run'), text: (row) => duration(found(row)?.median) },
    { title: t('speed-up'), about: t('earlier median over this one'), text: (row) => changeText(statisticsOf(row, 'posenc'), found(row)) },
  ];
}

function columnsFor(report: Report, earlier: Report | undefined): Column[] {
  const rivals = measuredIn(report.rows).filter((name) => name !== 'posenc');
  return [
    { title: t('encoding'), text: (row) => t(titleOf(row)) },
    { title: t('call'), text: ({ operation }) => operation },
    { title: t('numbers lie'), about: t('heap: in wasm memory; into: in the caller’s arrays; new: from arrays into a new one'), text: ({ output }) => output },
    { title: t('result'), about: t('shape of the result'), text: ({ shape }) => shape.join(' \u00d7 ') },
    { title: t('median'), about: t('time of one call'), text: medianText },
    ...(earlier ? earlierColumns(earlier) : []),
    ...rivals.map(rivalColumn),
    { title: t('95 % interval'), about: t('of the median'), text: own(({ low, high }) => `${formatDuration(low)} \u2026 ${formatDuration(high)}`) },
    { title: t('steady'), about: t('whether the middle deviation is at most 2 % of the median'), text: own((statistics) => (isSteady(statistics) ? t('yes') : t('no'))) },
    { title: 'MAD', about: t('median distance from the median'), text: own(({ mad }) => formatDuration(mad)) },
    { title: 'p95', about: t('95 of 100 samples are faster'), text: own(({ p95 }) => formatDuration(p95)) },
    { title: 'n', about: t('samples'), text: own(({ n }) => String(n)) },
    { title: t('first call'), about: t('with whatever is made in it'), text: (row) => duration(entryFor(row, 'posenc')?.first) },
    { title: t('ns/element'), about: t('per number of the result'), text: own(({ median }, row) => digits3(median / row.elements)) },
    { title: 'GB/s', about: t('read and written at least'), text: own(({ median }, row) => digits3(row.bytes / median)) },
    { title: 'GFLOP/s', about: t('where operations can be counted'), text: own(({ median }, { flops }) => digits3(flops && flops / median)) },
    { title: t('of the limit'), about: t('of what copying and multiply-adds allow on this machine'), text: (row) => `${digits3(100 * (shareOf(row, report) ?? NaN))} %` },
    { title: t('difference'), about: t('largest, to the scalar build'), text: (row) => (entryFor(row, 'posenc')?.difference ?? NaN).toExponential(1).replace('-', '\u2212') },
  ];
}

const heading = ({ title, about }: Column): HTMLElement => make('th', { scope: 'col', textContent: title, ...(about ? { title: about } : {}) });

function rowElement(row: Row, columns: readonly Column[]): HTMLElement {
  const [first, ...others] = columns.map(({ text }) => text(row));
  const name = make('th', { scope: 'row' }, make('a', { href: `encoding.html#id=${row.id}`, textContent: first ?? '' }));
  const element = make('tr', {}, name, ...others.map((textContent) => make('td', { textContent })));
  element.dataset['name'] = row.name;
  return element;
}

/** Fills the table anew. */
export function showTable(head: HTMLElement, body: HTMLElement, report: Report, earlier: Report | undefined): void {
  const columns = columnsFor(report, earlier);
  head.replaceChildren(make('tr', {}, ...columns.map(heading)));
  body.replaceChildren(...report.rows.map((row) => rowElement(row, columns)));
}

/** What the columns mean, for those who cannot point at their titles. */
export function showLegend(list: HTMLElement, report: Report, earlier: Report | undefined): void {
  const explained = columnsFor(report, earlier).filter(({ about }) => about);
  list.replaceChildren(...explained.map(({ title, about }) => make('div', {}, make('dt', { textContent: title }), make('dd', { textContent: about ?? '' }))));
}
