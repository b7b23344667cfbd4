// Values of options and their descriptions, as the catalogue has them. The site's own settings (length, head, ...) are
// described in the same way, so that one control builder and one address format serve both.
import type { CatalogField } from 'posenc/catalog';

export type FieldValue = number | boolean | string | readonly number[];
/** The values that were given, by field name; what is absent has its default. */
export type Values = Readonly<Record<string, FieldValue>>;

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
