// The attention pattern that an encoding makes: one head's weights, for equal or random tokens.
import type { HeatMapData } from '../figures/heat-map.js';
import type { ColourScale } from '../lib/colour.js';
import { t } from '../lib/language.js';
import type { Picture } from './family.js';
import { groundAxis, type Ground } from './ground.js';

/** The part [length, length] of `values` [heads, length, length] that belongs to one head. */
export function headOf(values: Float32Array, head: number, length: number): Float32Array {
  return values.subarray(head * length * length, (head + 1) * length * length);
}

/** A matrix of every query with every key. */
export function matrixData(ground: Ground, values: Float32Array, scale: ColourScale, about: string): HeatMapData {
  return {
    values,
    shape: [ground.count, ground.count],
    rows: groundAxis(ground, t('query')),
    columns: groundAxis(ground, t('key')),
    rowsAlong: 'y',
    scale,
    about,
  };
}

export function patternPicture(ground: Ground, weights: Float32Array, caption: string): Picture {
  return {
    key: 'pattern',
    title: t('Attention pattern'),
    caption,
    size: 'square',
    figure: 'heat-map',
    data: matrixData(ground, weights, 'share', t('Attention weights')),
  };
}
