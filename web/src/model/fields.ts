// Values of options and their descriptions, as the catalogue has them. The site's own settings (length, head, ...) are
// described in the same way, so that one control builder and one address format serve both.
import type { CatalogField } from 'posenc/catalog';
import { exampleLists, hasExampleList } from './example-lists.js';

export type FieldValue = number | boolean | string | readonly number[];
/** The values that were given, by field name; what is absent has its default. */
export type Values = Readonly<Record<string, FieldValue>>;
/** An options object as a factory takes it: groups nested. */
export type Options = { [name: string]: FieldValue | Options };

/** A field's value: given, or its default; undefined where it has neither. */
export function valueOf(field: CatalogField, values: Values): FieldValue | undefined {
  return values[field.name] ?? field.default ?? undefined;
}

/** Whether a field means anything with these values: its condition holds, and the field that decides it applies too. */
export function applies(field: CatalogField, fields: readonly CatalogField[], values: Values): boolean {
  const { condition } = field;
  if (!condition) return true;
  const owner = fields.find(({ name }) => name === condition.field);
  if (!owner || !applies(owner, fields, values)) return false;
  const value = valueOf(owner, values);
  // Of a list it is its length that counts.
  const decisive: unknown = typeof value === 'object' ? value.length : value;
  return condition.values.some((allowed: unknown) => allowed === decisive);
}

/** The power of two nearest to the middle of a slider, the lower of two: 16 for 2..256, 4 for 1..32. */
function middlePower(low: number, high: number): number {
  return 2 ** Math.ceil(Math.log2(Math.sqrt(Math.max(1, low) * high)) - 0.51);
}

/** A number for a list of sizes. */
function exampleSize({ minimum = 1, multipleOf = 1 }: CatalogField): number {
  return Math.max(minimum, Math.ceil(8 / multipleOf) * multipleOf);
}

/** Widths that nothing else tells. */
const usual: Readonly<Record<string, number>> = { headDim: 16 };

/** A value to begin with for a field that has to be given. */
export function exampleOf(field: CatalogField): FieldValue | undefined {
  const { name, type, shown, minimum = 1, multipleOf = 1, choices } = field;
  if (type === 'choice') return choices?.[0];
  if (type === 'boolean') return false;
  if (type === 'list') return [exampleSize(field), exampleSize(field)];
  if (!shown) return usual[name] ?? Math.max(minimum, 1);
  if (type === 'number') return shown.log ? Math.sqrt(shown.low * shown.high) : (shown.low + shown.high) / 2;
  return Math.max(multipleOf, Math.floor(middlePower(shown.low, shown.high) / multipleOf) * multipleOf);
}

/** `values` with an example for every field that has to be given and was not. */
export function complete(fields: readonly CatalogField[], values: Values): Values {
  const all: Record<string, FieldValue> = { ...values };
  for (const field of fields) {
    if (!field.required || hasExampleList(field.name) || all[field.name] !== undefined || !applies(field, fields, all)) continue;
    const example = exampleOf(field);
    if (example !== undefined) all[field.name] = example;
  }
  return all;
}

/** The options object of the given values: those that apply and differ from the default, groups nested. */
export function toOptions(fields: readonly CatalogField[], given: Values): Options {
  const values: Values = { ...exampleLists(fields, given), ...given };
  const options: Options = {};
  for (const field of fields) {
    const value = values[field.name];
    if (value === undefined || !applies(field, fields, values)) continue;
    if (!field.required && value === field.default) continue;
    const path = field.name.split('.');
    const last = path.pop() ?? field.name;
    let group = options;
    for (const part of path) group = (group[part] ??= {}) as Options;
    group[last] = value;
  }
  return options;
}

/** Reads a value as it stands in the address or a text box; undefined where it is none. */
export function parseValue(field: CatalogField, text: string): FieldValue | undefined {
  const trimmed = text.trim();
  switch (field.type) {
    case 'boolean':
      return trimmed === 'true';
    case 'choice':
      return field.choices?.includes(trimmed) ? trimmed : undefined;
    case 'list': {
      const numbers = trimmed.split(/[\s,]+/).filter(Boolean).map(Number);
      return numbers.length > 0 && numbers.every(Number.isFinite) ? numbers : undefined;
    }
    default:
      return trimmed !== '' && Number.isFinite(Number(trimmed)) ? Number(trimmed) : undefined;
  }
}

/** A value as parseValue reads it. */
export function printValue(value: FieldValue | undefined): string {
  if (value === undefined) return '';
  return typeof value === 'object' ? value.join(',') : String(value);
}

/** { scaling: { type } } → [['scaling.type', ...]], as the address has it. */
export function flattenOptions(options: Options, prefix = ''): [string, string][] {
  return Object.entries(options).flatMap(([name, value]): [string, string][] =>
    typeof value === 'object' && !Array.isArray(value)
      ? flattenOptions(value as Options, `${prefix}${name}.`)
      : [[prefix + name, printValue(value as FieldValue)]],
  );
}
