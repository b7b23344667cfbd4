// Encodings of every id of the catalogue in every form that its options have, so that what is promised of all of them
// is tried on all of them, and on a new one without another line.
import type { Encoding, Posenc } from 'posenc';
import { type CatalogEncoding, type CatalogField, catalog } from 'posenc/catalog';

import { numbers } from './posenc.js';

type Value = number | boolean | string | readonly number[];
type Values = Readonly<Record<string, Value>>;

/** One form of an encoding. */
export interface Sample {
  readonly id: string;
  readonly info: CatalogEncoding;
  /** 'rope scaling.type=yarn'. */
  readonly title: string;
  /** Options by their names in the catalogue, 'scaling.type' among them. */
  readonly values: Values;
}

/** Numbers that attention in the tests has; sizes of encodings follow them. */
export const heads = 4;
export const headDim = 8;

/** Required sizes by the name of the option; any other is 8. */
const sizes: Readonly<Record<string, number>> = { heads, headDim, maxLength: 64, nodes: 24, rank: 3, span: 6 };

/** Options that are not required but have to fit the others, or without which nothing would be seen. */
const chosen: Readonly<Record<string, Values>> = {
  box: { maxPosition: 64 },
  coordinates: { low: [0, 0], high: [64, 64] },
  decomposed: { height: 5, width: 5 },
  beit: { 'window.height': 4, 'window.width': 6 },
  graph: { edges: [0, 1, 1, 2, 2, 3, 3, 0, 3, 4, 5, 6, 6, 7, 7, 5, 4, 9, 9, 10] },
  ropeNd: { grid: [5, 5] },
  segment: { types: 24 },
  swin: { 'window.height': 4, 'window.width': 6 },
  swinV2: { 'window.height': 4, 'window.width': 6, hidden: 8 },
  transformerXL: { dim: 12 },
};

/** Lists and groups of options that a choice calls for, by the option that calls. */
const called: Readonly<Record<string, Values>> = {
  'scaling.type=linear': { 'scaling.factor': 4 },
  'scaling.type=ntk': { 'scaling.factor': 4 },
  'scaling.type=ntkByParts': { 'scaling.factor': 4, 'scaling.originalLength': 64 },
  'scaling.type=dynamic': { 'scaling.factor': 4, 'scaling.originalLength': 6 },
  'scaling.type=yarn': { 'scaling.factor': 4, 'scaling.originalLength': 64 },
  'scaling.type=longrope': {
    'scaling.factor': 4,
    'scaling.originalLength': 6,
    'scaling.shortFactor': [1, 1.25, 1.5, 2],
    'scaling.longFactor': [1, 2, 3, 4],
  },
  'scaling.type=llama3': { 'scaling.factor': 4, 'scaling.originalLength': 64 },
  'kind=tree': { parents: [-1, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11] },
  'kind=axes': { rows: 24, cols: 24 },
  'coordinates=resized': { trainedGrid: [3, 3] },
  'buckets=log': { maxRelativePositions: 24 },
  'rows=table': { maxLength: 64 },
  'beyond=error': { left: 24 },
};

/** Forms that attention alone cannot take: they read the tokens of a layer, for which `gateInput` stands (gates.test.ts). */
const apart = new Set(['t5 gate=input']);

/** Whether an option applies. */
export const holds = (field: CatalogField, values: Values, info: CatalogEncoding): boolean => {
  const { condition } = field;
  if (condition === undefined) return true;
  const other = info.fields.find(({ name }) => name === condition.field);
  const value = values[condition.field] ?? other?.default ?? null;
  return other !== undefined && holds(other, values, info) && condition.values.some((each) => each === value);
};

/** The choice that a field needs, with the choices that that needs. */
function choicesFor(field: CatalogField, info: CatalogEncoding, values: Values): Values {
  const { condition } = field;
  if (condition === undefined || holds(field, values, info)) return {};
  const other = info.fields.find(({ name }) => name === condition.field);
  const needed = { [condition.field]: condition.values[0] as Value };
  return { ...(other === undefined ? {} : choicesFor(other, info, values)), ...needed };
}

/** Values for all that is required, given some. */
export function completed(info: CatalogEncoding, given: Values): Values {
  let values: Values = { ...chosen[info.id], ...given };
  for (const [name, value] of Object.entries(values)) values = { ...called[`${name}=${String(value)}`], ...values };
  for (const field of info.fields) {
    if (!field.required || values[field.name] !== undefined || !holds(field, values, info)) continue;
    const last = field.name.split('.').at(-1) ?? '';
    values = { ...values, [field.name]: sizes[field.name] ?? sizes[last] ?? Math.max(8, field.minimum ?? 0) };
  }
  // What was chosen for the usual form does not apply in all others.
  return Object.fromEntries(
    Object.entries(values).filter(([name]) => {
      const field = info.fields.find((each) => each.name === name);
      return name in given || (field !== undefined && holds(field, values, info));
    }),
  );
}

/** 'window.height' and the like as objects. */
export function nested(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const options: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(values)) {
    const [group, member] = name.split('.') as [string, string | undefined];
    if (member === undefined) options[group] = value;
    else options[group] = { ...(options[group] as object | undefined), [member]: value };
  }
  return options;
}

/** The usual form of an encoding, and one for each other value of each choice and switch. */
export function samplesOf(info: CatalogEncoding): Sample[] {
  const sample = (title: string, given: Values): Sample => ({
    id: info.id,
    info,
    title: `${info.id} ${title}`.trim(),
    values: completed(info, given),
  });
  const others = info.fields.flatMap((field) => {
    const all: readonly Value[] = field.type === 'boolean' ? [true, false] : (field.choices ?? []);
    return all
      .filter((value) => value !== field.default)
      .map((value) => sample(`${field.name}=${String(value)}`, { ...choicesFor(field, info, completed(info, {})), [field.name]: value }));
  });
  return [sample('', {}), ...others].filter(({ title }) => !apart.has(title));
}

export const samples: readonly Sample[] = catalog.encodings.flatMap(samplesOf);

/** Those of some families. */
export const samplesIn = (...families: readonly CatalogEncoding['family'][]): Sample[] =>
  samples.filter(({ info }) => families.includes(info.family));

/** Tensors that hold no numbers to be moved by a little. */
const whole = new Set(['indices']);

/** The encoding. Tensors that begin as zeros, or all alike, would hide what they are multiplied with: none is left so. */
export function make<Kind extends Encoding<object> = Encoding<object>>(posenc: Posenc, { id, values }: Sample, more: object = {}): Kind {
  const factory = (posenc as unknown as Record<string, (options: object) => Encoding<object>>)[id];
  if (factory === undefined) throw new Error(`the module has no ${id}`);
  const encoding = factory({ seed: 5, ...nested(values), ...more });
  const tensors = Object.entries(encoding.parameters as Record<string, { data: Float32Array }>).filter(([name]) => !whole.has(name));
  encoding.parameters = Object.fromEntries(
    tensors.map(([name, { data }], index) => [name, numbers(data.length, 31 + index).map((x, i) => (data[i] ?? 0) + 0.1 + 0.2 * Math.abs(x))]),
  ) as object;
  return encoding as Kind;
}

/** Positions first, first + 1, ...: numbers, or the cells of a grid of 5 columns, row by row, and what further axes want. */
export function places(axes: number, first: number, count: number): number[] | number[][] {
  const counted = Array.from({ length: count }, (_, i) => first + i);
  if (axes === 1) return counted;
  // The third and fourth of a box are its far corner: they come after the first two.
  return counted.map((p) => Array.from({ length: axes }, (_, axis) => (axis === 0 ? Math.floor(p / 5) : (p % 5) + 5 * (axis - 1))));
}

/** An id for every query from `first` on with every key, where an encoding reads relations. */
export function relationsOf(encoding: Encoding<object>, first: number, queries: number, keys: number): { relations?: Int32Array } {
  const known = (encoding as { relations?: number }).relations ?? 0;
  if (known === 0) return {};
  const id = (at: number): number => (7 * (first + Math.floor(at / keys)) + 3 * (at % keys)) % known;
  return { relations: Int32Array.from({ length: queries * keys }, (_, at) => id(at)) };
}

/** The options of attention that a sample fits into. */
export const attentionOptions = { heads, kvHeads: 2, headDim, causal: true } as const;
