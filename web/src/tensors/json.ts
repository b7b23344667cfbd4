// Tensors in JSON: nested lists, or { data, shape }, alone or by name.
import { PosencError } from 'posenc';
import type { Floats } from 'posenc/formats';

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

const refuse = (received: string): PosencError =>
  new PosencError('invalidType', 'file', received, 'nested lists of numbers, { data, shape }, or an object of these by name');

const flatten = (value: Json): unknown[] => (Array.isArray(value) ? value.flatMap(flatten) : [value]);

function fromLists(value: Json): Floats {
  const shape: number[] = [];
  for (let level = value; Array.isArray(level); level = level[0] ?? null) shape.push(level.length);
  const numbers = flatten(value);
  const count = shape.reduce((product, extent) => product * extent, 1);
  if (numbers.length !== count || !numbers.every((number) => typeof number === 'number')) throw refuse('lists of uneven lengths, or not of numbers');
  return { shape, data: Float32Array.from(numbers) };
}

function fromValue(value: Json): Floats | undefined {
  if (Array.isArray(value)) return fromLists(value);
  if (typeof value !== 'object' || value === null || !Array.isArray(value['data'])) return undefined;
  const { data } = fromLists(flatten(value['data']) as Json[]);
  const shape = Array.isArray(value['shape']) ? (value['shape'] as number[]) : [data.length];
  if (shape.reduce((product, extent) => product * extent, 1) !== data.length) throw refuse(`${data.length} numbers of shape [${shape.join(', ')}]`);
  return { shape, data };
}

export function readJsonTensors(text: string): Record<string, Floats> {
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch (error) {
    throw refuse(error instanceof Error ? error.message : 'no JSON');
  }
  const alone = fromValue(value);
  if (alone) return { tensor: alone };
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw refuse(typeof value);
  const found = Object.entries(value).map(([name, member]) => [name, fromValue(member)] as const);
  const tensors = found.filter((entry): entry is readonly [string, Floats] => entry[1] !== undefined);
  if (tensors.length === 0) throw refuse('an object without tensors');
  return Object.fromEntries(tensors);
}
