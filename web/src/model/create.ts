// Encodings by id, as the catalogue lists them.
import type { Encoding, Posenc } from 'posenc';
import { catalog, type CatalogEncoding } from 'posenc/catalog';
import type { Options } from './options.js';

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

/** A tensor of an encoding, without its numbers. */
export interface Held {
  name: string;
  shape: readonly number[];
  size: number;
}

const held = new WeakMap<Encoding, readonly Held[]>();

/** The encoding's tensors, read once: copying large tables takes longer than drawing a picture. */
export function tensorsOf(encoding: Encoding): readonly Held[] {
  const found = held.get(encoding) ?? Object.entries(encoding.parameters).map(([name, { shape, size }]) => ({ name, shape, size }));
  held.set(encoding, found);
  return found;
}

/** How many numbers its tensors hold. */
export function countParameters(encoding: Encoding): number {
  return tensorsOf(encoding).reduce((sum, { size }) => sum + size, 0);
}
