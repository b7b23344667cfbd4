// The gallery: a card for every encoding of the catalogue, in the order of the families.
import type { Posenc } from 'posenc';
import { catalog, type CatalogEncoding } from 'posenc/catalog';
import { PictureList } from '../figures/picture-list.js';
import { drawExamples, withExample } from '../families/example.js';
import { familyOf } from '../families/index.js';
import { families, makeFilters, matches, readFilters, type Chosen } from '../gallery/filters.js';
import { find, make } from '../lib/dom.js';
import { formatHash, onHashChange, readHash, writeHash } from '../lib/hash.js';
import { say, t } from '../lib/language.js';
import { startPage } from '../lib/page.js';
import { library } from '../model/library.js';

const linkTo = ({ id }: CatalogEncoding): string => `encoding.html${formatHash([['id', id]])}`;
const cards = new Map<CatalogEncoding, HTMLElement>();
const places = new Map<CatalogEncoding, HTMLElement>();
let chosen: Chosen = {};

function makeCard(entry: CatalogEncoding): HTMLElement {
  const place = make('div', { className: 'card-picture' });
  places.set(entry, place);
  const card = make(
    'li',
    { className: 'card' },
    place,
    make('h3', {}, make('a', { href: linkTo(entry), textContent: t(entry.title) })),
    firstSentence(entry.summary),
    make('p', { className: 'small soft', textContent: traits(entry) }),
  );
  card.dataset['id'] = entry.id;
  card.dataset['family'] = entry.family;
  return card;
}

function firstSentence(text: string): HTMLElement {
  const element = say('p', text);
  element.textContent = /^.*?(\.(?=\s|$)|\u3002)/s.exec(element.textContent)?.[0] ?? element.textContent;
  return element;
}

/** "Bias, relative, trainable" */
function traits({ family, kind, tensors }: CatalogEncoding): string {
  const parts = [familyOf(family).title, ...(kind === family ? [] : [t(kind)]), tensors.length > 0 ? t('trainable') : t('no parameters')];
  return parts.join(', ');
}

function makeGallery(): void {
  const ordered = families.flatMap((name) => catalog.encodings.filter(({ family }) => family === name));
  for (const entry of ordered) cards.set(entry, makeCard(entry));
  find('gallery', HTMLElement).replaceChildren(...cards.values());
}

function applyFilters(): void {
  let count = 0;
  for (const [entry, card] of cards) {
    card.hidden = !matches(entry, chosen);
    if (!card.hidden) count++;
  }
  const family = families.find((name) => name === chosen['family']);
  find('about', HTMLElement).textContent = family ? familyOf(family).text : t('The families differ in where position enters attention.');
  find('status', HTMLElement).textContent = t('{0} of {1}', count, cards.size);
}

function change(name: string, value: string): void {
  const { [name]: _, ...others } = chosen;
  chosen = value === 'all' || value.trim() === '' ? others : { ...others, [name]: value };
  writeHash(Object.entries(chosen));
  applyFilters();
}

function showFilters(): void {
  chosen = readFilters(readHash());
  find('choices', HTMLElement).replaceChildren(...makeFilters(chosen, change));
  applyFilters();
}

function drawHero(posenc: Posenc): void {
  const first = catalog.encodings[0];
  if (!first) return;
  withExample(posenc, first, (scene) => {
    const [picture] = familyOf(first.family).pictures(scene);
    const link = make('a', { href: linkTo(first), textContent: t('Options, formula, code') });
    if (picture) new PictureList(find('hero', HTMLElement), () => link).show([{ ...picture, title: t(first.title) }]);
  });
}

startPage();
makeGallery();
showFilters();
onHashChange(showFilters);
const posenc = await library();
drawHero(posenc);
await drawExamples(posenc, places);
