// What the page compares, and how the address says it: "#with=rope,alibi&length=48&1.biasMax=4". A dropped file is not in it.
import { catalog, type CatalogEncoding, type CatalogField } from 'posenc/catalog';
import { entryOf } from '../model/create.js';
import { parseValue, printValue, type FieldValue, type Values } from '../model/fields.js';
import { complete } from '../model/options.js';
import { t } from '../lib/language.js';
import { ownSizes, type Material } from './material.js';

export interface Chosen {
  entry: CatalogEncoding;
  /** Options that were given; sizes are the page's. */
  options: Values;
}

export interface State {
  chosen: readonly Chosen[];
  settings: Values;
  /** The sentence whose words are the tokens. */
  sentence: string;
}

export const most = 4;
/** The survey's pair of sentences: the same words, and not the same meaning. */
const firstSentence = t('the cat sat on the sofa and the sofa sat on the cat');

/** Options that follow from what is compared on. */
export const sizesOf = ({ heads, headDim }: Pick<Material, 'heads' | 'headDim'>): Values => ({ dim: heads * headDim, headDim, heads, maxLength: 512 });
const ownNames = Object.keys(sizesOf(ownSizes));
const firstShown = ['sinusoidal', 'rope', 'alibi', 'nope'];

export const settings: readonly CatalogField[] = [
  { name: 'length', type: 'integer', required: false, default: 48, minimum: 2, maximum: 256, doc: 'number of tokens', shown: { low: 8, high: 128, log: false } },
  { name: 'shift', type: 'integer', required: false, default: 0, minimum: 0, maximum: 100000, doc: 'position of the first token', shown: { low: 0, high: 200, log: false } },
  { name: 'head', type: 'integer', required: false, default: 0, minimum: 0, maximum: 1023, doc: 'the head that is shown', shown: { low: 0, high: ownSizes.heads - 1, log: false } },
  { name: 'tokens', type: 'choice', required: false, default: 'random', choices: ['random', 'alike', 'sentence', 'file'], doc: 'random tokens that share a mean, as trained ones do; equal ones, so that position alone makes the pattern; the words of a sentence; or tensors of a file' },
  { name: 'causal', type: 'boolean', required: false, default: true, doc: 'hide keys that come after the query' },
  { name: 'shuffle', type: 'boolean', required: false, default: false, doc: 'put the tokens into another order' },
];

/** Encodings whose positions are a line: those can be compared on a row of tokens. */
export const comparable = catalog.encodings.filter(({ domain }) => domain.axes === 1);

/** Fields that the visitor may change. */
export const freeFields = ({ fields }: CatalogEncoding): CatalogField[] => fields.filter(({ name }) => !ownNames.includes(name));

/** All options of a chosen encoding. */
export function optionsOf({ entry, options }: Chosen, material: Pick<Material, 'heads' | 'headDim'> = ownSizes): Values {
  const own = Object.fromEntries(Object.entries(sizesOf(material)).filter(([name]) => entry.fields.some((field) => field.name === name)));
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
  return { chosen, settings: readValues(settings, hash, ''), sentence: hash.get('sentence') ?? firstSentence };
}

export function printState({ chosen, settings: given, sentence }: State): [string, string][] {
  return [
    ['with', chosen.map(({ entry }) => entry.id).join(',')],
    ...Object.entries(given).map(([name, value]): [string, string] => [name, printValue(value)]),
    ...(given['tokens'] === 'sentence' && sentence !== firstSentence ? [['sentence', sentence] as [string, string]] : []),
    ...chosen.flatMap(({ options }, i) =>
      Object.entries(options).map(([name, value]): [string, string] => [`${i}.${name}`, printValue(value)]),
    ),
  ];
}
