// What a bias of the distance and a learned table do beyond the trained length.
import { PosencError, type BiasEncoding, type InputEncoding, type Posenc } from 'posenc';
import type { CatalogField } from 'posenc/catalog';
import type { Picture } from '../families/family.js';
import { createEncoding, entryOf } from '../model/create.js';
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
      title: 'ALiBi: how far each head sees',
      caption:
        'The distance at which a weight is down to a hundredth. The lines of the bias simply go on beyond the trained length; ' +
        `${within} of ${heads} heads do not see that far in any case.`,
      size: 'half',
      figure: 'line-plot',
      data: {
        values: reach,
        shape: [1, heads],
        names: ['reach'],
        x: { label: 'head' },
        y: { label: 'distance', log: true },
        marks: [{ value: trained, text: `trained: ${trained}` }, ...(target === trained ? [] : [{ value: target, text: `in use: ${target}` }])],
        dots: true,
        about: 'Distance that each head sees',
      },
    };
  } finally {
    alibi.dispose();
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
    if (error instanceof PosencError) return error.message;
    throw error;
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
  const refused = results.filter(([, result]) => typeof result === 'string').map(([choice, message]) => `With \u201c${choice}\u201d: ${String(message)}.`);
  const values = new Float32Array(drawn.length * positions.length);
  for (const [i, [, rows]] of drawn.entries()) values.set(rows, i * positions.length);
  return {
    key: 'learned',
    title: 'A learned table: which row is used',
    caption: ['Rows exist for what was trained. Beyond it a table has to be told what to do.', ...refused].join(' '),
    size: 'half',
    figure: 'line-plot',
    data: {
      values,
      shape: [drawn.length, positions.length],
      names: drawn.map(([choice]) => choice),
      named: true,
      x: { label: 'position', names: Array.from(positions, String) },
      y: { label: 'row' },
      about: 'Row of the table by position, for every policy',
    },
  };
}
