// What the encoding page shows, and how the address says it: "#id=rope&headDim=64&show.length=200".
import { catalog, type CatalogEncoding, type CatalogField } from 'posenc/catalog';
import { entryOf } from './create.js';
import { parseValue, printValue, type FieldValue, type Values } from './fields.js';
import { complete } from './options.js';

export interface PageState {
  entry: CatalogEncoding;
  /** Options that were given. */
  options: Values;
  /** Settings of the pictures that were given, as text until the family says what they are. */
  view: Readonly<Record<string, string>>;
}

const viewPrefix = 'show.';

/** The state that the address names; an unknown id or value is left out. */
export function readState(hash: ReadonlyMap<string, string>): PageState {
  const entry = entryOf(hash.get('id')) ?? catalog.encodings[0];
  if (!entry) throw new Error('the catalogue is empty');
  const options: Record<string, FieldValue> = {};
  for (const field of entry.fields) {
    const value = parseGiven(field, hash.get(field.name));
    if (value !== undefined) options[field.name] = value;
  }
  const view: Record<string, string> = {};
  for (const [name, text] of hash) {
    if (name.startsWith(viewPrefix)) view[name.slice(viewPrefix.length)] = text;
  }
  return { entry, options: complete(entry.fields, options), view };
}

function parseGiven(field: CatalogField, text: string | undefined): FieldValue | undefined {
  return text === undefined ? undefined : parseValue(field, text);
}

/** The values of settings that the family describes. */
export function readView(settings: readonly CatalogField[], view: PageState['view']): Values {
  const values: Record<string, FieldValue> = {};
  for (const setting of settings) {
    const value = parseGiven(setting, view[setting.name]);
    if (value !== undefined) values[setting.name] = value;
  }
  return values;
}

/** The state as the address has it. */
export function printState({ entry, options, view }: PageState): [string, string][] {
  return [
    ['id', entry.id],
    ...Object.entries(options).map(([name, value]): [string, string] => [name, printValue(value)]),
    ...Object.entries(view).map(([name, text]): [string, string] => [viewPrefix + name, text]),
  ];
}
