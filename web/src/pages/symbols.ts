// Ties the letters of a formula to the options that they stand for. An option's description names its letter ("width d
// of a row"), so a letter of the formula belongs to the option whose description has it as a word.
import type { CatalogField } from 'posenc/catalog';
import type { ControlPanel } from '../controls/control-panel.js';

/** The single letters in a description, articles and the like left out. */
function lettersOf(doc: string): string[] {
  return doc.match(/(?<![\w'(=-])[b-zA-HJ-Z](?![\w'(=-])/g) ?? [];
}

/** Pointing at either lights up the other. */
export function linkSymbols(formula: HTMLElement, fields: readonly CatalogField[], panel: ControlPanel): void {
  const symbols = [...formula.querySelectorAll<HTMLElement>('mi')];
  const links = new Map<HTMLElement, string>();
  for (const { name, doc } of fields) {
    const letters = lettersOf(doc);
    for (const symbol of symbols) {
      if (letters.includes(symbol.textContent) && !links.has(symbol)) links.set(symbol, name);
    }
  }
  for (const [symbol, name] of links) {
    symbol.classList.add('symbol');
    symbol.addEventListener('pointerenter', () => panel.light(name));
    symbol.addEventListener('pointerleave', () => panel.light(undefined));
  }
  panel.onPoint((pointed) => {
    for (const [symbol, name] of links) symbol.classList.toggle('is-lit', name === pointed);
  });
}
