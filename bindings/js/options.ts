import type { Core } from './core.js';
import { PosencError, describe } from './errors.js';
import { OptionKind } from './generated/names.js';
import { arrayTag, checkAttached, everyItem } from './tensor.js';

/** @internal Throws for an option that the call does not know, before anything else happens. */
export function checkOptions(options: object | undefined, known: readonly string[], parameter: string): void {
  if (options !== undefined) requireOptions(options, known, parameter);
}

/** @internal The same where they cannot be left out. */
export function requireOptions(options: object | undefined, known: readonly string[], parameter: string): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options) || ArrayBuffer.isView(options)) {
    throw noOptions(options, known, parameter);
  }
  // What a call takes is named by itself, what stands in one of its options with that.
  const prefix = ['options', 'inputs'].includes(parameter) ? '' : `${parameter}.`;
  let any = false;
  for (const name in options) {
    any = true;
    if (!known.includes(name)) {
      throw new PosencError('unknownOption', prefix + name, name, `one of ${known.join(', ')}`);
    }
  }
  // Without a name it may be a map or a date as well, whose contents would be passed over.
  if (!any && !isGroup(options)) throw noOptions(options, known, parameter);
}

function noOptions(options: unknown, known: readonly string[], parameter: string): PosencError {
  return new PosencError('invalidType', parameter, describe(options), `an object of ${known.length > 3 ? 'options' : known.join(' and ')}`);
}

/** @internal What was written into wasm memory: bytes, numbers or records. */
export interface Placed {
  readonly address: number;
  readonly count: number;
}
/** @internal */
export const nothing: Placed = { address: 0, count: 0 };

interface Option {
  name: Uint8Array;
  kind: OptionKind;
  number?: number;
  /** A text, what describes a refused value or a group, or a list of doubles. */
  data?: Uint8Array;
  count?: number;
}

/** Bytes of an OptionRecord. */
const kRecord = 32;

/**
 * @internal Writes options as records, groups spelled with a dot (`scaling.factor`); C++ checks each in this order.
 * `reserved` names are left out.
 */
export function placeOptions(core: Core, options: object, reserved: readonly string[]): Placed {
  const list = optionsOf(options, reserved, '');
  const bytes = list.reduce((sum, { name, data }) => sum + kRecord + padded(name) + padded(data), 0);
  const address = core.take(bytes, 'options');
  const { u8, i32, f64 } = core.views;
  let next = address + kRecord * list.length;
  const put = (data: Uint8Array | undefined): number => {
    if (data === undefined) return 0;
    const at = next;
    u8.set(data, at);
    next += padded(data);
    return at;
  };
  list.forEach(({ name, kind, number = 0, data, count = data?.length ?? 0 }, index) => {
    const at = address + kRecord * index;
    f64[at >>> 3] = number;
    i32.set([put(name), put(data), name.length, count, kind], (at >>> 2) + 2);
  });
  return { address, count: list.length };
}

/** @internal A text as UTF-8, in staging space. */
export function placeText(core: Core, text: string): Placed {
  const bytes = utf8(text);
  const address = core.take(bytes.length, 'name');
  core.views.u8.set(bytes, address);
  return { address, count: bytes.length };
}

/** So that what follows is aligned for doubles. */
function padded(data: Uint8Array | undefined): number {
  return Math.ceil((data?.length ?? 0) / 8) * 8;
}

function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** Deeper than any group of options lies; an object that holds itself would have no end. */
const kDeepest = 3;

function depthOf(name: string): number {
  return name.split('.').length;
}

function optionsOf(options: object, reserved: readonly string[], prefix: string): Option[] {
  return (Object.entries(options) as [string, unknown][]).flatMap(([key, value]) => {
    if (value === undefined || reserved.includes(key)) return [];
    const name = prefix + key;
    const bytes = utf8(name);
    if (!isGroup(value) || depthOf(name) > kDeepest) return [{ name: bytes, ...optionOf(name, value) }];
    return [{ name: bytes, kind: OptionKind.group, data: utf8(describe(value)) }, ...optionsOf(value, [], `${name}.`)];
  });
}

/**
 * @internal Options as they are now, but for `without`: what the caller changes later, in groups and lists too, does not
 * show. Tensors among them stay the caller's.
 */
export function keepOptions(options: object, without: readonly string[] = []): object {
  return kept(options, without, 0);
}

function kept(options: object, without: readonly string[], depth: number): object {
  const entries = (Object.entries(options) as [string, unknown][]).filter(([name]) => !without.includes(name));
  return Object.freeze(Object.fromEntries(entries.map(([name, value]) => [name, keptValue(value, depth + 1)])));
}

function keptValue(value: unknown, depth: number): unknown {
  if (Array.isArray(value)) return Object.freeze(Array.from(value as readonly unknown[]));
  // One that lost its memory stays, and is refused by that name.
  if (arrayTag(value)?.endsWith('Array') === true && (value as Float64Array).length > 0) return (value as Float64Array).slice();
  return isGroup(value) && depth < kDeepest ? kept(value, [], depth) : value;
}

/** Objects proper: no arrays, dates, maps and the like. */
function isGroup(value: unknown): value is object {
  return Object.prototype.toString.call(value) === '[object Object]';
}

function optionOf(name: string, value: unknown): Omit<Option, 'name'> {
  const type = typeof value;
  if (type === 'number' || (type === 'bigint' && Number.isSafeInteger(Number(value)))) return { kind: OptionKind.number, number: Number(value) };
  if (type === 'boolean') return { kind: OptionKind.boolean, number: Number(value) };
  if (type === 'string') return { kind: OptionKind.text, data: utf8(value as string) };
  if (!isNumberList(value)) return { kind: OptionKind.refused, data: utf8(describe(value)) };
  checkAttached(value, name);
  const numbers = Float64Array.from(value);
  return { kind: OptionKind.list, data: new Uint8Array(numbers.buffer), count: numbers.length };
}

function isNumberList(value: unknown): value is ArrayLike<number> {
  if (Array.isArray(value)) return everyItem(value, (item) => typeof item === 'number');
  const tag = arrayTag(value);
  return tag !== undefined && !tag.startsWith('Big');
}
