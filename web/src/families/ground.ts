// Where the tokens of a picture stand: in a row, on a grid where positions have two or three axes, or on the diagonal of
// all coordinates where they have more. An encoding is asked how far it goes: it refuses positions that it does not know.
import { PosencError, type Encoding } from 'posenc';
import type { CatalogField } from 'posenc/catalog';
import type { CellAxis } from '../figures/axis.js';
import { t } from '../lib/language.js';
import { entryOf } from '../model/create.js';
import type { Values } from '../model/fields.js';
import { wholeSetting } from './family.js';

/** Positions of tokens, [count] or [count, axes]. */
export interface Coordinates {
  data: Float64Array;
  shape: readonly number[];
}

export interface Ground {
  /** Number of tokens. */
  count: number;
  /** [length], [rows, columns] or [frames, rows, columns]. */
  extents: readonly number[];
  /** Coordinates of one token, as code with its index i; undefined where positions count up from 0. */
  place?: string;
  positions?: Coordinates;
}

/** Positions of one token, [1, axes], handed to the encoding: it throws where it does not know them. */
export type TryAt = (positions: Coordinates) => void;

/** That token and one at the origin, for what looks at two. */
export function withOrigin({ data, shape }: Coordinates): Coordinates {
  const two = new Float64Array(2 * data.length);
  two.set(data, data.length);
  return { data: two, shape: [2, ...shape.slice(1)] };
}

const far = 4096;

/** Whether positions on a line go on for ever, as far as that can be told. */
export function isEndless(tryAt: TryAt): boolean {
  try {
    tryAt({ data: Float64Array.of(far), shape: [1] });
    return true;
  } catch (error) {
    if (error instanceof PosencError) return false;
    throw error;
  }
}

interface Side {
  name: string;
  doc: string;
  byDefault: number;
  shown: number;
  most: number;
}

const row: Side = { name: 'length', doc: 'number of positions', byDefault: 100, shown: 256, most: 1024 };
const rows: Side = { name: 'rows', doc: 'rows of the grid', byDefault: 8, shown: 24, most: 48 };
const columns: Side = { name: 'columns', doc: 'columns of the grid', byDefault: 12, shown: 24, most: 48 };
const frames: Side = { name: 'frames', doc: 'frames, each with a grid', byDefault: 2, shown: 6, most: 12 };

function sidesOf(axes: number): readonly Side[] {
  if (axes === 2) return [rows, columns];
  return axes === 3 ? [frames, { ...rows, byDefault: 6 }, { ...columns, byDefault: 8 }] : [row];
}

const isGrid = (axes: number): boolean => axes === 2 || axes === 3;

/** The largest whole number up to `most` at which `works`; -1 where even 0 does not. */
function largest(most: number, works: (value: number) => boolean): number {
  if (works(most)) return most;
  let [low, high] = [-1, most];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (works(middle)) low = middle;
    else high = middle;
  }
  return low;
}

const known = new WeakMap<Encoding, readonly number[]>();

/** The largest position along each side. */
function limitsOf(encoding: Encoding, tryAt: TryAt): readonly number[] {
  const { axes } = encoding;
  const found = known.get(encoding);
  if (found) return found;
  const limits = sidesOf(axes).map(({ most }, axis) =>
    largest(most - 1, (value) => {
      const data = new Float64Array(axes);
      if (isGrid(axes)) data[axis] = value;
      else data.fill(value);
      try {
        tryAt({ data, shape: axes === 1 ? [1] : [1, axes] });
        return true;
      } catch (error) {
        if (error instanceof PosencError && value > 0) return false;
        throw error;
      }
    }),
  );
  known.set(encoding, limits);
  return limits;
}

/** Where only a small range of numbers is known, such as 0 to 1, positions are spread over it. */
const isSpread = (encoding: Encoding, limit: number): boolean => limit < 8 && entryOf(encoding.id)?.domain.kind === 'reals';

function mostOf(side: Side, encoding: Encoding, limit: number): number {
  return isSpread(encoding, limit) ? side.most : Math.min(side.most, limit + 1);
}

/** The settings of where tokens stand. */
export function groundSettings(encoding: Encoding, tryAt: TryAt, shownLength = row.shown): CatalogField[] {
  const limits = limitsOf(encoding, tryAt);
  return sidesOf(encoding.axes).map((side, axis) => {
    const most = mostOf(side, encoding, limits[axis]!);
    const shown = side === row ? shownLength : side.shown;
    return {
      name: side.name,
      type: 'integer',
      required: false,
      default: Math.min(side.byDefault, most),
      minimum: 1,
      maximum: most,
      doc: side.doc,
      shown: { low: Math.min(2, most), high: Math.max(3, Math.min(shown, most)), log: false },
    };
  });
}

/** Where tokens stand with these settings; `length` in place of the default where they are in a row. */
export function groundOf(encoding: Encoding, view: Values, tryAt: TryAt, length = row.byDefault): Ground {
  const { axes } = encoding;
  const limits = limitsOf(encoding, tryAt);
  const extents = sidesOf(axes).map((side, axis) => {
    const asked = wholeSetting(view, side.name, side === row ? length : side.byDefault);
    return Math.min(mostOf(side, encoding, limits[axis]!), Math.max(1, Math.round(asked)));
  });
  const count = extents.reduce((product, extent) => product * extent, 1);
  const steps = extents.map((extent, axis) => (isSpread(encoding, limits[axis]!) ? limits[axis]! / Math.max(1, extent - 1) : 1));
  if (axes === 1 && steps[0] === 1) return { count, extents };
  const data = new Float64Array(count * axes);
  for (let i = 0; i < count; i++) {
    let inner = count;
    for (let axis = 0; axis < axes; axis++) {
      const side = isGrid(axes) ? axis : 0;
      if (isGrid(axes)) inner /= extents[axis]!;
      data[i * axes + axis] = (isGrid(axes) ? Math.floor(i / inner) % extents[axis]! : i) * steps[side]!;
    }
  }
  return { count, extents, place: placeCode(axes, extents, steps), positions: { data, shape: axes === 1 ? [count] : [count, axes] } };
}

function placeCode(axes: number, extents: readonly number[], steps: readonly number[]): string {
  const scaled = (index: string, step: number): string => (step === 1 ? index : `${index} * ${step}`);
  if (!isGrid(axes)) {
    const one = scaled('i', steps[0]!);
    return axes === 1 ? one : `Array(${axes}).fill(${one})`;
  }
  const coordinates = extents.map((extent, axis) => {
    const inner = extents.slice(axis + 1).reduce((product, size) => product * size, 1);
    const whole = inner === 1 ? 'i' : `Math.floor(i / ${inner})`;
    return scaled(axis === 0 ? whole : `${whole} % ${extent}`, steps[axis]!);
  });
  return `[${coordinates.join(', ')}]`;
}

/** Code for a variable `positions`, where there has to be one. */
export function groundCode({ count, place }: Ground): string[] {
  return place === undefined ? [] : [`const positions = Array.from({ length: ${count} }, (_, i) => ${place});`];
}

/** How the tokens are called along an edge of a picture. */
export function groundAxis({ extents, count }: Ground, label?: string): CellAxis {
  if (extents.length === 1) return { label: label ?? t('position') };
  const names = Array.from({ length: count }, (_, i) => coordinatesOf(i, extents).join(', '));
  return { label: label ?? t('cell'), names };
}

/** Coordinates of cell i of a grid. */
export function coordinatesOf(i: number, extents: readonly number[]): number[] {
  let rest = i;
  return extents
    .toReversed()
    .map((extent) => {
      const place = rest % extent;
      rest = Math.floor(rest / extent);
      return place;
    })
    .toReversed();
}

/** The cell in the middle of the grid. */
export function middleOf({ extents }: Pick<Ground, 'extents'>): number {
  return extents.reduce((index, extent) => index * extent + Math.floor(extent / 2), 0);
}
