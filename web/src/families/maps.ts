// Numbers of a grid's cells, drawn as the grid.
import type { HeatMapData } from '../figures/heat-map.js';
import { t } from '../lib/language.js';
import type { Picture } from './family.js';
import { coordinatesOf, type Ground } from './ground.js';

/** One number per cell as a picture of the grid; frames stand below one another. */
export function mapData({ extents }: Pick<Ground, 'extents'>, values: Float32Array, about: string): HeatMapData {
  const columns = extents.at(-1)!;
  const outer = extents.slice(0, -1);
  const rows = outer.reduce((product, extent) => product * extent, 1);
  const names = Array.from({ length: rows }, (_, i) => coordinatesOf(i, outer).join(', '));
  return {
    values,
    shape: [rows, columns],
    rows: outer.length > 1 ? { label: t('frame, row'), names } : { label: t('row') },
    columns: { label: t('column') },
    rowsAlong: 'y',
    scale: 'signed',
    about,
  };
}

/** Column `column` of [count, width]. */
export function columnOf(values: Float32Array, column: number, width: number): Float32Array {
  return Float32Array.from({ length: values.length / width }, (_, i) => values[i * width + column]!);
}

/** How alike every cell is to one of them, from the products of all with all. */
export function similarityMap(ground: Ground, scores: Float32Array, cell: number, caption: string): Picture {
  const { count, extents } = ground;
  const name = coordinatesOf(cell, extents).join(', ');
  return {
    key: 'similarity',
    title: t('Similarity to cell {0}', name),
    caption,
    size: 'half',
    figure: 'heat-map',
    data: mapData(ground, scores.slice(cell * count, (cell + 1) * count), t('Similarity to cell {0}', name)),
  };
}
