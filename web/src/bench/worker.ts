// Measures cases away from the page. Every result is compared with that of the scalar build before any time is taken.
import { load, PosencError, type Posenc } from 'posenc';
import { prepare, type Contestant, type Prepared } from './contestants.js';
import { calibrate, clockStep, sampleInTurns, summarise } from './measure.js';
import type { Name, News, Order, Row } from './messages.js';
import type { Case, Effort } from './plan.js';

const tolerance = 1e-4;

/** A result that is not the scalar build's: nothing is timed then. */
class Wrong extends Error {}

const tell = (news: News): void => postMessage(news);
const pause = (): Promise<void> => new Promise((done) => setTimeout(done));

function difference(a: Float32Array, b: Float32Array): number {
  if (a.length !== b.length) return Infinity;
  let largest = 0;
  for (let i = 0; i < a.length; i++) {
    const apart = Math.abs(a[i]! - b[i]!) / (1 + Math.abs(b[i]!));
    if (!(apart <= largest)) largest = apart;
  }
  return largest;
}

/** Runs once and gives a copy of the result. */
function outcome(contestant: Contestant): Float32Array {
  contestant.run();
  return contestant.result().slice();
}

async function race(one: Case, effort: Effort, fast: Prepared, scalar: Prepared): Promise<Row> {
  const right = outcome(scalar);
  const apart = difference(outcome(fast), right);
  if (!(apart <= tolerance)) throw new Wrong(`differs from the scalar build by ${apart.toExponential(1)}`);
  const contestants: [Name, Contestant][] = [['posenc', fast], ['scalar', scalar]];
  // Plain JavaScript knows the usual conventions only; where an encoding has others it would do other work.
  const rival = fast.rival?.();
  if (rival && difference(outcome(rival), right) <= tolerance) contestants.push(['javascript', rival]);
  const runs = contestants.map(([, { run }]) => ({ run, calls: calibrate(run, effort.sample) }));
  const samples = await sampleInTurns(runs, effort.samples, pause);
  const results = Object.fromEntries(contestants.map(([name], i) => [name, summarise(samples[i]!, runs[i]!.calls)]));
  return { case: one, shape: fast.shape, bytes: fast.bytes, results, difference: apart };
}

async function measure(one: Case, effort: Effort, fast: Posenc, scalar: Posenc): Promise<Row> {
  const first = prepare(fast, one);
  try {
    const second = prepare(scalar, one);
    try {
      return await race(one, effort, first, second);
    } finally {
      second.dispose();
    }
  } finally {
    first.dispose();
  }
}

async function start({ cases, effort }: Order): Promise<void> {
  const [fast, scalar] = [await load(), await load({ simd: 'scalar' })];
  tell({ kind: 'environment', environment: { version: fast.version, variant: fast.variant, clock: clockStep() } });
  for (const [index, one] of cases.entries()) {
    tell({ kind: 'begin', index });
    try {
      tell({ kind: 'row', row: await measure(one, effort, fast, scalar) });
    } catch (error) {
      if (!(error instanceof PosencError || error instanceof Wrong)) throw error;
      tell({ kind: 'skipped', case: one, why: error.message });
    }
  }
  tell({ kind: 'end' });
}

addEventListener('message', ({ data }: MessageEvent<Order>) => {
  start(data).catch((error: unknown) => tell({ kind: 'failed', message: error instanceof Error ? error.message : String(error) }));
});
