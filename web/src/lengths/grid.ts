// A learned grid of patches, as vision models have, made larger or smaller for images of another size. No trained table is
// at hand, so waves and noise stand for one: smooth over the grid, with a little that is each cell's own.
import type { InputEncoding, Posenc } from 'posenc';
import type { Picture } from '../families/family.js';
import { columnOf, mapData } from '../families/maps.js';
import { makeTokens } from '../families/tokens.js';
import { t } from '../lib/language.js';
import { createEncoding } from '../model/create.js';
import type { Setup } from './setup.js';

const dim = 32;
const noise = 0.15;

/** [side * side, dim]: in each channel a wave of its own direction and length. */
function standIn(side: number): Float32Array {
  const random = makeTokens('random', 3 * dim + side * side * dim, 1);
  return Float32Array.from({ length: side * side * dim }, (_, i) => {
    const [cell, channel] = [Math.floor(i / dim), i % dim];
    const [right, down, phase] = [0, 1, 2].map((part) => random[3 * channel + part]!) as [number, number, number];
    const [x, y] = [(cell % side) / side, Math.floor(cell / side) / side];
    return Math.sin(2 * Math.PI * (1.2 * right * x + 1.2 * down * y + phase)) + noise * random[3 * dim + i]!;
  });
}

/** Cosine of one row with every other. */
function similarityTo(cell: number, rows: Float32Array): Float32Array {
  const product = (a: number, b: number): number => {
    let sum = 0;
    for (let i = 0; i < dim; i++) sum += rows[a * dim + i]! * rows[b * dim + i]!;
    return sum;
  };
  return Float32Array.from({ length: rows.length / dim }, (_, other) => product(cell, other) / Math.sqrt(product(cell, cell) * product(other, other)));
}

export function gridPictures(posenc: Posenc, { gridTrained, gridTarget, resample }: Setup): Picture[] {
  const [table, options] = [standIn(gridTrained), { dim, rows: gridTrained, cols: gridTrained, toRows: gridTarget, toCols: gridTarget }];
  const grid = createEncoding(posenc, 'gridLearned', { ...options, resample: { mode: resample } }) as InputEncoding;
  try {
    grid.parameters = { table };
    const rows = grid.encode(gridTarget * gridTarget).data;
    const map = (key: string, title: string, caption: string, side: number, values: Float32Array): Picture => ({
      key, title, caption, size: 'square', figure: 'heat-map', data: mapData({ extents: [side, side] }, values, title),
    });
    const middle = Math.floor(gridTarget / 2) * (gridTarget + 1);
    const [small, large] = [`${gridTrained} \u00d7 ${gridTrained}`, `${gridTarget} \u00d7 ${gridTarget}`];
    return [
      map('grid-trained', t('A learned grid of {0} patches', small), t('One channel of a table that waves and noise stand in for.'), gridTrained, columnOf(table, 0, dim)),
      map('grid-resampled', t('The same, resampled to {0}', large), t('Values between the cells that were trained; with nearest, cells are repeated.'), gridTarget, columnOf(rows, 0, dim)),
      map('grid-similarity', t('Similarity to the middle patch'), t('Cosine of its row with every other on the new grid: near patches are still the most alike.'), gridTarget, similarityTo(middle, rows)),
    ];
  } finally {
    grid.dispose();
  }
}
