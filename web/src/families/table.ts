// The trained table that a bias of the distance reads: a row for each of its buckets, a column for each head.
import type { BiasEncoding } from 'posenc';
import { t } from '../lib/language.js';
import { tensorsOf } from '../model/create.js';
import type { Picture } from './family.js';

/** The picture of such a table, [buckets, heads]. */
export function bucketTable(key: string, values: Float32Array, shape: readonly [buckets: number, heads: number]): Picture {
  return {
    key,
    title: t('Buckets and heads'),
    caption: t('The numbers as they are trained, one row for each bucket.'),
    size: 'half',
    figure: 'heat-map',
    data: { values, shape, rows: { label: t('bucket') }, columns: { label: t('head') }, rowsAlong: 'x', scale: 'signed', about: t('Buckets and heads') },
  };
}

/** Its name and how many buckets it has, where it is all that is trained. */
function tableOf(bias: BiasEncoding): { name: string; buckets: number } | undefined {
  const [only, ...others] = tensorsOf(bias);
  const [buckets = 1, heads, ...more] = only?.shape ?? [];
  return only && others.length === 0 && more.length === 0 && heads === bias.heads ? { name: only.name, buckets } : undefined;
}

export function tablePictures(bias: BiasEncoding): Picture[] {
  const table = tableOf(bias);
  const values = table && bias.parameters[table.name]?.data;
  return values ? [bucketTable('table', values, [table.buckets, bias.heads])] : [];
}

export function tableCode(bias: BiasEncoding): string[] {
  const table = tableOf(bias);
  return table ? [`const { ${table.name} } = encoding.parameters;`] : [];
}
