// A learned grid of patches, as vision models have, made larger or smaller for images of another size. No trained table is
// at hand, so waves and noise stand for one: smooth over the grid, with a little that is each cell's own.
import type { InputEncoding, Posenc } from 'posenc';
import type { Picture } from '../families/family.js';
import { columnOf, mapData } from '../families/maps.js';
import { makeTokens } from '../families/tokens.js';
import type { Backdrop } from '../figures/backdrop.js';
import { t } from '../lib/language.js';
import { createEncoding } from '../model/create.js';
import { patchOf, type Setup } from './setup.js';

const dim = 32;
const noise = 0.15;

/** [side * side, dim]: in each channel a wave of its own direction and length. */
export function gridTable({ gridTrained: side }: Setup): Float32Array {
  const random = makeTokens('random', 3 * dim + side * side * dim, 1);
  return Float32Array.from({ length: side * side * dim }, (_, i) => {
    const [cell, channel] = [Math.floor(i / dim), i % dim];
    const [right, down, phase] = [0, 1, 2].map((part) => random[3 * channel + part]!) as [number, number, number];
    const [x, y] = [(cell % side) / side, Math.floor(cell / side) / side];
    return Math.sin(2 * Math.PI * (1.2 * right * x + 1.2 * down * y + phase)) + noise * random[3 * dim + i]!;
  });
}

/** The rows [side * side, dim] of a grid. */
export interface Rows {
  side: number;
  rows: Float32Array;
}

/** The table as it was trained, and as it is used. */
export interface Grids {
  trained: Rows;
  used: Rows;
}

export function gridsOf(posenc: Posenc, { gridTrained, gridTarget, resample }: Setup, table: Float32Array): Grids {
  const options = { dim, rows: gridTrained, cols: gridTrained, toRows: gridTarget, toCols: gridTarget };
  const grid = createEncoding(posenc, 'gridLearned', { ...options, resample: { mode: resample } }) as InputEncoding;
  try {
    grid.parameters = { table };
    return { trained: { side: gridTrained, rows: table }, used: { side: gridTarget, rows: grid.encode(gridTarget * gridTarget).data } };
  } finally {
    grid.dispose();
  }
}

/** Cosine of one row with every other. */
function similarityTo(cell: number, { rows }: Rows): Float32Array {
  const product = (a: number, b: number): number => {
    let sum = 0;
    for (let i = 0; i < dim; i++) sum += rows[a * dim + i]! * rows[b * dim + i]!;
    return sum;
  };
  return Float32Array.from({ length: rows.length / dim }, (_, other) => product(cell, other) / Math.sqrt(product(cell, cell) * product(other, other)));
}

export interface OverPicture {
  backdrop: Backdrop | undefined;
  /** Called with a patch of the grid in use that is chosen in a picture. */
  choose: (patch: number) => void;
}

export function gridPictures({ trained, used }: Grids, setup: Setup, { backdrop, choose }: OverPicture): Picture[] {
  const map = (key: string, title: string, caption: string, side: number, values: Float32Array): Picture & { figure: 'heat-map' } => ({
    key, title, caption, size: 'square', figure: 'heat-map', data: mapData({ extents: [side, side] }, values, title),
  });
  const [row, column] = patchOf(setup);
  /** The cell of another grid that lies at the same place of the picture. */
  const cellAt = (from: number, to: number, cellRow: number, cellColumn: number): number => {
    const place = (i: number): number => Math.min(to - 1, Math.floor(((i + 0.5) * to) / from));
    return place(cellRow) * to + place(cellColumn);
  };
  const over = (key: string, title: string, caption: string, grid: Rows, cell: number): Picture => {
    const picture = map(key, title, caption, grid.side, similarityTo(cell, grid));
    const pick = (toRow: number, toColumn: number): void => choose(cellAt(grid.side, used.side, toRow, toColumn));
    const marked = [Math.floor(cell / grid.side), cell % grid.side] as const;
    return { ...picture, data: { ...picture.data, limits: [-1, 1], marked, ...(backdrop ? { backdrop } : {}), pick } };
  };
  const [small, large] = [trained, used].map(({ side }) => `${side} \u00d7 ${side}`) as [string, string];
  return [
    over('grid-similarity', t('{0} patches, resampled', large),
      t('Cosine of the marked patch\u2019s row with every other on the resampled grid: near patches are still the most alike. Click another to compare with it.'),
      used, row * used.side + column),
    over('grid-before', t('{0} patches, as trained', small),
      t('The same place on the trained grid: the picture is cut into fewer and larger patches, each with a trained row.'),
      trained, cellAt(used.side, trained.side, row, column)),
    map('grid-trained', t('A learned grid of {0} patches', small), t('One channel of a table that waves and noise stand in for.'), trained.side, columnOf(trained.rows, 0, dim)),
    map('grid-resampled', t('The same, resampled to {0}', large), t('Values between the cells that were trained; with nearest, cells are repeated.'), used.side, columnOf(used.rows, 0, dim)),
  ];
}
