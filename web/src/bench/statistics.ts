// What samples of a time say.

export interface Statistics {
  n: number;
  /** All in nanoseconds a call. */
  min: number;
  median: number;
  mean: number;
  p95: number;
  /** Median absolute deviation from the median. */
  mad: number;
  /** 95 % interval of the median, from the order of the samples: no distribution is taken for granted. */
  low: number;
  high: number;
}

export function quantile(sorted: readonly number[], share: number): number {
  const place = (sorted.length - 1) * share;
  const below = Math.floor(place);
  const above = Math.min(sorted.length - 1, below + 1);
  return sorted[below]! + (sorted[above]! - sorted[below]!) * (place - below);
}

/** Ranks from 0 between which the median of what was sampled lies with 95 % (by the normal limit of the binomial). */
function medianRanks(n: number): readonly [number, number] {
  const half = 0.98 * Math.sqrt(n);
  return [Math.max(0, Math.floor(n / 2 - half) - 1), Math.min(n - 1, Math.ceil(n / 2 + half))];
}

export function summarise(samples: readonly number[]): Statistics {
  const sorted = samples.toSorted((a, b) => a - b);
  const n = sorted.length;
  const median = quantile(sorted, 0.5);
  const deviations = sorted.map((sample) => Math.abs(sample - median)).sort((a, b) => a - b);
  const [low, high] = medianRanks(n);
  return {
    n, median,
    min: sorted[0]!,
    mean: sorted.reduce((sum, sample) => sum + sample, 0) / n,
    p95: quantile(sorted, 0.95),
    mad: quantile(deviations, 0.5),
    low: sorted[low]!,
    high: sorted[high]!,
  };
}

/** A median that is surer than this, by the deviation from it, is steady. */
export const steady = 0.02;

export const isSteady = ({ mad, median }: Statistics): boolean => mad <= steady * median;

/** Whether two medians differ for certain: their intervals have nothing in common. */
export const areApart = (a: Statistics, b: Statistics): boolean => a.high < b.low || b.high < a.low;
