// Real biases and frequencies: T5's buckets by distance, a window's table by offset, wavelengths of rotations.
import type { BiasEncoding, Posenc } from 'posenc';
import type { Picture } from '../families/family.js';
import { columnOf, mapData } from '../families/maps.js';
import { bucketTable } from '../families/table.js';
import { t } from '../lib/language.js';
import { createEncoding } from '../model/create.js';
import type { Floats } from 'posenc/formats';

const farthest = 160;

export interface BucketSetup {
  bidirectional: boolean;
  maxDistance: number;
}

/** [buckets, heads] as a table, and as what each head adds by distance. */
export function bucketPictures(posenc: Posenc, key: string, { data, shape }: Floats, { bidirectional, maxDistance }: BucketSetup): Picture[] {
  const [buckets = 1, heads = 1] = shape;
  const t5 = createEncoding(posenc, 't5', { heads, numBuckets: buckets, maxDistance, bidirectional }) as BiasEncoding;
  try {
    t5.parameters = { table: data };
    const places = bidirectional ? 2 * farthest + 1 : farthest + 1;
    return [
      {
        key: `${key} lines`,
        title: t('Bias by distance'),
        caption: bidirectional
          ? t('What every head adds to a score, keys before and after the query. Steps are buckets: they widen with the distance.')
          : t('What every head adds to a score, keys up to the query. Steps are buckets: they widen with the distance.'),
        size: 'wide',
        figure: 'line-plot',
        data: {
          values: t5.bias(1, places, { qOffset: farthest }).data,
          shape: [heads, places],
          names: Array.from({ length: heads }, (_, head) => t('head {0}', head)),
          x: { label: t('key \u2212 query'), start: -farthest },
          y: { label: t('bias') },
          about: t('Bias by distance, one line per head'),
        },
      },
      bucketTable(`${key} buckets`, data, [buckets, heads]),
    ];
  } finally {
    t5.dispose();
  }
}

/** The offsets of a window, [2 side - 1, 2 side - 1], of one head; rows for class tokens behind them are left out. */
export function windowPicture(key: string, { data, shape }: Floats, head: number): Picture | undefined {
  const [rows = 1, heads = 1] = shape;
  const side = [0, 3].map((extra) => Math.sqrt(rows - extra)).find(Number.isInteger);
  if (side === undefined) return undefined;
  return {
    key: `${key} window`,
    title: t('What head {0} adds, by offset', head),
    caption: t('The middle is the query itself; each cell is a key so many rows and columns away.'),
    size: 'square',
    figure: 'heat-map',
    data: { ...mapData({ extents: [side, side] }, columnOf(data.subarray(0, side * side * heads), head, heads), t('Bias of head {0}', head)), level: true },
  };
}

export interface Wavelengths {
  picture: Picture;
  /** The base that the second frequency is a power of. */
  base: number;
  /** Whether all frequencies are powers of that base: a scaling makes them differ. */
  plain: boolean;
}

export function wavelengths(key: string, { data }: Floats): Wavelengths {
  const pairs = data.length;
  const base = pairs > 1 ? (data[1]! / data[0]!) ** -pairs : NaN;
  const plain = data.every((value, pair) => Math.abs(value / (data[0]! * base ** (-pair / pairs)) - 1) < 0.02);
  return {
    base,
    plain: plain && Math.abs(data[0]! - 1) < 1e-3,
    picture: {
      key: `${key} wavelengths`,
      title: t('Wavelength of every pair'),
      caption: t('One turn, divided by the frequencies that the file holds.'),
      size: 'wide',
      figure: 'line-plot',
      data: {
        values: Float64Array.from(data, (value) => (2 * Math.PI) / value), shape: [1, pairs], names: [t('wavelength')],
        x: { label: t('pair') }, y: { label: t('wavelength in positions'), log: true }, dots: true, about: t('Wavelength of every pair'),
      },
    },
  };
}
