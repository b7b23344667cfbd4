// Samples of how long a call takes, and what they say.

export interface Statistics {
  /** Nanoseconds a call. */
  median: number;
  p95: number;
  /** Median absolute deviation from the median. */
  mad: number;
  samples: number;
  /** Calls in one sample. */
  calls: number;
}

function quantile(sorted: readonly number[], share: number): number {
  const place = (sorted.length - 1) * share;
  const below = Math.floor(place);
  const above = Math.min(sorted.length - 1, below + 1);
  return sorted[below]! + (sorted[above]! - sorted[below]!) * (place - below);
}

export function summarise(samples: readonly number[], calls: number): Statistics {
  const sorted = samples.toSorted((a, b) => a - b);
  const median = quantile(sorted, 0.5);
  const deviations = samples.map((sample) => Math.abs(sample - median)).sort((a, b) => a - b);
  return { median, p95: quantile(sorted, 0.95), mad: quantile(deviations, 0.5), samples: samples.length, calls };
}

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

function timeOf(run: () => void, calls: number): number {
  const start = performance.now();
  for (let i = 0; i < calls; i++) run();
  return performance.now() - start;
}

/** So many calls that a sample takes at least `least` milliseconds; the runs until then warm the code up. */
export function calibrate(run: () => void, least: number): number {
  let calls = 1;
  for (;;) {
    const time = timeOf(run, calls);
    if (time >= least || calls > 1e7) return calls;
    calls = Math.ceil(calls * Math.min(16, Math.max(1.5, (1.2 * least) / Math.max(time, 0.001))));
  }
}

/** Samples of all runs in turns, so that whatever else the machine does falls on all alike; nanoseconds a call. */
export async function sampleInTurns(runs: readonly { run: () => void; calls: number }[], rounds: number, pause: () => Promise<void>): Promise<number[][]> {
  const samples: number[][] = runs.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (const [i, { run, calls }] of runs.entries()) samples[i]!.push((1e6 * timeOf(run, calls)) / calls);
    await pause();
  }
  return samples;
}
