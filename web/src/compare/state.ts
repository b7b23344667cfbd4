// What the page compares, and how the address says it: "#with=rope,alibi&length=48&1.biasMax=4".
import { catalog, type CatalogEncoding, type CatalogField } from 'posenc/catalog';
import { entryOf } from '../model/create.js';
import { complete, parseValue, printValue, type FieldValue, type Values } from '../model/fields.js';
import { headDim, heads, width } from './run.js';

export interface Chosen {
  entry: CatalogEncoding;
  /** Options that were given; sizes are the page's. */
  options: Values;
}

export interface State {
  chosen: readonly Chosen[];
  settings: Values;
}

export const most = 4;
const sizes: Values = { dim: width, headDim, heads, maxLength: 512 };
const firstShown = ['sinusoidal', 'rope', 'alibi', 'nope'];

export const settings: readonly CatalogField[] = [
  { name: 'length', type: 'integer', required: false, default: 48, minimum: 2, maximum: 256, doc: 'number of tokens', shown: { low: 8, high: 128, log: false } },
  { name: 'shift', type: 'integer', required: false, default: 0, minimum: 0, maximum: 100000, doc: 'position of the first token', shown: { low: 0, high: 200, log: false } },
  { name: 'head', type: 'integer', required: false, default: 0, minimum: 0, maximum: heads - 1, doc: 'the head that is shown', shown: { low: 0, high: heads - 1, log: false } },
  { name: 'tokens', type: 'choice', required: false, default: 'random', choices: ['random', 'alike'], doc: 'random tokens that share a mean, as trained ones do, or equal ones, so that position alone makes the pattern' },
  { name: 'causal', type: 'boolean', required: false, default: true, doc: 'hide keys that come after the query' },
  { name: 'shuffle', type: 'boolean', required: false, default: false, doc: 'put the tokens into another order' },
];

/** Encodings whose positions are a line: those can be compared on a row of tokens. */
export const comparable = catalog.encodings.filter(({ domain }) => domain.axes === 1);

/** Fields that the visitor may change. */
export const freeFields = ({ fields }: CatalogEncoding): CatalogField[] => fields.filter(({ name }) => !(name in sizes));

/** All options of a chosen encoding. */
export function optionsOf({ entry, options }: Chosen): Values {
  const own = Object.fromEntries(Object.entries(sizes).filter(([name]) => entry.fields.some((field) => field.name === name)));
  return complete(entry.fields, { ...options, ...own });
}

function readValues(fields: readonly CatalogField[], hash: ReadonlyMap<string, string>, prefix: string): Values {
  const values: Record<string, FieldValue> = {};
  for (const field of fields) {
    const text = hash.get(prefix + field.name);
    const value = text === undefined ? undefined : parseValue(field, text);
    if (value !== undefined) values[field.name] = value;
  }
  return values;
}

export function readState(hash: ReadonlyMap<string, string>): State {
  const asked = (hash.get('with') ?? '').split(',').filter((id) => entryOf(id)).slice(0, most);
  const ids = asked.length >= 2 ? asked : firstShown;
  const chosen = ids.flatMap((id, i) => {
    const entry = entryOf(id);
    return entry ? [{ entry, options: readValues(freeFields(entry), hash, `${i}.`) }] : [];
  });
  return { chosen, settings: readValues(settings, hash, '') };
}

export function printState({ chosen, settings: given }: State): [string, string][] {
  return [
    ['with', chosen.map(({ entry }) => entry.id).join(',')],
    ...Object.entries(given).map(([name, value]): [string, string] => [name, printValue(value)]),
    ...chosen.flatMap(({ options }, i) =>
      Object.entries(options).map(([name, value]): [string, string] => [`${i}.${name}`, printValue(value)]),
    ),
  ];
}
