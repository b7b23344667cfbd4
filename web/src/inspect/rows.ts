// A real table of rows: what it looks like, how alike its rows are, and, where they are a grid, which cells are like one.
import type { Picture } from '../families/family.js';
import { mapData } from '../families/maps.js';
import { t } from '../lib/language.js';
import type { Floats } from 'posenc/formats';

const [mostRows, mostChannels, mostCompared] = [512, 128, 256];

interface Table {
  data: Float32Array;
  rows: number;
  width: number;
}

/** [rows, width] from [.., rows, width]. */
export function tableOf({ data, shape }: Floats): Table {
  const width = shape.at(-1) ?? 1;
  return { data, rows: data.length / width, width };
}

/** At most `most` of the rows, evenly spread. */
function spread(rows: number, most: number): number[] {
  const step = Math.max(1, Math.ceil(rows / most));
  return Array.from({ length: Math.ceil(rows / step) }, (_, i) => i * step);
}

/** Rows of length 1, one after another. */
function unitRows({ data, width }: Table, places: readonly number[]): Float32Array {
  const out = new Float32Array(places.length * width);
  for (const [i, place] of places.entries()) {
    const row = data.subarray(place * width, (place + 1) * width);
    const length = Math.hypot(...row) || 1;
    out.set(row.map((value) => value / length), i * width);
  }
  return out;
}

/** Cosines of the first rows with the second, [first, second]. */
export function cosines(first: Float32Array, second: Float32Array, width: number): Float32Array {
  const [m, n] = [first.length / width, second.length / width];
  const out = new Float32Array(m * n);
  for (let i = 0; i < m; i++) {
    for (let j = 0; j < n; j++) {
      let sum = 0;
      for (let channel = 0; channel < width; channel++) sum += first[i * width + channel]! * second[j * width + channel]!;
      out[i * n + j] = sum;
    }
  }
  return out;
}

export interface Grid {
  side: number;
  /** Rows before those of the grid: class and register tokens. */
  before: number;
}

/** The grid that a vision model's table is; tables of text are as square by chance, so their sizes are left out. */
export function gridOf(name: string, rows: number): Grid | undefined {
  if (!/pos_embed|position_embedding|positional_embedding/.test(name)) return undefined;
  for (const before of [0, 1, 2, 5]) {
    const side = Math.sqrt(rows - before);
    const isTextLength = before === 0 && Number.isInteger(Math.log2(rows));
    if (Number.isInteger(side) && side >= 4 && side <= 64 && !isTextLength) return { side, before };
  }
  return undefined;
}

function tablePicture(key: string, table: Table): Picture {
  const places = spread(table.rows, mostRows);
  const channels = Math.min(mostChannels, table.width);
  const values = new Float32Array(places.length * channels);
  for (const [i, place] of places.entries()) values.set(table.data.subarray(place * table.width, place * table.width + channels), i * channels);
  const part = channels < table.width || places.length < table.rows;
  return {
    key: `${key} table`,
    title: t('The table'),
    caption: part ? t('{0} of {1} rows and the first {2} of {3} channels.', places.length, table.rows, channels, table.width) : t('All rows and channels.'),
    size: 'wide',
    figure: 'heat-map',
    data: {
      values, shape: [places.length, channels], rows: { label: t('row'), values: places }, columns: { label: t('channel') },
      rowsAlong: 'x', scale: 'signed', about: t('The table'),
    },
  };
}

function similarityPicture(key: string, table: Table): Picture {
  const places = spread(table.rows, mostCompared);
  const units = unitRows(table, places);
  const axis = { label: t('row'), values: places };
  return {
    key: `${key} similarity`,
    title: t('How alike its rows are'),
    caption: t('Cosine of every two of {0} rows. A band along the diagonal: neighbours are alike. Stripes beside it: the table repeats itself, as rows of a grid do.', places.length),
    size: 'square',
    figure: 'heat-map',
    data: { values: cosines(units, units, table.width), shape: [places.length, places.length], rows: axis, columns: axis, rowsAlong: 'y', scale: 'signed', limits: [-1, 1], about: t('How alike its rows are') },
  };
}

/** The grid, coloured by how alike its cells are to one of them. */
export function cellPicture(key: string, table: Table, { side, before }: Grid, cell: number): Picture {
  const all = unitRows(table, Array.from({ length: side * side }, (_, i) => before + i));
  const one = all.subarray(cell * table.width, (cell + 1) * table.width);
  const place = `${Math.floor(cell / side)}, ${cell % side}`;
  const data = mapData({ extents: [side, side] }, cosines(one, all, table.width), t('Similarity to cell {0}', place));
  return {
    key: `${key} cell`,
    title: t('Similarity to cell {0}', place),
    caption: t('Cosine of this patch\u2019s row with every other, on the grid that the rows are.'),
    size: 'square',
    figure: 'heat-map',
    data: { ...data, limits: [-1, 1] },
  };
}

export const rowPictures = (key: string, table: Table): Picture[] => [tablePicture(key, table), similarityPicture(key, table)];
