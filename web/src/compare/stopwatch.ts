// The button that measures times: it starts the worker, stops it, and keeps what came out until something changes.
import { make } from '../lib/dom.js';
import { t } from '../lib/language.js';
import type { TimeNews, TimeOrder } from './timing.js';

export interface Stopwatch {
  elements: HTMLElement[];
  /** Nanoseconds a call by encoding, where they were measured since the last change. */
  readonly medians: readonly number[] | undefined;
  /** Something has changed: what was measured no longer holds. */
  reset(): void;
}

/** `order` tells what to measure; `done` is called when there is something to show. */
export function makeStopwatch(order: () => TimeOrder, done: () => void): Stopwatch {
  const button = make('button', { type: 'button', textContent: t('Measure time') });
  const progress = make('progress', { max: 1, value: 0, hidden: true, attributes: { 'aria-label': t('Progress') } });
  const message = make('p', { className: 'small soft', attributes: { role: 'status' } });
  let worker: Worker | undefined;
  let medians: readonly number[] | undefined;

  const stop = (text = ''): void => {
    worker?.terminate();
    worker = undefined;
    progress.hidden = true;
    button.textContent = t('Measure time');
    message.textContent = text;
  };
  const hear = (news: TimeNews): void => {
    if (news.kind === 'progress') {
      [progress.max, progress.value] = [news.of, news.done];
    } else if (news.kind === 'failed') {
      stop(news.message);
    } else {
      stop();
      medians = news.medians;
      done();
    }
  };
  const start = (): void => {
    worker = new Worker(new URL('./timing.ts', import.meta.url), { type: 'module' });
    worker.addEventListener('message', ({ data }: MessageEvent<TimeNews>) => hear(data));
    worker.addEventListener('error', (event) => stop(event.message));
    worker.postMessage(order());
    [progress.value, progress.hidden] = [0, false];
    button.textContent = t('Stop');
    message.textContent = '';
  };
  button.addEventListener('click', () => (worker ? stop() : start()));
  return {
    elements: [button, progress, message],
    get medians() {
      return medians;
    },
    reset() {
      stop();
      medians = undefined;
    },
  };
}
