// One native control for one field of the catalogue.
import type { CatalogField } from 'posenc/catalog';
import { make, setAttribute } from '../lib/dom.js';
import { t } from '../lib/language.js';
import { parseValue, printValue, valueOf, type FieldValue, type Values } from '../model/fields.js';

export interface Control {
  field: CatalogField;
  /** Inputs to be placed under the label; the first has the field's id. */
  inputs: HTMLElement[];
  /** Shows the values without reporting a change. */
  show(values: Values): void;
}

/** Reports a new value, or undefined for "not given". */
export type Report = (field: CatalogField, value: FieldValue | undefined) => void;

const sliderSteps = 1000;

/** Letters that a box for a number, and one for a list, has room for. */
const room = { number: 11, list: 30 } as const;
const roomFor = ({ type }: CatalogField): number => (type === 'list' ? room.list : room.number);

/** What a field is when it is not given, in words that are too long for its box. */
export function longDefault(field: CatalogField): string | undefined {
  const text = field.defaultDoc ? t(field.defaultDoc) : '';
  // Chinese characters are twice as wide as letters.
  const width = text.length + (text.match(/[\u2e80-\uffef]/g)?.length ?? 0);
  return width > roomFor(field) ? text : undefined;
}

/** What stands in an empty box. */
function placeholderOf(field: CatalogField, other: string): string {
  if (longDefault(field)) return t('default');
  return field.defaultDoc ? t(field.defaultDoc) : other;
}

/** Where a value stands on its slider, and back. */
function makeScale({ shown, type, multipleOf }: CatalogField) {
  const { low, high, log } = shown ?? { low: 0, high: 1, log: false };
  const whole = type === 'integer';
  const unit = multipleOf ?? 1;
  if (!log) {
    return { low, high, step: whole ? unit : (high - low) / sliderSteps, toSlider: (v: number) => v, fromSlider: (v: number) => v };
  }
  const ratio = Math.log(high / low);
  return {
    low: 0,
    high: sliderSteps,
    step: 1,
    toSlider: (value: number) => (sliderSteps * Math.log(Math.max(value, low) / low)) / ratio,
    fromSlider: (place: number) => {
      const value = low * Math.exp((ratio * place) / sliderSteps);
      return whole ? Math.max(low, Math.round(value / unit) * unit) : Number(value.toPrecision(3));
    },
  };
}

function makeNumber(field: CatalogField, id: string, report: Report): Control {
  const whole = field.type === 'integer';
  const box = make('input', {
    type: 'number',
    id,
    className: 'number',
    step: whole ? String(field.multipleOf ?? 1) : 'any',
    placeholder: placeholderOf(field, field.default === null ? t('not set') : ''),
    attributes: { inputmode: whole ? 'numeric' : 'decimal' },
  });
  if (whole && field.minimum !== undefined) box.min = String(field.minimum);
  if (whole && field.maximum !== undefined) box.max = String(field.maximum);
  box.addEventListener('input', () => {
    if (box.value !== '' || !field.required) report(field, parseValue(field, box.value));
  });
  if (!field.shown) return { field, inputs: [box], show: (values) => void setUnlessFocused(box, printValue(valueOf(field, values))) };
  const scale = makeScale(field);
  const slider = make('input', {
    type: 'range',
    min: String(scale.low),
    max: String(scale.high),
    step: String(scale.step),
    attributes: { 'aria-label': t('{0}, slider', field.name) },
  });
  slider.addEventListener('input', () => {
    const value = scale.fromSlider(slider.valueAsNumber);
    box.value = String(value);
    slider.setAttribute('aria-valuetext', String(value));
    report(field, value);
  });
  return {
    field,
    inputs: [box, slider],
    show(values) {
      const value = valueOf(field, values);
      setUnlessFocused(box, printValue(value));
      if (document.activeElement !== slider && typeof value === 'number') slider.value = String(scale.toSlider(value));
      setAttribute(slider, 'aria-valuetext', value === undefined ? t('not set') : String(value));
    },
  };
}

/** What is being typed is left alone. */
function setUnlessFocused(box: HTMLInputElement, text: string): void {
  if (document.activeElement !== box && box.value !== text) box.value = text;
}

function makeBoolean(field: CatalogField, id: string, report: Report): Control {
  const box = make('input', { type: 'checkbox', id });
  box.addEventListener('change', () => report(field, box.checked));
  return { field, inputs: [box], show: (values) => void (box.checked = valueOf(field, values) === true) };
}

function makeChoice(field: CatalogField, id: string, report: Report): Control {
  const options = (field.choices ?? []).map((value) => make('option', { value, textContent: t(value) }));
  const select = make('select', { id }, ...options);
  select.addEventListener('change', () => report(field, select.value));
  return { field, inputs: [select], show: (values) => void (select.value = printValue(valueOf(field, values))) };
}

function makeList(field: CatalogField, id: string, report: Report): Control {
  const box = make('input', { type: 'text', id, placeholder: placeholderOf(field, t('numbers, separated by commas')), spellcheck: false });
  box.addEventListener('change', () => report(field, parseValue(field, box.value)));
  return { field, inputs: [box], show: (values) => void setUnlessFocused(box, printValue(valueOf(field, values))) };
}

/** The control that the field's type asks for. */
export function makeControl(field: CatalogField, id: string, report: Report): Control {
  switch (field.type) {
    case 'boolean':
      return makeBoolean(field, id, report);
    case 'choice':
      return makeChoice(field, id, report);
    case 'list':
      return makeList(field, id, report);
    default:
      return makeNumber(field, id, report);
  }
}
