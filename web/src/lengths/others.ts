// What a bias of the distance and a learned table do beyond the trained length.
import type { BiasEncoding, InputEncoding, Posenc } from 'posenc';
import type { CatalogField } from 'posenc/catalog';
import type { Picture } from '../families/family.js';
import { t } from '../lib/language.js';
import { createEncoding, entryOf } from '../model/create.js';
import { explain } from '../model/library.js';
import { distancesOf } from './rope.js';
import type { Setup } from './setup.js';

const faint = 0.01;

/** How far each head sees: the distance at which a key's weight is down to a hundredth. */
export function alibiPicture(posenc: Posenc, { heads, trained, target }: Setup): Picture {
  const alibi = createEncoding(posenc, 'alibi', { heads }) as BiasEncoding;
  try {
    const atOne = alibi.bias(1, 1, { positions: { q: [1], k: [0] } }).data;
    const reach = atOne.map((bias) => Math.log(faint) / bias);
    const within = reach.filter((distance) => distance < trained).length;
    return {
      key: 'alibi',
      title: t('ALiBi: how far each head sees'),
      caption: t(
        'The distance at which a weight is down to a hundredth. The lines of the bias simply go on beyond the trained length; {0} of {1} heads do not see that far in any case.',
        within, heads,
      ),
      size: 'half',
      figure: 'line-plot',
      data: {
        values: reach,
        shape: [1, heads],
        names: [t('reach')],
        x: { label: t('head') },
        y: { label: t('distance'), log: true },
        marks: [{ value: trained, text: t('trained: {0}', trained) }, ...(target === trained ? [] : [{ value: target, text: t('in use: {0}', target) }])],
        dots: true,
        about: t('Distance that each head sees'),
      },
    };
  } finally {
    alibi.dispose();
  }
}

const [t5Buckets, t5Reach] = [32, 128];
const places = 96;

/** Distances from 0 to the target, close together at first. */
function growing(target: number): number[] {
  const all = Array.from({ length: places }, (_, i) => Math.round((target + 1) ** (i / (places - 1))) - 1);
  return [...new Set(all)];
}

/** The bucket of every distance behind the query, read off a table whose buckets hold their own number. */
export function t5Picture(posenc: Posenc, { trained, target }: Setup): Picture {
  const t5 = createEncoding(posenc, 't5', { heads: 1, numBuckets: t5Buckets, maxDistance: t5Reach, bidirectional: false }) as BiasEncoding;
  try {
    t5.parameters = { table: Float32Array.from({ length: t5Buckets }, (_, bucket) => bucket) };
    const distances = growing(target);
    const buckets = t5.bias(1, distances.length, { positions: { q: [0], k: distances.map((distance) => 0 - distance) } }).data;
    const seen = buckets[distances.findLastIndex((distance) => distance < trained)]!;
    const caption =
      seen === buckets.at(-1)
        ? t('From {0} on all distances share the last bucket. Training up to {1} has filled it, so nothing further on is new, and nothing is told apart.', t5Reach, trained)
        : t('From {0} on all distances share the last bucket. Training up to {1} has only reached bucket {2}: those beyond hold untrained numbers.', t5Reach, trained, seen);
    return {
      key: 't5',
      title: t('T5: which bucket a distance falls into'),
      caption,
      size: 'half',
      figure: 'line-plot',
      data: {
        values: buckets,
        shape: [1, distances.length],
        names: [t('bucket')],
        x: { label: t('distance'), values: distances },
        y: { label: t('bucket'), whole: true },
        marks: [{ value: seen, text: t('reached in training: {0}', seen) }],
        dots: true,
        about: t('Bucket of every distance'),
      },
    };
  } finally {
    t5.dispose();
  }
}

/** Which row of a table of `trained` rows each position gets, from a table whose rows hold their own number. */
function rowsUsed(posenc: Posenc, trained: number, extend: string, positions: Float64Array): Float32Array | string {
  const options = { dim: 1, maxLength: trained, extend, weights: { table: Float32Array.from({ length: trained }, (_, row) => row) } };
  const make = posenc as unknown as Readonly<Record<string, (options: object) => InputEncoding>>;
  const table = make['learned']!(options);
  try {
    return table.encode(positions).data;
  } catch (error) {
    return explain(error);
  } finally {
    table.dispose();
  }
}

/** The row that every policy uses; nothing where the library has no learned tables. */
export function learnedPicture(posenc: Posenc, setup: Setup): Picture | undefined {
  const field: CatalogField | undefined = entryOf('learned')?.fields.find(({ name }) => name === 'extend');
  if (!field) return undefined;
  const positions = distancesOf(setup);
  const results = (field.choices ?? []).map((choice) => [choice, rowsUsed(posenc, setup.trained, choice, positions)] as const);
  const drawn = results.filter((result): result is readonly [string, Float32Array] => typeof result[1] !== 'string');
  const refused = results.filter(([, result]) => typeof result === 'string').map(([choice, message]) => t('With \u201c{0}\u201d: {1}.', choice, String(message)));
  const values = new Float32Array(drawn.length * positions.length);
  for (const [i, [, rows]] of drawn.entries()) values.set(rows, i * positions.length);
  return {
    key: 'learned',
    title: t('A learned table: which row is used'),
    caption: [t('Rows exist for what was trained. Beyond it a table has to be told what to do.'), ...refused].join(' '),
    size: 'half',
    figure: 'line-plot',
    data: {
      values,
      shape: [drawn.length, positions.length],
      names: drawn.map(([choice]) => choice),
      named: true,
      x: { label: t('position'), values: positions },
      y: { label: t('row') },
      about: t('Row of the table by position, for every policy'),
    },
  };
}
