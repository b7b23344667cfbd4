import type { Core } from './core.js';
import { PosencError, describe } from './errors.js';
import { arrayTag, checkAttached } from './tensor.js';
import type { DraftHandle } from './wasm.js';

/** @internal Throws for an option that the call does not know, before anything else happens. */
export function checkOptions(options: object | undefined, known: readonly string[], parameter: string): void {
  if (options === undefined) return;
  if (typeof options !== 'object' || options === null) {
    throw new PosencError('invalidType', parameter, describe(options), 'an object of options');
  }
  for (const name in options) {
    if (!known.includes(name)) {
      throw new PosencError('unknownOption', name, name, `one of ${known.join(', ')}`);
    }
  }
}

/**
 * @internal Sets options one by one by name, groups spelled with a dot (`scaling.factor`); C++ checks each as it
 * comes. `reserved` names are left out.
 */
export function fillDraft(core: Core, draft: DraftHandle, options: object, reserved: readonly string[], prefix = ''): void {
  for (const [key, value] of Object.entries(options) as [string, unknown][]) {
    if (value === undefined || (prefix === '' && reserved.includes(key))) continue;
    const name = prefix + key;
    if (isGroup(value)) {
      core.check(draft.group(name, describe(value)));
      fillDraft(core, draft, value, [], `${name}.`);
    } else core.check(setOption(core, draft, name, value));
  }
}

/** Objects proper: no arrays, dates, maps and the like. */
function isGroup(value: unknown): value is object {
  return Object.prototype.toString.call(value) === '[object Object]';
}

function setOption(core: Core, draft: DraftHandle, name: string, value: unknown): number {
  switch (typeof value) {
    case 'number':
      return draft.number(name, value);
    case 'boolean':
      return draft.boolean(name, value);
    case 'string':
      return draft.text(name, value);
    case 'bigint':
      return Number.isSafeInteger(Number(value)) ? draft.number(name, Number(value)) : draft.refuse(name, describe(value));
    default:
      break;
  }
  return isNumberList(value) ? setList(core, draft, name, value) : draft.refuse(name, describe(value));
}

function isNumberList(value: unknown): value is ArrayLike<number> {
  if (Array.isArray(value)) return value.every((item) => typeof item === 'number');
  const tag = arrayTag(value);
  return tag !== undefined && !tag.startsWith('Big');
}

function setList(core: Core, draft: DraftHandle, name: string, values: ArrayLike<number>): number {
  checkAttached(values, name);
  const address = core.take(8 * values.length, name);
  core.views.f64.set(values, address >>> 3);
  return draft.list(name, address, values.length);
}
