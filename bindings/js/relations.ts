import type { Core } from './core.js';
import { PosencError, describe } from './errors.js';
import type { Shaped } from './inputs.js';
import { placeIntegers } from './integers.js';
import { type NumberArray, readNumbers } from './positions.js';
import { shapeText } from './shape.js';
import type { HeapTensor } from './tensor.js';

/**
 * How every query relates to every key: ids, [qLen, kLen], or [batch, qLen, kLen] where batch rows differ. Without a
 * shape, that many numbers.
 */
export type RelationMatrix = NumberArray | Shaped<NumberArray> | HeapTensor;

/** @internal Such ids in wasm memory. */
export interface PlacedRelations {
  readonly ids: number;
  readonly eachRow: boolean;
}

/** @internal Ids are checked in C++, against those that the encoding knows. */
export function placeRelations(
  core: Core,
  matrix: RelationMatrix,
  queries: number,
  keys: number,
  batch: number,
  parameter: string,
): PlacedRelations {
  const { values, shape } = readNumbers(core, matrix, parameter);
  const one = queries * keys;
  const found = shape ?? [values.length];
  const last = found.length >= 2 ? found.slice(-2) : undefined;
  const fits = last === undefined || (last[0] === queries && last[1] === keys);
  if (!fits || (values.length !== one && values.length !== batch * one)) {
    const each = batch === 1 ? '' : ` or ${shapeText([batch, queries, keys])}`;
    throw new PosencError('shapeMismatch', parameter, shapeText(found), `${shapeText([queries, keys])}${each}`);
  }
  return { ids: placeIntegers(core, values as NumberArray, undefined, parameter), eachRow: values.length !== one };
}

/** @internal An encoding as far as it reads relations. */
export interface RelationReader {
  readonly name: string;
  /** Number of ids; 0 or absent: it reads none. */
  readonly relations?: number;
}

/** @internal One matrix per reader: by name, or one for the only reader there is. */
export function matricesOf(
  readers: readonly RelationReader[],
  given: unknown,
): readonly (RelationMatrix | undefined)[] | undefined {
  const reading = readers.filter(({ relations = 0 }) => relations > 0).map(({ name }) => name);
  const named = reading.map((name) => `relations.${name}`).join(', ');
  if (given === undefined) {
    if (reading.length === 0) return undefined;
    throw new PosencError('missingOption', `relations.${reading[0]}`, 'nothing', 'an id for every query and key');
  }
  if (reading.length === 0) {
    throw new PosencError('unknownOption', 'relations', 'relations', 'only where an encoding reads them');
  }
  if (typeof given !== 'object' || given === null) {
    throw new PosencError('invalidType', 'relations', describe(given), `a matrix of ids, or an object of them: ${named}`);
  }
  const single = Array.isArray(given) || ArrayBuffer.isView(given) || 'data' in given || 'dispose' in given;
  if (single && reading.length > 1) {
    throw new PosencError('shapeMismatch', 'relations', 'one matrix', `one for each: ${named}`);
  }
  const byName = (single ? { [reading[0] ?? '']: given } : given) as Readonly<Record<string, RelationMatrix | undefined>>;
  for (const name of Object.keys(byName)) {
    if (!reading.includes(name)) throw new PosencError('unknownOption', `relations.${name}`, name, named);
  }
  return readers.map(({ name, relations = 0 }) => {
    if (relations > 0 && byName[name] === undefined) {
      throw new PosencError('missingOption', `relations.${name}`, 'nothing', 'an id for every query and key');
    }
    return relations > 0 ? byName[name] : undefined;
  });
}

/** @internal Records of all readers as a call frame has them, { ids, each row } of 32 bits each; 0 where none reads. */
export function placeRelationRecords(
  core: Core,
  readers: readonly RelationReader[],
  given: unknown,
  extents: { readonly queries: number; readonly keys: number; readonly batch: number },
): number {
  const matrices = matricesOf(readers, given);
  if (matrices === undefined) return 0;
  const { queries, keys, batch } = extents;
  const records = matrices.flatMap((matrix, index) => {
    if (matrix === undefined) return [0, 0];
    const { ids, eachRow } = placeRelations(core, matrix, queries, keys, batch, `relations.${readers[index]?.name ?? ''}`);
    return [ids, eachRow ? 1 : 0];
  });
  const address = core.take(4 * records.length, 'relations');
  core.views.i32.set(records, address >>> 2);
  return address;
}
