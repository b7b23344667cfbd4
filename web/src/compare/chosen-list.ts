// The encodings that are compared: which one, its options, and a button to take it out.
import type { CatalogEncoding } from 'posenc/catalog';
import { makeControlPanel, type ControlPanel } from '../controls/control-panel.js';
import { familyOf } from '../families/index.js';
import { make } from '../lib/dom.js';
import { t } from '../lib/language.js';
import type { FieldValue } from '../model/fields.js';
import { comparable, freeFields, most, optionsOf, type Chosen } from './state.js';

interface Row {
  element: HTMLElement;
  panel: ControlPanel;
  entry: CatalogEncoding;
  say(message: string): void;
}

export interface ChosenList {
  update(chosen: readonly Chosen[]): void;
  /** Says at an encoding what is wrong with its options, or nothing. */
  tell(index: number, message: string, parameter?: string): void;
}

function makeSelect(entry: CatalogEncoding, index: number, change: (id: string) => void): HTMLSelectElement {
  const groups = [...new Set(comparable.map(({ family }) => family))].map((family) => {
    const options = comparable
      .filter((candidate) => candidate.family === family)
      .map(({ id, title }) => make('option', { value: id, textContent: t(title), selected: id === entry.id }));
    return make('optgroup', { label: familyOf(family).title }, ...options);
  });
  const select = make('select', { attributes: { 'aria-label': t('Encoding {0}', index + 1) } }, ...groups);
  select.addEventListener('change', () => change(select.value));
  return select;
}

/** `report` gets what the list shall be after a change. */
export function makeChosenList(host: HTMLElement, add: HTMLButtonElement, report: (chosen: readonly Chosen[]) => void): ChosenList {
  let rows: Row[] = [];
  let shown: readonly Chosen[] = [];
  const replace = (index: number, next: Chosen): void => report(shown.map((old, i) => (i === index ? next : old)));

  const makeRow = ({ entry }: Chosen, index: number): Row => {
    const change = (name: string, value: FieldValue | undefined): void => {
      const { [name]: _, ...others } = shown[index]!.options;
      replace(index, { entry, options: value === undefined ? others : { ...others, [name]: value } });
    };
    const panel = makeControlPanel(`option-${index}`, change);
    const select = makeSelect(entry, index, (id) => {
      const next = comparable.find((candidate) => candidate.id === id);
      if (next) replace(index, { entry: next, options: {} });
    });
    const remove = make('button', { type: 'button', textContent: t('Remove'), attributes: { 'aria-label': t('Remove {0}', t(entry.title)) } });
    remove.addEventListener('click', () => report(shown.filter((_, i) => i !== index)));
    const message = make('p', { className: 'small status-line' });
    const hasOptions = freeFields(entry).length > 0;
    const details = make('details', { hidden: !hasOptions }, make('summary', { className: 'small soft', textContent: t('Options') }), panel.element);
    const element = make('div', { className: 'chosen-row' }, make('div', { className: 'row' }, select, remove), message, details);
    return { element, panel, entry, say: (text) => void (message.textContent = text) };
  };

  add.addEventListener('click', () => {
    const next = comparable.find((entry) => !shown.some((chosen) => chosen.entry === entry));
    if (next) report([...shown, { entry: next, options: {} }]);
  });

  return {
    update(chosen) {
      shown = chosen;
      if (chosen.length !== rows.length || chosen.some(({ entry }, i) => rows[i]?.entry !== entry)) {
        rows = chosen.map(makeRow);
        host.replaceChildren(...rows.map(({ element }) => element));
      }
      for (const [i, one] of chosen.entries()) rows[i]!.panel.update(freeFields(one.entry), optionsOf(one));
      for (const button of host.querySelectorAll('button')) button.disabled = chosen.length <= 2;
      add.disabled = chosen.length >= Math.min(most, comparable.length);
    },
    tell(index, message, parameter) {
      const row = rows[index];
      row?.say(message);
      row?.panel.mark(parameter, message);
    },
  };
}
