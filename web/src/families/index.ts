// The families, by the catalogue's names.
import type { CatalogEncoding } from 'posenc/catalog';
import { bias } from './bias.js';
import type { Family } from './family.js';
import { input } from './input.js';
import { none } from './none.js';
import { rotary } from './rotary.js';

const families: Partial<Record<CatalogEncoding['family'], Family>> = { input, rotary, bias, none };

/** The family's pictures; a family without its own has those of attention. */
export function familyOf(name: CatalogEncoding['family']): Family {
  return families[name] ?? none;
}
