// The benchmark: what to measure, a worker that does, its results, and what can be done with them.
import { catalog } from 'posenc/catalog';
import schemaAddress from '../../../scripts/bench/report.schema.json?url';
import { readAddress, writeQuery } from '../bench/address.js';
import { describeHost } from '../bench/environment.js';
import { coldFacts, doubtsOf, engineFacts, featureFacts, hostFacts, limitFacts, showFacts } from '../bench/facts.js';
import { features, variantFor } from '../bench/machine.js';
import { readReport, toCsv, toJson, toMarkdown } from '../bench/report.js';
import type { Plan, Report, RivalName } from '../bench/results.js';
import { makeRoofline } from '../bench/roofline.js';
import { casesFor, startRun, type Running } from '../bench/run.js';
import { packReport, unpackReport } from '../bench/share.js';
import { makeStrip } from '../bench/strips.js';
import { showLegend, showTable } from '../bench/table.js';
import { startCopyButton } from '../controls/copy-button.js';
import { find, make, setText } from '../lib/dom.js';
import { t } from '../lib/language.js';
import { startPage } from '../lib/page.js';
import { saveFile } from '../lib/save-file.js';

const [run, stop] = [find('run', HTMLButtonElement), find('stop', HTMLButtonElement)];
const exporters = ['copy', 'json', 'csv', 'link'].map((id) => find(id, HTMLButtonElement));
const [preset, filter, seed] = [find('preset', HTMLSelectElement), find('filter', HTMLInputElement), find('seed', HTMLInputElement)];
const [status, compareStatus, progress] = [find('status', HTMLElement), find('compare-status', HTMLElement), find('progress', HTMLProgressElement)];
const rivals = [...document.querySelectorAll<HTMLInputElement>('input[name="rivals"]')];

startPage();
const host = await describeHost();
const asked = readAddress(new URLSearchParams(location.search));
let report: Report | undefined;
let earlier: Report | undefined;
let running: Running | undefined;

const readForm = (): Plan => ({
  preset: preset.value,
  filter: filter.value,
  seed: seed.validity.valid && seed.value !== '' ? seed.valueAsNumber : asked.plan.seed,
  rivals: rivals.filter(({ checked }) => checked).map(({ value }) => value as RivalName),
});

function showForm(plan: Plan): void {
  [preset.value, filter.value, seed.value] = [plan.preset, plan.filter, String(plan.seed)];
  for (const box of rivals) box.checked = (plan.rivals as readonly string[]).includes(box.value);
}

/** How much there is to do, once nothing runs. */
function showPlan(): void {
  if (running) return;
  const { cases } = casesFor(readForm());
  run.disabled = cases.length === 0;
  setText(status, cases.length === 0 ? t('No case has that in its name.') : t(cases.length === 1 ? '{0} case to measure.' : '{0} cases to measure.', cases.length));
}

function keepInAddress(): void {
  const query = new URLSearchParams(writeQuery(readForm()));
  const language = new URLSearchParams(location.search).get('lang');
  if (language) query.set('lang', language);
  const text = query.toString().replaceAll('%2C', ',');
  history.replaceState(null, '', location.pathname + (text ? `?${text}` : ''));
}

function showEnvironment(): void {
  const engine = report?.engine ?? { version: catalog.version, variant: variantFor(features()), features: features() };
  showFacts(find('environment', HTMLElement), [...hostFacts(report?.host ?? host), ...featureFacts(engine), ...(report ? engineFacts(report.engine) : [])]);
  find('engine-part', HTMLElement).hidden = !report;
  if (!report) return;
  showFacts(find('cold', HTMLElement), coldFacts(report.engine.cold));
  showFacts(find('limits', HTMLElement), limitFacts(report.engine.limits));
}

function showDoubts(): void {
  const strange = asked.strange.map((text) => t('The address says {0}, which means nothing here.', text));
  const texts = [...strange, ...(report && !running ? doubtsOf(report) : [])];
  find('doubts', HTMLElement).replaceChildren(...texts.map((textContent) => make('li', { textContent })));
}

function showResults(): void {
  if (report) {
    showTable(find('head', HTMLElement), find('rows', HTMLElement), report, earlier);
    showLegend(find('legend', HTMLElement), report, earlier);
  }
  for (const button of exporters) button.disabled = !report || report.rows.length === 0;
}

/** Pictures and facts, when a report is done. */
function showReport(next: Report): void {
  report = next;
  showResults();
  showEnvironment();
  showDoubts();
  find('strips', HTMLElement).replaceChildren(...next.rows.flatMap((row) => makeStrip(row) ?? []));
  const roofline = makeRoofline(next);
  find('roofline', HTMLElement).replaceChildren(...(roofline ? [roofline] : []));
  find('roofline-part', HTMLElement).hidden = !roofline;
  find('pictures', HTMLElement).hidden = next.rows.length === 0;
}

function setBusy(isBusy: boolean): void {
  [run.disabled, stop.disabled, progress.hidden] = [isBusy, !isBusy, !isBusy];
  for (const input of [preset, filter, seed, ...rivals]) input.disabled = isBusy;
}

async function measure(): Promise<Report | undefined> {
  const plan = readForm();
  const { cases: { length: count } } = casesFor(plan);
  report = undefined;
  find('rows', HTMLElement).replaceChildren();
  find('pictures', HTMLElement).hidden = true;
  setText(find('source', HTMLElement), '');
  [progress.max, progress.value] = [count, 0];
  running = startRun(plan, host, {
    step: (what) => setText(status, what === 'load' ? t('Loading\u2026') : t('Measuring what the machine allows\u2026')),
    begin(index, name) {
      progress.value = index;
      setText(status, t('{0} of {1}: {2}', index + 1, count, name));
    },
    row(_, soFar) {
      report = soFar;
      showResults();
    },
  });
  setBusy(true);
  showResults();
  showDoubts();
  try {
    const found = await running.done;
    setText(status, found?.complete ? t('Done: {0} of {1} cases.', found.rows.length, count) : t('Stopped: {0} of {1} cases.', found?.rows.length ?? 0, count));
    return found;
  } catch (error) {
    setText(status, t('It failed: {0}', error instanceof Error ? error.message : String(error)));
    throw error;
  } finally {
    running = undefined;
    setBusy(false);
  }
}

async function begin(): Promise<Report | undefined> {
  const found = await measure();
  if (found) showReport(found);
  return found;
}

function compareWith(text: string, name: string): void {
  try {
    earlier = readReport(text);
    setText(compareStatus, t('Beside the results: {0}, {1}.', earlier.host.title, earlier.date.slice(0, 16).replace('T', ' ')));
  } catch (error) {
    setText(compareStatus, t('{0} is no report: {1}', name, error instanceof Error ? error.message : String(error)));
  }
  find('forget', HTMLButtonElement).hidden = !earlier;
  showResults();
}

function startComparing(): void {
  const file = find('earlier', HTMLInputElement);
  const take = async (chosen: File | undefined): Promise<void> => {
    if (chosen) compareWith(await chosen.text(), chosen.name);
  };
  file.addEventListener('change', () => void take(file.files?.[0]));
  const intake = find('intake', HTMLElement);
  intake.addEventListener('dragover', (event) => event.preventDefault());
  intake.addEventListener('drop', (event) => {
    event.preventDefault();
    void take(event.dataTransfer?.files[0]);
  });
  find('paste', HTMLButtonElement).addEventListener('click', () => {
    navigator.clipboard.readText().then((text) => compareWith(text, t('What was copied')), () => setText(compareStatus, t('The browser does not let the page read what was copied.')));
  });
  find('forget', HTMLButtonElement).addEventListener('click', () => {
    [earlier, file.value] = [undefined, ''];
    find('forget', HTMLButtonElement).hidden = true;
    setText(compareStatus, '');
    showResults();
  });
}

function startExporting(): void {
  const save = (name: string, type: string, text: () => string) => (): void => saveFile(name, new Blob([text()], { type }));
  startCopyButton(exporters[0]!, () => toMarkdown(report!));
  exporters[1]!.addEventListener('click', save('posenc-benchmark.json', 'application/json', () => toJson(report!)));
  exporters[2]!.addEventListener('click', save('posenc-benchmark.csv', 'text/csv', () => toCsv(report!)));
  startCopyButton(exporters[3]!, async () => new URL(await packReport(report!), location.href).href);
}

async function showShared(): Promise<void> {
  try {
    const shared = await unpackReport(location.hash);
    if (!shared || running) return;
    showReport(shared);
    setText(find('source', HTMLElement), t('From the link: measured on {0}, {1}.', shared.host.title, shared.date.slice(0, 16).replace('T', ' ')));
  } catch (error) {
    setText(status, t('The link holds no report: {0}', error instanceof Error ? error.message : String(error)));
  }
}

showForm(asked.plan);
find('schema', HTMLAnchorElement).href = schemaAddress;
find('choices', HTMLFormElement).addEventListener('submit', (event) => {
  event.preventDefault();
  void begin().catch(() => undefined); // the status says what happened
});
find('choices', HTMLFormElement).addEventListener('input', () => {
  keepInAddress();
  showPlan();
});
stop.addEventListener('click', () => running?.stop());
addEventListener('hashchange', () => void showShared());
startExporting();
startComparing();
showEnvironment();
showDoubts();
showPlan();
await showShared();
if (asked.run) {
  const promise = begin();
  Object.assign(window, { posencBenchmark: promise });
  promise.catch(() => undefined);
}
