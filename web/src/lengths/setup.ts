// The lengths and the rotation that the page looks at, as its controls and the address have them.
import type { CatalogEncoding, CatalogField } from 'posenc/catalog';
import { entryOf } from '../model/create.js';
import { factors } from 'virtual:longrope-factors';
import type { Values } from '../model/fields.js';
import { complete, toOptions, type Options } from '../model/options.js';

export interface Setup {
  trained: number;
  target: number;
  headDim: number;
  base: number;
  /** One of `scalings`. */
  scaling: string;
  heads: number;
  /** Patches along a side of the grid. */
  gridTrained: number;
  gridTarget: number;
  resample: string;
  /** The patch that others are compared with, counted row by row; absent: the middle one. */
  patch: number | undefined;
}

const rope = entryOf('rope') as CatalogEncoding;
const scalingField = rope.fields.find(({ name }) => name === 'scaling.type');

export const scalings: readonly string[] = scalingField?.choices ?? [];

/** Fields that are lists: factors that were searched for one model. Another number of pairs gets values between them. */
const lists = rope.fields.filter(({ type, condition }) => type === 'list' && condition?.field === 'scaling.type');

function factorsFor(name: string, pairs: number): number[] {
  const known = name.endsWith('shortFactor') ? factors.short : factors.long;
  return Array.from({ length: pairs }, (_, pair) => {
    const place = pairs === 1 ? 0 : (pair * (known.length - 1)) / (pairs - 1);
    const below = Math.floor(place);
    const above = Math.min(known.length - 1, below + 1);
    return known[below]! + (known[above]! - known[below]!) * (place - below);
  });
}

const longest = 4194304;

const whole = (name: string, byDefault: number, low: number, high: number, doc: string, log = true): CatalogField => ({
  name, type: 'integer', required: false, default: byDefault, minimum: low, maximum: log ? longest : high, doc, shown: { low, high, log },
});

export const fields: readonly CatalogField[] = [
  whole('trained', 4096, 64, 131072, 'longest sequence in training'),
  whole('target', 16384, 64, 1048576, 'longest sequence in use'),
  { ...whole('headDim', 128, 16, 256, 'channels of a head; half as many pairs', false), multipleOf: 2 },
  { name: 'base', type: 'number', required: false, default: 10000, minimum: 1, doc: 'base of the frequencies', shown: { low: 100, high: 10000000, log: true } },
  { name: 'scaling', type: 'choice', required: false, default: 'yarn', choices: scalings, doc: 'what stretches the frequencies' },
  whole('heads', 8, 1, 32, 'heads of ALiBi', false),
  whole('gridTrained', 14, 4, 24, 'patches along a side of the trained grid', false),
  whole('gridTarget', 24, 4, 32, 'patches along a side of the grid in use', false),
  { name: 'resample', type: 'choice', required: false, default: 'cubic', choices: ['nearest', 'linear', 'cubic'], doc: 'how the grid is resampled' },
];

const largestGrid = 32;
const patch = whole('patch', 0, 0, largestGrid ** 2 - 1, 'the patch that others are compared with, counted row by row', false);

/** All of them, for reading the address. */
export const allFields: readonly CatalogField[] = [...fields, patch];

const middleOf = (side: number): number => Math.floor(side / 2) * (side + 1);

/** With the range that the grid gives the patch. */
export function fieldsOf({ gridTarget }: Setup): readonly CatalogField[] {
  const high = gridTarget ** 2 - 1;
  return [...fields, { ...patch, default: middleOf(gridTarget), maximum: high, shown: { low: 0, high, log: false } }];
}

/** Row and column of the patch. */
export function patchOf({ patch: chosen, gridTarget }: Setup): readonly [row: number, column: number] {
  const cell = chosen === undefined ? middleOf(gridTarget) : Math.min(chosen, gridTarget ** 2 - 1);
  return [Math.floor(cell / gridTarget), cell % gridTarget];
}

export function readSetup(values: Values): Setup {
  const number = (name: string): number => {
    const field = fields.find((candidate) => candidate.name === name)!;
    const given = Number(values[name] ?? field.default);
    return Math.min(field.maximum ?? Infinity, Math.max(field.minimum ?? 1, given));
  };
  const scaling = String(values['scaling'] ?? 'yarn');
  return {
    trained: number('trained'),
    target: number('target'),
    headDim: Math.max(2, 2 * Math.round(number('headDim') / 2)),
    base: number('base'),
    scaling: scalings.includes(scaling) ? scaling : 'default',
    heads: number('heads'),
    gridTrained: number('gridTrained'),
    gridTarget: number('gridTarget'),
    resample: String(values['resample'] ?? 'cubic'),
    patch: typeof values['patch'] === 'number' ? Math.max(0, Math.round(values['patch'])) : undefined,
  };
}

/** Options of RoPE with that scaling, from the trained length to the target. */
export function ropeOptions({ trained, target, headDim, base }: Setup, scaling: string): Options {
  const values: Values = {
    headDim, base,
    'scaling.type': scaling,
    'scaling.factor': Math.max(1, target / trained),
    'scaling.originalLength': trained,
    ...Object.fromEntries(lists.filter(({ condition }) => condition?.values.includes(scaling)).map(({ name }) => [name, factorsFor(name, headDim / 2)])),
  };
  return toOptions(rope.fields, complete(rope.fields, values));
}
