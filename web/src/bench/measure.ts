// Samples of how long calls take: many steps of the clock each, contestants in turns.
import { isSteady, summarise } from './statistics.js';
import type { Effort } from './plan.js';

/** Steps of the clock that a sample lasts at least, and milliseconds. */
const steps = 200;
const shortest = 1;

export const sampleLength = (clock: number): number => Math.max(shortest, steps * clock);

/** The smallest step of the clock that was seen, in milliseconds. */
export function clockStep(): number {
  let least = Infinity;
  for (let i = 0; i < 20; i++) {
    const start = performance.now();
    let now = start;
    while (now === start) now = performance.now();
    least = Math.min(least, now - start);
  }
  return least;
}

/** A call: rivals that answer later give a promise. */
export type Run = () => Promise<unknown> | undefined | void;

async function timeOf(run: Run, calls: number): Promise<number> {
  const start = performance.now();
  for (let i = 0; i < calls; i++) {
    const promise = run();
    if (promise) await promise;
  }
  return performance.now() - start;
}

/** Milliseconds of a first call. */
export const timeOnce = (run: Run): Promise<number> => timeOf(run, 1);

const warm = 60;

/**
 * Runs until the code is warm, and gives so many calls that a sample takes at least `least` milliseconds. It takes two
 * that do: one may have been held up.
 */
export async function calibrate(run: Run, least: number): Promise<number> {
  const end = performance.now() + warm;
  for (let calls = 1; ; ) {
    const first = await timeOf(run, calls);
    const time = first < least ? first : Math.min(first, await timeOf(run, calls));
    if ((time >= least && performance.now() >= end) || calls > 1e7) return calls;
    if (time < least) calls = Math.ceil(calls * Math.min(16, Math.max(1.3, (1.1 * least) / Math.max(time, 0.001))));
  }
}

/** A generator of numbers in [0, 1): mulberry32. */
export function makeRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The numbers below `count` in an order that the generator decides. */
export function shuffled(count: number, random: () => number): number[] {
  const order = Array.from({ length: count }, (_, i) => i);
  for (let i = count - 1; i > 0; i--) {
    const other = Math.floor(random() * (i + 1));
    [order[i], order[other]] = [order[other]!, order[i]!];
  }
  return order;
}

export interface Sampling extends Effort {
  random(): number;
  pause(): Promise<void>;
}

/**
 * Samples of all runs in turns, so that whatever else the machine does falls on all alike, each round in an order of its
 * own: until all medians are steady or the time is up, and never fewer than `least`. Nanoseconds a call.
 */
export async function sampleInTurns(runs: readonly { run: Run; calls: number }[], sampling: Sampling): Promise<number[][]> {
  const { least, most, seconds, random, pause } = sampling;
  const samples: number[][] = runs.map(() => []);
  const end = performance.now() + 1000 * seconds;
  const isDone = (round: number): boolean =>
    round >= most || (round >= least && (performance.now() >= end || samples.every((own) => isSteady(summarise(own)))));
  for (let round = 0; !isDone(round); round++) {
    for (const i of shuffled(runs.length, random)) {
      const { run, calls } = runs[i]!;
      samples[i]!.push((1e6 * (await timeOf(run, calls))) / calls);
    }
    await pause();
  }
  return samples;
}
