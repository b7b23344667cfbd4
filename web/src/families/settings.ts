// Settings of pictures that several families share, described as the catalogue describes options.
import type { CatalogField } from 'posenc/catalog';
import { wholeSetting } from './family.js';
import type { Values } from '../model/fields.js';

/** The nearest whole number in [low, high]: settings come from the address, where anything may stand. */
function within(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, Math.round(value)));
}

/** One of `count`: a head, a position. */
export function indexSetting(name: string, doc: string, count: number, byDefault: number): CatalogField {
  return {
    name,
    type: 'integer',
    required: false,
    default: Math.min(byDefault, count - 1),
    minimum: 0,
    maximum: count - 1,
    doc,
    shown: { low: 0, high: Math.max(1, count - 1), log: false },
  };
}

export function indexOf(view: Values, name: string, count: number, byDefault: number): number {
  return within(wholeSetting(view, name, byDefault), 0, count - 1);
}

export function causalSetting(byDefault: boolean): CatalogField {
  return { name: 'causal', type: 'boolean', required: false, default: byDefault, doc: 'hide keys that come after the query' };
}

export function tokensSetting(byDefault: TokenKind): CatalogField {
  return {
    name: 'tokens',
    type: 'choice',
    required: false,
    default: byDefault,
    choices: ['alike', 'random'],
    doc: 'equal tokens, so that position alone makes the pattern, or random ones',
  };
}

export type TokenKind = 'alike' | 'random';
