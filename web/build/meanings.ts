// What the options of an encoding mean in Chinese: the catalogue's words, by the table that the controls have.
import type { Catalog } from 'posenc/catalog';
import { options } from '../src/texts/zh/options/index.js';
import type { Meaning } from './notes.js';

export function meaningsFrom(catalog: Catalog, id: string): Meaning {
  const fields = catalog.encodings.find((entry) => entry.id === id)?.fields ?? [];
  const docs = new Map(fields.map(({ name, doc }) => [name, options[doc]]));
  return (option) => docs.get(option);
}
