// Ties the letters of a formula to the controls of what they stand for: pointing at either lights up the other.
import type { CatalogEncoding } from 'posenc/catalog';
import type { ControlPanel } from '../controls/control-panel.js';
import { symbols as known } from './symbol-table.js';

/** The single letters in a description ("width d of a row"), articles and the like left out. */
function lettersOf(doc: string): string[] {
  return doc.match(/(?<![\w'(=-])[b-zA-HJ-Z](?![\w'(=-])/g) ?? [];
}

/** By the table, or by the options' descriptions where it does not know the encoding. */
function meaningsOf({ id, fields }: CatalogEncoding): Readonly<Record<string, string>> {
  return known[id] ?? Object.fromEntries(fields.flatMap(({ name, doc }) => lettersOf(doc).map((letter) => [letter, name])));
}

/** "d_h" of a letter with an index, "d" of one alone. */
function letterOf(element: Element): string {
  return element.localName === 'msub' ? [...element.children].map(({ textContent }) => textContent).join('_') : (element.textContent ?? '');
}

const setting = 'show.';

export interface Panels {
  options: ControlPanel;
  settings: ControlPanel;
}

export function linkSymbols(formula: HTMLElement, entry: CatalogEncoding, { options, settings }: Panels): void {
  const meanings = meaningsOf(entry);
  const light = (name: string | undefined): void => {
    options.light(name);
    settings.light(name?.startsWith(setting) ? name.slice(setting.length) : undefined);
  };
  const links: (readonly [symbol: Element, name: string])[] = [];
  for (const symbol of formula.querySelectorAll('mi, msub')) {
    const name = meanings[letterOf(symbol)];
    if (name === undefined || links.some(([outer]) => outer.contains(symbol))) continue;
    links.push([symbol, name]);
    symbol.classList.add('symbol');
    symbol.addEventListener('pointerenter', () => light(name));
    symbol.addEventListener('pointerleave', () => light(undefined));
  }
  const point = (pointed: string | undefined): void => {
    for (const [symbol, name] of links) symbol.classList.toggle('is-lit', name === pointed);
  };
  options.onPoint(point);
  settings.onPoint((name) => point(name && setting + name));
}
