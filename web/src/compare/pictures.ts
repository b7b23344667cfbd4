// What is shown of the encodings that are compared.
import type { HeatMapData } from '../figures/heat-map.js';
import type { Picture } from '../families/family.js';
import { headOf } from '../families/pattern.js';
import type { ColourScale } from '../lib/colour.js';
import { t } from '../lib/language.js';
import type { Material } from './material.js';
import type { Outcome } from './run.js';

export interface Result {
  title: string;
  outcome: Outcome;
}

type Setup = Pick<Material, 'count' | 'names'> & { causal: boolean };

function matrix(values: Float32Array, { count, names: words }: Setup, scale: ColourScale, limits: readonly [number, number], about: string): HeatMapData {
  const names = words ? { names: words } : {};
  return { values, shape: [count, count], rows: { label: t('query'), ...names }, columns: { label: t('key'), ...names }, rowsAlong: 'y', scale, limits, about };
}

/** The largest size among finite values. */
function sizeOf(lists: readonly Float32Array[]): number {
  let largest = 0;
  for (const values of lists) {
    for (const value of values) if (Number.isFinite(value) && Math.abs(value) > largest) largest = Math.abs(value);
  }
  return largest || 1;
}

/** Mean weight by the distance key - query, from -(count - 1) to 0 or to count - 1. */
function byDistance(weights: Float32Array, { count, causal }: Setup): Float32Array {
  const places = causal ? count : 2 * count - 1;
  const sums = new Float32Array(places);
  for (let query = 0; query < count; query++) {
    for (let key = 0; key < count; key++) {
      const place = key - query + count - 1;
      if (place < places) sums[place]! += weights[query * count + key]!;
    }
  }
  return sums.map((sum, place) => sum / (count - Math.abs(place - count + 1)));
}

export function distancePicture(results: readonly Result[], setup: Setup, head: number): Picture {
  const lines = results.map(({ outcome }) => byDistance(headOf(outcome.weights, head, setup.count), setup));
  const points = lines[0]?.length ?? 0;
  const values = new Float32Array(results.length * points);
  for (const [i, line] of lines.entries()) values.set(line, i * points);
  return {
    key: 'distance',
    title: t('Attention by distance'),
    caption: t('How much weight a key gets, by how far it is from the query: the mean over all pairs of that distance, head {0}.', head),
    size: 'wide',
    figure: 'line-plot',
    data: {
      values,
      shape: [results.length, points],
      names: results.map(({ title }) => title),
      x: { label: t('key \u2212 query'), start: 1 - setup.count },
      y: { label: t('mean weight') },
      named: true,
      about: t('Mean attention weight by distance'),
    },
  };
}

/** Scores, weights and the difference to the first encoding, for each; colours mean the same in all columns. */
export function columnPictures(results: readonly Result[], setup: Setup, head: number): Picture[][] {
  const { count } = setup;
  const scores = results.map(({ outcome }) => headOf(outcome.scores, head, count));
  const weights = results.map(({ outcome }) => headOf(outcome.weights, head, count));
  const differences = weights.map((own) => own.map((weight, i) => weight - weights[0]![i]!));
  const [scoreSize, weightSize, differenceSize] = [sizeOf(scores), sizeOf(weights), sizeOf(differences)];
  return results.map(({ title }, i) => {
    const picture = (key: string, name: string, data: HeatMapData): Picture => ({ key, title: name, caption: '', size: 'square', figure: 'heat-map', data });
    const all = [
      picture('scores', t('Scores'), matrix(scores[i]!, setup, 'signed', [-scoreSize, scoreSize], t('Scores with {0}', title))),
      picture('weights', t('Attention'), matrix(weights[i]!, setup, 'share', [0, weightSize], t('Attention with {0}', title))),
    ];
    if (i === 0) return all;
    const name = t('Less {0}', results[0]!.title);
    const about = t('Attention with {0} less attention with {1}', title, results[0]!.title);
    return [...all, picture('difference', name, matrix(differences[i]!, setup, 'signed', [-differenceSize, differenceSize], about))];
  });
}
