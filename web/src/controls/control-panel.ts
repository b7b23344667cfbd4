// Controls for a list of fields: those that apply are shown, and an error stands at the field that it names.
import type { CatalogField } from 'posenc/catalog';
import { make, setAttribute, setText } from '../lib/dom.js';
import { say, t } from '../lib/language.js';
import { applies, type FieldValue, type Values } from '../model/fields.js';
import { longDefault, makeControl, type Control } from './control.js';

interface Row {
  control: Control;
  element: HTMLElement;
  /** Says what the field means, or what is wrong with its value. */
  doc: HTMLElement;
  /** The field as it was when the row was made: another description means another row. */
  made: string;
}

export interface ControlPanel {
  element: HTMLElement;
  /** Shows fields and values; rows are kept where the field is the same. */
  update(fields: readonly CatalogField[], values: Values): void;
  /** Says at the field of that name what is wrong, and clears all others; false where it shows no such field. */
  mark(name?: string, message?: string): boolean;
  /** Calls back with a field's name while it is pointed at or focused, and with undefined after. */
  onPoint(listener: (name: string | undefined) => void): void;
  /** Lights up the row of a field. */
  light(name: string | undefined): void;
}

/** What a field means and, where its box has no room for that, what it is when it is not given. */
function meaningOf(field: CatalogField): string {
  const byDefault = longDefault(field);
  return byDefault ? t('{0}; by default {1}', t(field.doc), byDefault) : t(field.doc);
}

/** `prefix` keeps the ids of two panels apart; `report` gets the name of a field and its new value. */
export function makeControlPanel(
  prefix: string,
  report: (name: string, value: FieldValue | undefined) => void,
): ControlPanel {
  const element = make('div', { className: 'controls' });
  let rows: Row[] = [];
  let listener: (name: string | undefined) => void = () => {};

  const makeRow = (field: CatalogField, made: string): Row => {
    const id = `${prefix}-${field.name}`;
    const control = makeControl(field, id, (changed, value) => report(changed.name, value));
    const doc = say('span', field.doc);
    doc.textContent = meaningOf(field);
    const label = make('label', { htmlFor: id }, make('code', { textContent: field.name }), ' ', doc);
    const row = make('div', { className: `field field-${field.type}` }, label, ...control.inputs);
    row.dataset['field'] = field.name;
    for (const type of ['pointerenter', 'focusin'] as const) row.addEventListener(type, () => listener(field.name));
    for (const type of ['pointerleave', 'focusout'] as const) row.addEventListener(type, () => listener(undefined));
    return { control, element: row, doc, made };
  };

  return {
    element,
    update(fields, values) {
      const old = new Map(rows.map((row) => [row.control.field.name, row]));
      const next = fields.map((field) => {
        const kept = old.get(field.name);
        if (kept?.control.field === field) return kept;
        const made = JSON.stringify(field);
        return kept?.made === made ? kept : makeRow(field, made);
      });
      if (next.length !== rows.length || next.some((row, i) => row !== rows[i])) {
        element.replaceChildren(...next.map((row) => row.element));
        element.closest('.panel')?.classList.add('is-filled');
      }
      rows = next;
      for (const row of rows) {
        row.element.hidden = !applies(row.control.field, fields, values);
        row.control.show(values);
      }
    },
    mark(name, message) {
      for (const { control, element: row, doc } of rows) {
        const wrong = control.field.name === name && !row.hidden;
        row.classList.toggle('is-wrong', wrong);
        for (const input of control.inputs) setAttribute(input, 'aria-invalid', String(wrong));
        setText(doc, (wrong && message) || meaningOf(control.field));
      }
      return rows.some(({ element: row }) => row.classList.contains('is-wrong'));
    },
    onPoint(next) {
      listener = next;
    },
    light(name) {
      for (const { control, element: row } of rows) row.classList.toggle('is-lit', control.field.name === name);
    },
  };
}
