// The options object that a factory takes, made of values by field, and back.
import type { CatalogField } from 'posenc/catalog';
import { exampleLists, exampleOf, hasExampleList } from './examples.js';
import { applies, printValue, type FieldValue, type Values } from './fields.js';

/** An options object as a factory takes it: groups nested. */
export type Options = { [name: string]: FieldValue | Options };

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

/** { scaling: { type } } → [['scaling.type', ...]], as the address has it. */
export function flattenOptions(options: Options, prefix = ''): [string, string][] {
  return Object.entries(options).flatMap(([name, value]): [string, string][] =>
    typeof value === 'object' && !Array.isArray(value)
      ? flattenOptions(value as Options, `${prefix}${name}.`)
      : [[prefix + name, printValue(value as FieldValue)]],
  );
}
