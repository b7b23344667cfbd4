// How alike two positions are, by their distance: the mean over a score matrix's diagonals, and their range.
import { t } from '../lib/language.js';
import type { Picture } from './family.js';

export interface ByDistance {
  mean: Float64Array;
  low: Float64Array;
  high: Float64Array;
}

/** Over all pairs with that distance; `scores` is [length, length]. */
export function meanByDistance(scores: Float32Array, length: number): ByDistance {
  const mean = new Float64Array(length);
  const low = new Float64Array(length).fill(Infinity);
  const high = new Float64Array(length).fill(-Infinity);
  for (let query = 0; query < length; query++) {
    for (let key = 0; key <= query; key++) {
      const distance = query - key;
      const score = scores[query * length + key]!;
      mean[distance]! += score;
      if (score < low[distance]!) low[distance] = score;
      if (score > high[distance]!) high[distance] = score;
    }
  }
  for (let distance = 0; distance < length; distance++) mean[distance]! /= length - distance;
  return { mean, low, high };
}

/** The line, with the range around it where positions of the same distance differ. */
export function similarityPicture({ mean, low, high }: ByDistance, label: string, caption: string, title = t('Similarity by distance')): Picture {
  const size = Math.max(...mean.map(Math.abs));
  const differs = mean.some((_, i) => high[i]! - low[i]! > 1e-4 * size);
  return {
    key: 'similarity',
    title,
    caption,
    size: 'half',
    figure: 'line-plot',
    data: {
      values: mean,
      shape: [1, mean.length],
      names: [t('mean')],
      x: { label: t('distance') },
      y: { label },
      ...(differs ? { band: { low, high } } : {}),
      about: caption,
    },
  };
}
