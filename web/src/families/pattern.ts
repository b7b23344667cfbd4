// The attention pattern that an encoding makes: one head's weights, for equal or random tokens.
import type { HeatMapData } from '../figures/heat-map.js';
import type { Picture } from './family.js';

/** The part [length, length] of `values` [heads, length, length] that belongs to one head. */
export function headOf(values: Float32Array, head: number, length: number): Float32Array {
  return values.subarray(head * length * length, (head + 1) * length * length);
}

export function patternData(weights: Float32Array, length: number): HeatMapData {
  return {
    values: weights,
    shape: [length, length],
    rows: { label: 'query' },
    columns: { label: 'key' },
    rowsAlong: 'y',
    scale: 'share',
    about: 'Attention weights',
  };
}

export function patternPicture(weights: Float32Array, length: number, caption: string): Picture {
  return {
    key: 'pattern',
    title: 'Attention pattern',
    caption,
    size: 'square',
    figure: 'heat-map',
    data: patternData(weights, length),
  };
}
