// The words on the encoding page: the chooser, the facts of the catalogue, and the page from docs/encodings.
import type { Encoding } from 'posenc';
import { catalog, type CatalogEncoding } from 'posenc/catalog';
import { familyOf } from '../families/index.js';
import { find, make, type Child } from '../lib/dom.js';
import { formatCount } from '../lib/format.js';
import { formatHash } from '../lib/hash.js';
import { setMarkup } from '../lib/markup.js';
import { countParameters } from '../model/create.js';

/** Every encoding, grouped by family; a choice is a step that the back button undoes. */
export function fillChooser(select: HTMLSelectElement): void {
  const families = [...new Set(catalog.encodings.map(({ family }) => family))];
  for (const name of families) {
    const entries = catalog.encodings.filter(({ family }) => family === name);
    const options = entries.map(({ id, title }) => make('option', { value: id, textContent: title }));
    select.append(make('optgroup', { label: familyOf(name).title }, ...options));
  }
  select.addEventListener('change', () => {
    location.hash = formatHash([['id', select.value]]);
  });
}

function describeParameters(entry: CatalogEncoding, encoding: Encoding): string {
  const parts = Object.entries(encoding.parameters).map(([name, { shape }]) => `${name} [${shape.join(', ')}]`);
  if (parts.length === 0) return entry.tensors.length > 0 ? 'none with these options' : 'none';
  const trained = encoding.trainable.length > 0 ? 'trained' : 'fixed unless made trainable';
  return `${formatCount(countParameters(encoding), 'number')}: ${parts.join(', ')}; ${trained}`;
}

const domainTexts: Record<CatalogEncoding['domain']['kind'], string> = {
  naturals: 'whole numbers from 0',
  integers: 'whole numbers',
  reals: 'any real number',
};

export function showFacts(entry: CatalogEncoding, encoding: Encoding): void {
  const facts: [string, Child][] = [
    ['Kind', entry.kind],
    ['Parameters', describeParameters(entry, encoding)],
    ['Positions', `${domainTexts[entry.domain.kind]}${entry.domain.axes > 1 ? `, ${entry.domain.axes} axes` : ''}`],
    ['Beyond the trained length', entry.extrapolates],
    ['Good at', entry.good],
    ['Bad at', entry.bad],
    ['Usual for', entry.tasks.join(', ')],
    ['Used by', entry.models.join(', ')],
    ['Paper', make('a', { href: entry.url, textContent: entry.paper })],
  ];
  const shown = facts.filter(([, value]) => value !== '');
  find('facts', HTMLElement).replaceChildren(
    ...shown.map(([name, value]) => make('div', {}, make('dt', { textContent: name }), make('dd', {}, value))),
  );
}

const pages = import.meta.glob<{ html: string }>('../../../docs/encodings/*.md');

/** Loads and shows the encoding's page of the docs. */
export async function showNotes(id: string): Promise<void> {
  const article = find('notes', HTMLElement);
  article.dataset['id'] = id;
  const page = await pages[`../../../docs/encodings/${id}.md`]?.();
  if (article.dataset['id'] === id) setMarkup(article, page?.html ?? '');
}
