// The words on the encoding page: the chooser, the facts of the catalogue, and the page from docs/encodings.
import type { Encoding } from 'posenc';
import { catalog, type CatalogEncoding } from 'posenc/catalog';
import { familyOf } from '../families/index.js';
import { find, make, setText, type Child } from '../lib/dom.js';
import { formatHash } from '../lib/hash.js';
import { language, say, t } from '../lib/language.js';
import { setMarkup } from '../lib/markup.js';
import { countParameters, tensorsOf } from '../model/create.js';

/** Every encoding, grouped by family; a choice is a step that the back button undoes. */
export function fillChooser(select: HTMLSelectElement): void {
  const families = [...new Set(catalog.encodings.map(({ family }) => family))];
  for (const name of families) {
    const entries = catalog.encodings.filter(({ family }) => family === name);
    const options = entries.map(({ id, title }) => make('option', { value: id, textContent: t(title) }));
    select.append(make('optgroup', { label: familyOf(name).title }, ...options));
  }
  select.addEventListener('change', () => {
    location.hash = formatHash([['id', select.value]]);
  });
}

function describeParameters(entry: CatalogEncoding, encoding: Encoding): string {
  const parts = tensorsOf(encoding).map(({ name, shape }) => `${name} [${shape.join(', ')}]`);
  if (parts.length === 0) return entry.tensors.length > 0 ? t('none with these options') : t('none');
  const trained = encoding.trainable.length > 0 ? t('trained') : t('fixed unless made trainable');
  return t('{0} numbers: {1}; {2}', countParameters(encoding).toLocaleString('en'), parts.join(', '), trained);
}

const domainTexts: Record<CatalogEncoding['domain']['kind'], string> = {
  naturals: t('whole numbers from 0'),
  integers: t('whole numbers'),
  reals: t('any real number'),
};

const parametersPlace = (): Element | null => find('facts', HTMLElement).querySelector('[data-fact="parameters"]');

export const hasParameters = (): boolean => (parametersPlace()?.textContent ?? '') !== '';

/** What the options change of the facts. */
export function updateFacts(entry: CatalogEncoding, encoding: Encoding): void {
  const place = parametersPlace();
  if (place) setText(place, describeParameters(entry, encoding));
}

/** A word that the glossary explains. */
const term = (id: string, textContent: string): HTMLElement => make('a', { className: 'term', href: `glossary.html#${id}`, textContent });

/** Kinds of position that the glossary explains, by their names in the catalogue. */
const explained: ReadonlySet<string> = new Set(['absolute', 'relative']);

export function showFacts(entry: CatalogEncoding): void {
  const parameters = make('span');
  parameters.dataset['fact'] = 'parameters';
  const facts: [Child, Child][] = [
    [t('Kind'), explained.has(entry.kind) ? term(entry.kind, t(entry.kind)) : t(entry.kind)],
    [term('trainable', t('Parameters')), parameters],
    [t('Positions'), `${domainTexts[entry.domain.kind]}${entry.domain.axes > 1 ? t(', {0} axes', entry.domain.axes) : ''}`],
    [term('extrapolation', t('Beyond the trained length')), say('span', entry.extrapolates)],
    [t('Good at'), say('span', entry.good)],
    [t('Bad at'), say('span', entry.bad)],
    [t('Usual for'), entry.tasks.map((task) => t(task)).join(', ')],
    [t('Used by'), entry.models.map((model) => t(model)).join(', ')],
    [t('Paper'), make('a', { href: entry.url, textContent: entry.paper, lang: 'en' })],
  ];
  const shown = facts.filter(([, value]) => value === parameters || (typeof value === 'string' ? value : value.textContent) !== '');
  find('facts', HTMLElement).replaceChildren(
    ...shown.map(([name, value]) => make('div', {}, make('dt', {}, name), make('dd', {}, value))),
  );
}

type Pages = Readonly<Record<string, () => Promise<{ html: string }>>>;
const englishNotes: Pages = import.meta.glob<{ html: string }>('../../../docs/encodings/*.md');
const chineseNotes: Pages = import.meta.glob<{ html: string }>('../texts/zh/notes/*.md');

/** The notes in the page's language, or in English where there are none. */
function notesOf(id: string): { isEnglish: boolean; load: Pages[string] | undefined } {
  const chinese = language === 'zh' ? chineseNotes[`../texts/zh/notes/${id}.md`] : undefined;
  return { isEnglish: !chinese, load: chinese ?? englishNotes[`../../../docs/encodings/${id}.md`] };
}

/** Loads and shows the encoding's page of the docs. */
export async function showNotes(id: string): Promise<void> {
  const article = find('notes', HTMLElement);
  article.dataset['id'] = id;
  const { isEnglish, load } = notesOf(id);
  const page = await load?.();
  if (article.dataset['id'] !== id) return;
  setMarkup(article, page?.html ?? '');
  article.lang = isEnglish ? 'en' : 'zh-Hans';
  if (isEnglish && language !== 'en') article.prepend(make('p', { className: 'soft', lang: 'zh-Hans', textContent: t('The notes that follow are in English.') }));
}
