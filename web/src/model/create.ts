// Encodings by id, as the catalogue lists them.
import type { Encoding, Posenc } from 'posenc';
import { catalog, type CatalogEncoding } from 'posenc/catalog';
import type { Options } from './fields.js';

/** The catalogue's entry of that id. */
export function entryOf(id: string | undefined): CatalogEncoding | undefined {
  return catalog.encodings.find((entry) => entry.id === id);
}

/** Calls the factory of that id; the caller disposes. */
export function createEncoding(posenc: Posenc, id: string, options: Options): Encoding {
  const factories = posenc as unknown as Readonly<Record<string, (options: Options) => Encoding>>;
  const factory = factories[id];
  if (!factory) throw new Error(`no encoding ${id}`);
  return factory(options);
}

/** How many numbers its tensors hold. */
export function countParameters(encoding: Encoding): number {
  return Object.values(encoding.parameters).reduce((sum, tensor) => sum + tensor.size, 0);
}
