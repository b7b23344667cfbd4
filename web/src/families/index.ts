// The families, by the catalogue's names.
import type { CatalogEncoding } from 'posenc/catalog';
import { bias } from './bias.js';
import { none, relative } from './content.js';
import type { Family } from './family.js';
import { input } from './input.js';
import { rotary } from './rotary.js';

const families: Readonly<Record<CatalogEncoding['family'], Family>> = { input, rotary, bias, relative, none };

export function familyOf(name: CatalogEncoding['family']): Family {
  return families[name];
}
