// What the gallery can be narrowed by, and how the address says it: "#family=bias&beyond=yes&model=bloom".
import { catalog, type CatalogEncoding } from 'posenc/catalog';
import { familyOf } from '../families/index.js';
import { make } from '../lib/dom.js';
import { t } from '../lib/language.js';

type Choice = readonly [value: string, text: string];

interface Filter {
  name: string;
  legend: string;
  choices: readonly Choice[];
  valueOf: (entry: CatalogEncoding) => string;
}

export const families = [...new Set(catalog.encodings.map(({ family }) => family))];

/** The first words of the catalogue's text about longer inputs say which of three it is. */
function beyondOf({ extrapolates }: CatalogEncoding): string {
  if (/^(yes|to any|runs at any|made for each)/.test(extrapolates)) return 'yes';
  return /^(no|not)\b/.test(extrapolates) ? 'no' : 'limits';
}

const all: Choice = ['all', t('All')];

const filters: readonly Filter[] = [
  {
    name: 'family', legend: t('Family'), valueOf: ({ family }) => family,
    choices: [all, ...families.map((name): Choice => [name, familyOf(name).title])],
  },
  {
    name: 'trained', legend: t('Parameters'), valueOf: ({ tensors }) => (tensors.length > 0 ? 'yes' : 'no'),
    choices: [all, ['no', t('None')], ['yes', t('Trainable')]],
  },
  {
    name: 'beyond', legend: t('Beyond the trained length'), valueOf: beyondOf,
    choices: [all, ['yes', t('Yes')], ['limits', t('With limits')], ['no', t('No')]],
  },
  {
    name: 'axes', legend: t('Axes'), valueOf: ({ domain: { axes } }) => (axes > 2 ? 'more' : String(axes)),
    choices: [all, ['1', '1'], ['2', '2'], ['more', t('3 and more')]],
  },
];

export type Chosen = Readonly<Record<string, string>>;

/** What the address asks for; unknown values are left out. */
export function readFilters(hash: ReadonlyMap<string, string>): Chosen {
  const known = filters.flatMap(({ name, choices }): [string, string][] => {
    const value = hash.get(name);
    return value !== undefined && value !== 'all' && choices.some(([choice]) => choice === value) ? [[name, value]] : [];
  });
  const model = hash.get('model')?.trim();
  return Object.fromEntries(model ? [...known, ['model', model]] : known);
}

/** Whether an encoding is among what was chosen; models and titles are searched for the words. */
export function matches(entry: CatalogEncoding, chosen: Chosen): boolean {
  const words = (chosen['model'] ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  const text = [entry.id, entry.title, t(entry.title), ...entry.models].join('\n').toLowerCase();
  return words.every((word) => text.includes(word)) && filters.every(({ name, valueOf }) => (chosen[name] ?? valueOf(entry)) === valueOf(entry));
}

function radios({ name, legend, choices }: Filter, value: string, report: (value: string) => void): HTMLElement {
  const buttons = choices.map(([choice, text]) => {
    const input = make('input', { type: 'radio', name, value: choice, checked: choice === value });
    input.addEventListener('change', () => report(choice));
    return make('label', {}, input, make('span', { textContent: text }));
  });
  return make('fieldset', { className: 'choice' }, make('legend', { textContent: legend }), ...buttons);
}

function select({ name, legend, choices }: Filter, value: string, report: (value: string) => void): HTMLElement {
  const box = make('select', { name }, ...choices.map(([choice, textContent]) => make('option', { value: choice, textContent, selected: choice === value })));
  box.addEventListener('change', () => report(box.value));
  return make('label', { className: 'filter' }, make('span', { className: 'soft', textContent: legend }), box);
}

function search(value: string, report: (value: string) => void): HTMLElement {
  const names = [...new Set(catalog.encodings.flatMap(({ models }) => models))].sort();
  const list = make('datalist', { id: 'models' }, ...names.map((name) => make('option', { value: name })));
  const box = make('input', { type: 'search', name: 'model', value, placeholder: t('any'), attributes: { list: 'models' } });
  box.addEventListener('input', () => report(box.value));
  return make('label', { className: 'filter' }, make('span', { className: 'soft', textContent: t('Model or name') }), box, list);
}

/** The controls; `report` gets a filter's name and its new value, 'all' or '' for none. */
export function makeFilters(chosen: Chosen, report: (name: string, value: string) => void): HTMLElement[] {
  const [family, ...others] = filters as readonly [Filter, ...Filter[]];
  return [
    radios(family, chosen[family.name] ?? 'all', (value) => report(family.name, value)),
    make(
      'div',
      { className: 'filter-row' },
      ...others.map((filter) => select(filter, chosen[filter.name] ?? 'all', (value) => report(filter.name, value))),
      search(chosen['model'] ?? '', (value) => report('model', value)),
    ),
  ];
}
