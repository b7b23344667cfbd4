// Measures cases, in a worker of the page or in Node. Every result is compared with that of the scalar build before any
// time is taken, and what is wrong is not timed.
import { PosencError, type LoadOptions, type Posenc } from 'posenc';
import { prepare, type Prepared } from './contestants.js';
import { javascript } from './javascript.js';
import { features, measureLimits, variantFor } from './machine.js';
import { calibrate, clockStep, makeRandom, sampleInTurns, sampleLength, timeOnce } from './measure.js';
import { nameOf, type Case, type Effort } from './plan.js';
import type { ColdStart, Engine, Entry, Name, News, Order, RivalName, Row } from './results.js';
import { summarise } from './statistics.js';
import type { Contestant, Rival } from './task.js';
import { countOf } from './task.js';

/** What differs between a page and Node. */
export interface Surroundings {
  load(options: LoadOptions): Promise<Posenc>;
  /** The bytes of a build. */
  read(variant: string): Promise<ArrayBuffer>;
  /** Which build is measured; the fastest that the engine takes unless it says. */
  variant?: string;
  rivals: Readonly<Partial<Record<RivalName, () => Promise<Rival>>>>;
  tell(news: News): void;
}

const tolerance = 1e-4;
const milliseconds = 1e6; // in nanoseconds

const pause = (): Promise<void> => new Promise((done) => setTimeout(done));

export function difference(a: Float32Array, b: Float32Array): number {
  if (a.length !== b.length) return Infinity;
  let largest = 0;
  for (let i = 0; i < a.length; i++) {
    const apart = Math.abs(a[i]! - b[i]!) / (1 + Math.abs(b[i]!));
    if (!(apart <= largest)) largest = apart; // NaN too
  }
  return largest;
}

interface Ready {
  fast: Posenc;
  scalar: Posenc;
  rivals: ReadonlyMap<Name, Rival>;
}

const explain = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Runs once; the entry says what came of it. */
async function tryOut(name: Name, contestant: Contestant, right: Float32Array): Promise<Entry> {
  try {
    const first = milliseconds * (await timeOnce(contestant.run));
    const apart = difference(contestant.result(), right);
    if (apart <= tolerance) return { name, status: 'timed', difference: apart, first };
    return { name, status: 'wrong', difference: apart, why: `differs by ${apart.toExponential(1)}` };
  } catch (error) {
    return { name, status: 'failed', why: explain(error) };
  }
}

interface Runner {
  entry: Entry;
  contestant: Contestant;
}

/** The contestants of a case; rivals that have no way to do it are left out. */
async function gather(fast: Prepared, scalar: Prepared, one: Case, { rivals }: Ready, wanted: readonly Name[]): Promise<Runner[]> {
  await scalar.run();
  const right = scalar.result().slice();
  const own: Runner = { entry: await tryOut('posenc', fast, right), contestant: fast };
  if (own.entry.status !== 'timed') return [own];
  const runners = [own];
  if (wanted.includes('scalar')) runners.push({ entry: { name: 'scalar', status: 'timed', difference: 0 }, contestant: scalar });
  const task = fast.task();
  for (const [name, rival] of task ? rivals : []) {
    try {
      const contestant = await rival.prepare(task!, one.output);
      if (contestant) runners.push({ entry: await tryOut(name, contestant, right), contestant });
    } catch (error) {
      runners.push({ entry: { name, status: 'failed', why: explain(error) }, contestant: { run: () => undefined, result: () => right } });
    }
  }
  return runners;
}

interface Timing extends Effort {
  clock: number;
  random(): number;
}

async function race(runners: readonly Runner[], timing: Timing): Promise<Entry[]> {
  const timed = runners.filter(({ entry }) => entry.status === 'timed');
  const runs: { run: Contestant['run']; calls: number }[] = [];
  for (const { contestant: { run } } of timed) runs.push({ run, calls: await calibrate(run, sampleLength(timing.clock)) });
  const samples = await sampleInTurns(runs, { ...timing, pause });
  return runners.map(({ entry }) => {
    const i = timed.findIndex((other) => other.entry === entry);
    if (i < 0) return entry;
    return { ...entry, calls: runs[i]!.calls, statistics: summarise(samples[i]!), samples: samples[i]! };
  });
}

/** A first call and all that goes with a case; what the library keeps after that is staging space, and no leak. */
async function rehearse(posenc: Posenc, one: Case, seed: number): Promise<{ first: number; used: number }> {
  const prepared = prepare(posenc, one, seed);
  try {
    const first = milliseconds * (await timeOnce(prepared.run));
    prepared.task();
    prepared.dispose();
    return { first, used: posenc.memory().usedBytes };
  } finally {
    prepared.dispose();
  }
}

async function measure(one: Case, ready: Ready, order: Order, timing: Timing): Promise<Row> {
  const { first, used } = await rehearse(ready.fast, one, order.seed);
  const fast = prepare(ready.fast, one, order.seed);
  let runners: Runner[] = [];
  let scalar: Prepared | undefined;
  try {
    scalar = prepare(ready.scalar, one, order.seed);
    runners = await gather(fast, scalar, one, ready, order.rivals);
    const [own, ...others] = await race(runners, timing);
    return describe(one, fast, [{ ...own!, first }, ...others], ready.fast, used);
  } finally {
    for (const { contestant } of runners) if (contestant !== fast && contestant !== scalar) contestant.dispose?.();
    scalar?.dispose();
    fast.dispose();
  }
}

function describe(one: Case, fast: Prepared, entries: Entry[], posenc: Posenc, before: number): Row {
  const { shape, bytes, boundary, flops } = fast;
  fast.dispose();
  const { heapBytes, usedBytes } = posenc.memory();
  return {
    name: nameOf(one), id: one.id, operation: one.operation, size: one.size.name, output: one.output,
    shape, elements: countOf(shape), bytes, boundary,
    ...(flops === undefined ? {} : { flops }),
    entries, memory: { heap: heapBytes, kept: usedBytes - before },
  };
}

async function sha256(bytes: ArrayBuffer): Promise<string | undefined> {
  const subtle = (globalThis.crypto as Crypto | undefined)?.subtle; // not on pages that came without encryption
  if (!subtle) return undefined;
  const digest = new Uint8Array(await subtle.digest('SHA-256', bytes));
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The library, with what each step of getting it took. */
async function start({ load, read, variant: asked }: Surroundings) {
  const found = features();
  const variant = asked ?? variantFor(found);
  const times = [performance.now()];
  const step = <T>(value: T): T => (times.push(performance.now()), value);
  const bytes = step(await read(variant));
  const module = step(await WebAssembly.compile(bytes));
  const fast = step(await load({ wasm: module }));
  const encoding = fast.sinusoidal({ dim: 64 });
  step(encoding.encode(16));
  encoding.dispose();
  const [fetch = 0, compile = 0, instantiate = 0, first = 0] = times.slice(1).map((time, i) => time - times[i]!);
  const sha = await sha256(bytes);
  return { fast, found, cold: { fetch, compile, instantiate, first }, wasm: { bytes: bytes.byteLength, ...(sha ? { sha256: sha } : {}) } };
}

async function startRivals({ rivals }: Surroundings, wanted: readonly RivalName[]) {
  const started = new Map<Name, Rival>();
  const times: Record<string, number> = {};
  if (wanted.includes('javascript')) started.set('javascript', javascript);
  for (const name of ['onnxruntime', 'tfjs'] as const) {
    const begin = wanted.includes(name) ? rivals[name] : undefined;
    if (!begin) continue;
    const rival = await begin();
    started.set(name, rival);
    times[name] = rival.loadTime;
  }
  return { started, times: times as ColdStart['rivals'] };
}

/** Measures what was ordered, and tells of each result as it comes. */
export async function runSession(order: Order, surroundings: Surroundings): Promise<void> {
  const { tell, load } = surroundings;
  tell({ kind: 'step', text: 'load' });
  const { fast, found, cold, wasm } = await start(surroundings);
  const scalar = await load({ simd: 'scalar' });
  const { started: rivals, times } = await startRivals(surroundings, order.rivals);
  tell({ kind: 'step', text: 'limits' });
  const clock = clockStep();
  const engine: Engine = {
    version: fast.version, variant: fast.variant, wasm, features: found, clock,
    cold: { ...cold, rivals: times }, limits: measureLimits(clock),
  };
  tell({ kind: 'engine', engine });
  const timing = { ...order.effort, clock, random: makeRandom(order.seed) };
  for (const [index, one] of order.cases.entries()) {
    tell({ kind: 'begin', index });
    try {
      tell({ kind: 'row', row: await measure(one, { fast, scalar, rivals }, order, timing) });
    } catch (error) {
      if (!(error instanceof PosencError)) throw error;
      tell({ kind: 'skipped', skipped: { name: nameOf(one), why: error.message } });
    }
    await pause();
  }
  tell({ kind: 'end' });
}
