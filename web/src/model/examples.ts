// Values to begin with for options that have to be given. Lists that no two numbers are one of follow from the others.
import type { CatalogField } from 'posenc/catalog';
import { applies, type FieldValue, type Values } from './fields.js';

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

const numberOf = (values: Values, name: string): number | undefined => (typeof values[name] === 'number' ? values[name] : undefined);

/** How many pairs a rotation has. */
function pairsOf(values: Values): number {
  const pairs = (numberOf(values, 'rotaryDim') ?? numberOf(values, 'headDim') ?? 0) / 2;
  return Number.isInteger(pairs) && pairs <= 1024 ? pairs : 0;
}

const [mostNodes, mostAxes] = [1024, 8];

/** How many nodes a graph has; a tree is told by its parents alone, and has as many as a graph has to begin with. */
function nodesOf(values: Values, fields: readonly CatalogField[]): number {
  const count = fields.find(({ name }) => name === 'nodes');
  const nodes = numberOf(values, 'nodes') ?? (count && Number(exampleOf(count))) ?? 0;
  return nodes >= 1 && nodes <= mostNodes ? nodes : 0;
}

type Example = (values: Values, fields: readonly CatalogField[]) => number[];

const series = (length: number, at: (i: number) => number): number[] => Array.from({ length: Math.max(0, length) }, (_, i) => at(i));

const examples: Readonly<Record<string, Example>> = {
  // A binary tree.
  edges: (values, fields) => series(2 * nodesOf(values, fields) - 2, (i) => (i % 2 === 0 ? Math.floor(i / 4) : (i + 1) / 2)),
  parents: (values, fields) => series(nodesOf(values, fields), (i) => (i === 0 ? -1 : Math.floor((i - 1) / 2))),
  // LongRoPE: as trained up to the original length; beyond it the slowest pairs are slowed by the whole factor, the fastest not at all.
  'scaling.shortFactor': (values) => series(pairsOf(values), () => 1),
  'scaling.longFactor': (values) => {
    const pairs = pairsOf(values);
    return series(pairs, (pair) => Number(((numberOf(values, 'scaling.factor') ?? 1) ** (pairs > 1 ? pair / (pairs - 1) : 1)).toFixed(2)));
  },
  // The grid of the pictures.
  grid: (values) => {
    const axes = numberOf(values, 'axes') ?? 2;
    return values['coordinates'] !== undefined && values['coordinates'] !== 'index' && axes <= mostAxes ? [...series(axes - 2, () => 2), 8, 12].slice(-axes) : [];
  },
};

export const hasExampleList = (name: string): boolean => name in examples;

/** Examples for the lists that apply. */
export function exampleLists(fields: readonly CatalogField[], values: Values): Values {
  const lists = fields.filter((field) => field.type === 'list' && hasExampleList(field.name) && applies(field, fields, values));
  const made = lists.map(({ name }) => [name, examples[name]!(values, fields)] as const);
  return Object.fromEntries(made.filter(([, list]) => list.length > 0));
}
