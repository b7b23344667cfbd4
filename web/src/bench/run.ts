// One run: a worker measures, and a report grows.
import { planCases, presets, nameOf, type Case } from './plan.js';
import { schemaVersion, type Engine, type Host, type News, type Order, type Plan, type Report, type Row, type Skipped } from './results.js';

export interface Listener {
  step(text: 'load' | 'limits'): void;
  begin(index: number, name: string, count: number): void;
  row(row: Row, report: Report): void;
}

export interface Running {
  /** The report, complete or, after `stop`, with what there was; undefined where nothing was measured. */
  done: Promise<Report | undefined>;
  stop(): void;
}

export function casesFor({ preset: name, filter }: Plan): { cases: Case[]; preset: (typeof presets)[number] } {
  const preset = presets.find((one) => one.name === name) ?? presets[0]!;
  return { cases: planCases(preset, filter), preset };
}

export function startRun(plan: Plan, host: Host, listener: Listener): Running {
  const { cases, preset } = casesFor(plan);
  const { least, most, seconds } = preset;
  const order: Order = { cases, effort: { least, most, seconds }, seed: plan.seed, rivals: plan.rivals };
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
  const date = new Date().toISOString();
  const rows: Row[] = [];
  const skipped: Skipped[] = [];
  let engine: Engine | undefined;
  let hidden = document.hidden;
  const watch = (): void => void (hidden ||= document.hidden);
  document.addEventListener('visibilitychange', watch);
  const report = (complete: boolean): Report | undefined =>
    engine && { schema: schemaVersion, date, plan, host: { ...host, hidden }, engine, rows: [...rows], skipped: [...skipped], complete };
  let stop = (): void => {};
  const done = new Promise<Report | undefined>((resolve, reject) => {
    stop = () => resolve(report(false));
    worker.addEventListener('error', ({ message }) => reject(new Error(message)));
    worker.addEventListener('message', ({ data: news }: MessageEvent<News>) => {
      if (news.kind === 'step') listener.step(news.text);
      else if (news.kind === 'engine') engine = news.engine;
      else if (news.kind === 'begin') listener.begin(news.index, nameOf(cases[news.index]!), cases.length);
      else if (news.kind === 'skipped') skipped.push(news.skipped);
      else if (news.kind === 'row') listener.row((rows.push(news.row), news.row), report(false)!);
      else if (news.kind === 'end') resolve(report(true));
      else reject(new Error(news.message));
    });
    worker.postMessage(order);
  }).finally(() => {
    worker.terminate();
    document.removeEventListener('visibilitychange', watch);
  });
  return { done, stop: () => stop() };
}
