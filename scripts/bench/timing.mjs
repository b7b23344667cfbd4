// Timing in turns: every round takes one sample of each contestant, so that a noisy neighbour falls on all alike.

const pause = () => new Promise((resolve) => setTimeout(resolve, 0));

async function sample(run, calls) {
  const start = performance.now();
  for (let i = 0; i < calls; i++) {
    const result = run();
    if (result?.then) await result;
  }
  return (performance.now() - start) / calls;
}

/** Runs until the engine has had the chance to compile the code well, and gives the time of the fastest call. */
async function warmUp(run, milliseconds) {
  let least = await sample(run, 1);
  const end = performance.now() + milliseconds;
  for (let i = 0; i < 2000 && performance.now() < end; i++) least = Math.min(least, await sample(run, 1));
  return least;
}

const quantile = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];

/**
 * Times { name: run }; `budget` milliseconds in all, at least seven rounds. A sample is of so many calls that it takes
 * about four milliseconds, and one of a long call otherwise.
 * @returns { name: { least, median } } in milliseconds a call
 */
export async function timeInTurns(runs, { budget, warm = 150, rounds: most = 200 }) {
  const contestants = [];
  for (const [name, run] of Object.entries(runs)) {
    const one = await warmUp(run, warm);
    contestants.push({ name, run, calls: Math.max(1, Math.ceil(4 / Math.max(one, 1e-4))), samples: [] });
  }
  const end = performance.now() + budget;
  for (let round = 0; round < most && (round < 7 || performance.now() < end); round++) {
    for (let i = 0; i < contestants.length; i++) {
      const { run, calls, samples } = contestants[(i + round) % contestants.length];
      const slow = samples.length >= 3 && Math.min(...samples) > budget / 10;
      if (!slow) samples.push(await sample(run, calls));
    }
    await pause();
  }
  return Object.fromEntries(contestants.map(({ name, samples }) => {
    const sorted = samples.sort((a, b) => a - b);
    return [name, { least: sorted[0], median: quantile(sorted, 0.5) }];
  }));
}
