// The gallery: a card for every encoding of the catalogue, in the order of the families.
import type { Posenc } from 'posenc';
import { catalog, type CatalogEncoding } from 'posenc/catalog';
import { PictureList, makeThumbnail } from '../figures/picture-list.js';
import type { Scene } from '../families/family.js';
import { familyOf } from '../families/index.js';
import { find, make } from '../lib/dom.js';
import { formatHash, onHashChange, readHash, writeHash } from '../lib/hash.js';
import { startPage } from '../lib/page.js';
import { createEncoding } from '../model/create.js';
import { complete, toOptions } from '../model/fields.js';
import { explain, library } from '../model/library.js';
import { fillZeros } from '../model/stand-ins.js';

const linkTo = ({ id }: CatalogEncoding): string => `encoding.html${formatHash([['id', id]])}`;
const families = [...new Set(catalog.encodings.map(({ family }) => family))];
const filters = { family: 'all', trained: 'all' };
const cards = new Map<CatalogEncoding, HTMLElement>();
const allFamilies = 'The families differ in where position enters attention.';

function makeCard(entry: CatalogEncoding): HTMLElement {
  const card = make(
    'li',
    { className: 'card' },
    make('div', { className: 'card-picture' }),
    make('h3', {}, make('a', { href: linkTo(entry), textContent: entry.title })),
    make('p', { textContent: firstSentence(entry.summary) }),
    make('p', { className: 'small soft', textContent: traits(entry) }),
  );
  card.dataset['id'] = entry.id;
  card.dataset['family'] = entry.family;
  return card;
}

const firstSentence = (text: string): string => /^.*?\.(?=\s|$)/s.exec(text)?.[0] ?? text;

/** "Bias, relative, trainable" */
function traits({ family, kind, tensors }: CatalogEncoding): string {
  const parts = [familyOf(family).title, ...(kind === family ? [] : [kind]), tensors.length > 0 ? 'trainable' : 'no parameters'];
  return parts.join(', ');
}

function makeGallery(): void {
  const ordered = families.flatMap((name) => catalog.encodings.filter(({ family }) => family === name));
  for (const entry of ordered) cards.set(entry, makeCard(entry));
  find('gallery', HTMLElement).replaceChildren(...cards.values());
}

function makeChoice(name: keyof typeof filters, legend: string, choices: readonly (readonly [value: string, text: string])[]): HTMLElement {
  const buttons = choices.map(([value, text]) => {
    const input = make('input', { type: 'radio', name, value, checked: value === filters[name] });
    input.addEventListener('change', () => {
      filters[name] = value;
      writeHash(Object.entries(filters).filter(([, chosen]) => chosen !== 'all'));
      applyFilters();
    });
    return make('label', {}, input, make('span', { textContent: text }));
  });
  return make('fieldset', { className: 'choice' }, make('legend', { textContent: legend }), ...buttons);
}

function applyFilters(): void {
  let count = 0;
  for (const [{ family, tensors }, card] of cards) {
    const trained = tensors.length > 0 ? 'yes' : 'no';
    card.hidden = (filters.family !== 'all' && filters.family !== family) || (filters.trained !== 'all' && filters.trained !== trained);
    if (!card.hidden) count++;
  }
  const chosen = families.find((name) => name === filters.family);
  find('about', HTMLElement).textContent = chosen ? familyOf(chosen).text : allFamilies;
  find('status', HTMLElement).textContent = `${count} of ${cards.size}`;
}

function readFilters(): void {
  const hash = readHash();
  filters.family = hash.get('family') ?? 'all';
  filters.trained = hash.get('trained') ?? 'all';
  find('choices', HTMLElement).replaceChildren(
    makeChoice('family', 'Family', [['all', 'All'], ...families.map((name) => [name, familyOf(name).title] as const)]),
    makeChoice('trained', 'Parameters', [['all', 'All'], ['no', 'None'], ['yes', 'Trainable']]),
  );
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
    const link = make('a', { href: linkTo(first), textContent: 'Options, formula, code' });
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
readFilters();
onHashChange(readFilters);
const posenc = await library();
drawHero(posenc);
// A few at a time, so that the page stays free for the visitor in between.
const atOnce = 4;
let drawn = 0;
for (const [entry, card] of cards) {
  drawCard(posenc, entry, card);
  if (++drawn % atOnce === 0) await new Promise((done) => setTimeout(done));
}
