// How long attention takes with each encoding, measured in a worker so that the page stays free and can stop it.
import { load } from 'posenc';
import { calibrate, makeRandom, sampleInTurns } from '../bench/measure.js';
import { summarise } from '../bench/statistics.js';
import { createEncoding } from '../model/create.js';
import type { Options } from '../model/options.js';
import { prepare, type Trial } from './run.js';

export interface TimeOrder {
  encodings: readonly { id: string; options: Options }[];
  trial: Trial;
}

export type TimeNews =
  | { kind: 'progress'; done: number; of: number }
  /** Nanoseconds a call, by encoding. */
  | { kind: 'end'; medians: readonly number[] }
  | { kind: 'failed'; message: string };

/** Milliseconds that a sample takes at least, and how many there are. */
const [sampleTime, rounds] = [4, 25];

const tell = (news: TimeNews): void => postMessage(news);

async function measure({ encodings, trial }: TimeOrder): Promise<void> {
  const posenc = await load();
  const made = encodings.map(({ id, options }) => createEncoding(posenc, id, options));
  const runs: { run: () => void; calls: number }[] = [];
  for (const encoding of made) {
    const { attention, q, k, v, call } = prepare(posenc, encoding, trial);
    const run = (): void => void attention.forward(q, k, v, call);
    runs.push({ run, calls: await calibrate(run, sampleTime) });
  }
  let round = 0;
  const pause = (): Promise<void> => {
    tell({ kind: 'progress', done: ++round, of: rounds });
    return new Promise((done) => setTimeout(done));
  };
  const samples = await sampleInTurns(runs, { least: rounds, most: rounds, seconds: 0, random: makeRandom(1), pause });
  tell({ kind: 'end', medians: samples.map((own) => summarise(own).median) });
}

addEventListener('message', ({ data }: MessageEvent<TimeOrder>) => {
  measure(data).catch((error: unknown) => tell({ kind: 'failed', message: error instanceof Error ? error.message : String(error) }));
});
