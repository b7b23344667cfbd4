// The gallery: a card for every encoding of the catalogue, in the order of the families.
import type { Posenc } from 'posenc';
import { catalog, type CatalogEncoding } from 'posenc/catalog';
import { PictureList, makeThumbnail } from '../figures/picture-list.js';
import type { Scene } from '../families/family.js';
import { familyOf } from '../families/index.js';
import { families, makeFilters, matches, readFilters, type Chosen } from '../gallery/filters.js';
import { find, make } from '../lib/dom.js';
import { formatHash, onHashChange, readHash, writeHash } from '../lib/hash.js';
import { say, t } from '../lib/language.js';
import { startPage } from '../lib/page.js';
import { createEncoding } from '../model/create.js';
import { complete, toOptions } from '../model/fields.js';
import { explain, library } from '../model/library.js';
import { fillZeros } from '../model/stand-ins.js';

const linkTo = ({ id }: CatalogEncoding): string => `encoding.html${formatHash([['id', id]])}`;
const cards = new Map<CatalogEncoding, HTMLElement>();
let chosen: Chosen = {};

function makeCard(entry: CatalogEncoding): HTMLElement {
  const card = make(
    'li',
    { className: 'card' },
    make('div', { className: 'card-picture' }),
    make('h3', {}, make('a', { href: linkTo(entry), textContent: entry.title })),
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

/** Makes an encoding with example values, and hands it to `use`. */
function withExample(posenc: Posenc, entry: CatalogEncoding, use: (scene: Scene) => void): void {
  const encoding = createEncoding(posenc, entry.id, toOptions(entry.fields, complete(entry.fields, {})));
  try {
    fillZeros(encoding);
    use({ posenc, encoding, view: {}, keep: (_name, _dependsOn, compute) => compute() });
  } finally {
    encoding.dispose();
  }
}

function drawHero(posenc: Posenc): void {
  const first = catalog.encodings[0];
  if (!first) return;
  withExample(posenc, first, (scene) => {
    const [picture] = familyOf(first.family).pictures(scene);
    const link = make('a', { href: linkTo(first), textContent: t('Options, formula, code') });
    if (picture) new PictureList(find('hero', HTMLElement), () => link).show([{ ...picture, title: first.title }]);
  });
}

function drawCard(posenc: Posenc, entry: CatalogEncoding, card: HTMLElement): void {
  const place = card.querySelector('.card-picture');
  try {
    withExample(posenc, entry, (scene) => place?.replaceChildren(makeThumbnail(familyOf(entry.family).thumbnail(scene))));
  } catch (error) {
    place?.replaceChildren(make('p', { className: 'small soft', textContent: explain(error) }));
  }
}

startPage();
makeGallery();
showFilters();
onHashChange(showFilters);
const posenc = await library();
drawHero(posenc);
// A few at a time, so that the page stays free for the visitor in between.
const atOnce = 4;
let drawn = 0;
for (const [entry, card] of cards) {
  drawCard(posenc, entry, card);
  if (++drawn % atOnce === 0) await new Promise((done) => setTimeout(done));
}
