// The benchmark: what to measure, a worker that does, and its results.
import { catalog, type CatalogField } from 'posenc/catalog';
import { describeDevice } from '../bench/environment.js';
import type { Environment, News, Order, Row } from '../bench/messages.js';
import { allOperations, efforts, planCases, sizes, type Case, type Operation } from '../bench/plan.js';
import { columns, toCsv, toJson, toMarkdown } from '../bench/report.js';
import { makeControlPanel } from '../controls/control-panel.js';
import { startCopyButton } from '../controls/copy-button.js';
import { find, make } from '../lib/dom.js';
import { onHashChange, readHash, writeHash } from '../lib/hash.js';
import { t } from '../lib/language.js';
import { startPage } from '../lib/page.js';
import { saveFile } from '../lib/save-file.js';
import { entryOf } from '../model/create.js';
import { parseValue, printValue, type FieldValue, type Values } from '../model/fields.js';

const all = 'all';
const choice = (name: string, byDefault: string, choices: readonly string[], doc: string): CatalogField => ({
  name, type: 'choice', required: false, default: byDefault, choices, doc,
});
const fields: readonly CatalogField[] = [
  choice('size', 'medium', sizes.map(({ name }) => name), 'how much work a call is'),
  choice('effort', 'normal', efforts.map(({ name }) => name), 'how many samples'),
  choice('encoding', all, [all, ...catalog.encodings.map(({ id }) => id)], 'which encodings'),
  choice('call', all, [all, ...allOperations], 'what is called'),
];

let values: Values = readValues();
let worker: Worker | undefined;
let rows: Row[] = [];
let environment: Environment | undefined;
let cases: readonly Case[] = [];

const [run, stop] = [find('run', HTMLButtonElement), find('stop', HTMLButtonElement)];
const [copy, json, csv] = ['copy', 'json', 'csv'].map((id) => find(id, HTMLButtonElement)) as [HTMLButtonElement, HTMLButtonElement, HTMLButtonElement];
const status = find('status', HTMLElement);
const progress = find('progress', HTMLProgressElement);
const panel = makeControlPanel('bench', (name, value) => {
  const { [name]: _, ...others } = values;
  values = value === undefined ? others : { ...others, [name]: value };
  writeHash(Object.entries(values).map(([key, chosen]): [string, string] => [key, printValue(chosen)]));
  showPlan();
});

function readValues(): Values {
  const hash = readHash();
  const found: Record<string, FieldValue> = {};
  for (const field of fields) {
    const text = hash.get(field.name);
    const value = text === undefined ? undefined : parseValue(field, text);
    if (value !== undefined) found[field.name] = value;
  }
  return found;
}

const chosen = (name: string): string => String(values[name] ?? fields.find((field) => field.name === name)?.default);

function readOrder(): Order {
  const size = sizes.find(({ name }) => name === chosen('size'))!;
  const effort = efforts.find(({ name }) => name === chosen('effort'))!;
  const [encoding, call] = [chosen('encoding'), chosen('call')];
  const operations = call === all ? allOperations : [call as Operation];
  return { cases: planCases(size, { operations, ids: encoding === all ? [] : [encoding] }), effort };
}

function showPlan(): void {
  panel.update(fields, values);
  if (worker) return;
  const { cases: planned } = readOrder();
  status.textContent = planned.length === 0 ? t('That encoding has no such call.') : t(planned.length === 1 ? '{0} case to measure.' : '{0} cases to measure.', planned.length);
  run.disabled = planned.length === 0;
}

function showEnvironment(): void {
  const items = describeDevice(environment).map(([name, value]) => make('div', {}, make('dt', { textContent: t(name) }), make('dd', { textContent: value })));
  find('environment', HTMLElement).replaceChildren(...items);
}

function showRow(row: Row): void {
  rows.push(row);
  const [first, ...others] = columns.map(({ text }) => text(row));
  const name = make('th', { scope: 'row' }, make('a', { href: `encoding.html#id=${row.case.id}`, textContent: first ?? '' }));
  find('rows', HTMLElement).append(make('tr', {}, name, ...others.map((textContent) => make('td', { textContent }))));
  for (const button of [copy, json, csv]) button.disabled = false;
}

function hear(news: News): void {
  if (news.kind === 'environment') {
    environment = news.environment;
    showEnvironment();
  } else if (news.kind === 'begin') {
    const { id, operation } = cases[news.index]!;
    progress.value = news.index;
    status.textContent = t('{0} of {1}: {2}, {3}', news.index + 1, cases.length, entryOf(id)?.title ?? id, operation);
  } else if (news.kind === 'row') {
    showRow(news.row);
  } else if (news.kind === 'skipped') {
    const { id, operation } = news.case;
    find('skipped', HTMLElement).append(make('li', { textContent: t('{0}, {1}, was left out: {2}', entryOf(id)?.title ?? id, operation, news.why) }));
  } else {
    finish(news.kind === 'end' ? t('Done: {0} of {1} cases.', rows.length, cases.length) : t('It failed: {0}', news.message));
  }
}

function finish(message: string): void {
  worker?.terminate();
  worker = undefined;
  status.textContent = message;
  progress.hidden = true;
  [run.disabled, stop.disabled] = [false, true];
}

function start(): void {
  const order = readOrder();
  ({ cases } = order);
  rows = [];
  find('rows', HTMLElement).replaceChildren();
  find('skipped', HTMLElement).replaceChildren();
  for (const button of [copy, json, csv]) button.disabled = true;
  [run.disabled, stop.disabled, progress.hidden] = [true, false, false];
  [progress.max, progress.value] = [cases.length, 0];
  status.textContent = t('Loading the library twice\u2026');
  worker = new Worker(new URL('../bench/worker.ts', import.meta.url), { type: 'module' });
  worker.addEventListener('message', ({ data }: MessageEvent<News>) => hear(data));
  worker.addEventListener('error', ({ message }) => finish(t('It failed: {0}', message)));
  worker.postMessage(order);
}

const save = (name: string, type: string, text: string): void => saveFile(name, new Blob([text], { type }));

startPage();
find('fields', HTMLElement).append(panel.element);
const titles = columns.map(({ title, about }) => make('th', { scope: 'col', textContent: t(title), title: t(about) }));
find('head', HTMLElement).append(make('tr', {}, ...titles));
run.addEventListener('click', start);
stop.addEventListener('click', () => finish(t('Stopped: {0} of {1} cases.', rows.length, cases.length)));
startCopyButton(copy, () => toMarkdown(rows, describeDevice(environment)));
json.addEventListener('click', () => save('posenc-benchmark.json', 'application/json', toJson(rows, describeDevice(environment))));
csv.addEventListener('click', () => save('posenc-benchmark.csv', 'text/csv', toCsv(rows)));
onHashChange(() => {
  values = readValues();
  showPlan();
});
showEnvironment();
showPlan();
