// Values that no caller should give, to every option of every factory, every argument of every operation and every call of
// every family: a PosencError that names the parameter or a right result, and the module goes on.
import type { Encoding, InputEncoding } from 'posenc';
import { PosencError } from 'posenc';
import { type CatalogEncoding, type CatalogField, catalog } from 'posenc/catalog';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { loadPosenc, random } from './support/posenc.js';
import { completed, headDim, heads, make, nested, places, samplesOf } from './support/samples.js';

const posenc = await loadPosenc();
const canary = posenc.sinusoidal({ dim: 6 });
const expected = canary.encode(5).data;
let before = posenc.memory();

beforeEach(() => {
  before = posenc.memory();
});
afterEach(() => {
  expect(canary.encode(5).data).toEqual(expected);
  // Staging space may have grown a little; what lives must be what lived.
  const { usedBytes, encodings, attentions, caches, tensors } = posenc.memory();
  expect({ encodings, attentions, caches, tensors }).toEqual({ encodings: before.encodings, attentions: before.attentions, caches: before.caches, tensors: before.tensors });
  expect(usedBytes - before.usedBytes).toBeLessThan(1 << 16);
});

const circular: { self?: object } = {};
circular.self = circular;
const values: readonly unknown[] = [
  NaN, -1, 0, 1.5, Infinity, 2 ** 31, 2 ** 32 + 1, 1e300, 5e-324,
  '', '8', 'toString', '__proto__', true, false, null, 7n, 2n ** 70n, Symbol('8'), () => 8,
  {}, { size: 8 }, new Date(0), new Map(), circular, [], [NaN], [-1, 2], [[1]], ['1'], Float32Array.of(1), new BigInt64Array(2), new ArrayBuffer(8),
];
const shown = (value: unknown): string => {
  try {
    return `${typeof value} ${String(value)}`.slice(0, 40);
  } catch {
    return 'something';
  }
};

/** Runs a call; anything but a result or a PosencError with all its parts fails. */
function survive(what: string, call: () => unknown): unknown {
  try {
    return call();
  } catch (error) {
    if (!(error instanceof PosencError)) throw new Error(`${what}: ${String(error)}`, { cause: error });
    expect(catalog.errorCodes, what).toContain(error.code);
    for (const part of ['parameter', 'received', 'allowed', 'message'] as const) expect(typeof error[part], what).toBe('string');
    expect(error.parameter.length, what).toBeGreaterThan(0);
    return error;
  }
}

/** Uses what a factory gave in the way of its family. */
function use(what: string, encoding: Encoding<object>): void {
  const { family, axes } = encoding;
  if (family === 'input') {
    const input = encoding as InputEncoding;
    const rows = survive(what, () => (input.readsX ? input.add(random([4, input.width]), { grid: axes === 1 ? [4] : [2, 2] }) : input.encode(places(axes, 0, 4))));
    if (!(rows instanceof PosencError)) expect((rows as { data: Float32Array }).data.every(Number.isFinite), what).toBe(true);
    return;
  }
  const own = encoding as { heads?: number; headDim?: number };
  const count = own.heads === undefined || own.heads === 0 ? heads : own.heads;
  const width = own.headDim ?? headDim;
  if (count * width > 1 << 16) return;
  survive(what, () => {
    const attention = posenc.attention({ heads: count, headDim: width, encodings: [encoding] });
    const q = random([count, 3, width]);
    try {
      const { out, lse } = attention.forwardForGrad(q, q, q);
      attention.backward({ q, k: q, v: q, out, lse, dOut: q });
    } finally {
      attention.dispose();
    }
  });
}

const factoryOf = (id: string): ((options: unknown) => Encoding<object>) =>
  (posenc as unknown as Record<string, (options: unknown) => Encoding<object>>)[id]!;

/** A value that a sensible call would have, then the bad one in its place. */
function withOption(info: CatalogEncoding, field: CatalogField, value: unknown): Record<string, unknown> {
  const base = samplesOf(info)
    .map((sample) => sample.values)
    .find((each) => field.condition === undefined || field.condition.values.some((v) => v === (each[field.condition?.field ?? ''] ?? info.fields.find(({ name }) => name === field.condition?.field)?.default)));
  return nested({ ...(base ?? completed(info, {})), [field.name]: value });
}

describe.each(catalog.encodings.map((info): [string, CatalogEncoding] => [info.id, info]))('%s', (id, info) => {
  test.each(info.fields.map((field): [string, CatalogField] => [field.name, field]))('option %s', (_, field) => {
    // Not the largest that is allowed itself: tables of gigabytes would be made, as asked.
    const edges = [field.minimum ?? 0, (field.minimum ?? 0) - 1, (field.minimum ?? 0) + 0.5, (field.maximum ?? Infinity) + 1];
    for (const value of [...values, ...edges]) {
      const what = `${id} ${field.name} = ${shown(value)}`;
      const made = survive(what, () => factoryOf(id)(withOption(info, field, value)));
      if (made instanceof PosencError) continue;
      use(what, made as Encoding<object>);
      (made as Encoding<object>).dispose();
      if (typeof value !== 'number' && typeof value !== 'bigint' && field.type === 'integer') expect(what).toBe('refused');
      if (typeof value !== 'boolean' && field.type === 'boolean') expect(what).toBe('refused');
      if (field.type === 'choice' && !(field.choices ?? []).includes(String(value))) expect(what).toBe('refused');
    }
  });

  test('options that it does not have, and options that are none', () => {
    const good = nested(completed(info, {}));
    for (const value of values) {
      for (const name of ['sizes', 'Dim', 'scaling2.type', '0']) {
        expect(survive(`${id} ${name} = ${shown(value)}`, () => factoryOf(id)({ ...good, [name]: value })), `${id} ${name} = ${shown(value)}`).toMatchObject({ code: 'unknownOption' });
      }
      for (const name of ['name', 'seed', 'weights']) {
        const made = survive(`${id} ${name} = ${shown(value)}`, () => factoryOf(id)({ ...good, [name]: value }));
        if (!(made instanceof PosencError)) (made as Encoding<object>).dispose();
      }
      const alone = survive(`${id}(${shown(value)})`, () => factoryOf(id)(value));
      if (!(alone instanceof PosencError)) (alone as Encoding<object>).dispose();
    }
  });

  test.each(info.operations.map((operation): [string, (typeof info.operations)[number]] => [operation.name, operation]))('operation %s', (_, operation) => {
    const encoding = make(posenc, { id, info, title: id, values: completed(info, {}) });
    const owner = (operation.needsInstance ? encoding : factoryOf(id)) as unknown as Record<string, (...args: unknown[]) => unknown>;
    const run = owner[operation.name]!.bind(owner);
    const usual: Record<string, unknown> = nested(
      Object.fromEntries(operation.fields.filter(({ required }) => required).map(({ name, type }) => [name, type === 'list' ? [2, 2] : 2])),
    );
    const inputs: unknown[] = operation.inputs.map(() => ({ data: Float32Array.of(1, 0, 2, 1), shape: [4, 1] }));
    const call = (what: string, ...args: unknown[]): void => {
      const result = survive(`${id}.${operation.name}: ${what}`, () => run(...args));
      if (!(result instanceof PosencError)) expect(typeof result).toBe('object');
    };
    call('as usual', ...inputs, usual);
    for (const value of values) {
      operation.inputs.forEach(({ name }, at) => {
        for (const given of [value, { data: value, shape: [1] }, { data: [1, 2, 3, 4], shape: value }, { data: Float32Array.of(1, 2, 3, 4), shape: [4, value] }]) {
          call(`${name} = ${shown(value)}`, ...inputs.map((each, index) => (index === at ? given : each)), usual);
        }
        const rows = [NaN, -1, 1.5, 2 ** 31, 2 ** 53, Infinity, 1e300];
        for (const x of rows) call(`${name} of ${x}`, ...inputs.map((each, index) => (index === at ? { data: [x, x, x, x], shape: [2, 2] } : each)), usual);
      });
      for (const field of operation.fields) {
        const [group, member] = field.name.split('.') as [string, string | undefined];
        const changed = member === undefined ? { ...usual, [group]: value } : { ...usual, [group]: { ...(usual[group] as object), [member]: value } };
        call(`${field.name} = ${shown(value)}`, ...inputs, changed);
      }
      call(`options = ${shown(value)}`, ...inputs, value);
      call(`one more: ${shown(value)}`, ...inputs, usual, value);
    }
    encoding.dispose();
  });

  test('calls of its family', () => {
    const encoding = make(posenc, { id, info, title: id, values: completed(info, {}) });
    const methods: Record<string, unknown[]> = {
      input: ['encode', 'add', 'concat', 'backward'],
      rotary: ['apply', 'invert', 'backward', 'table'],
      bias: ['bias', 'backward'],
      relative: ['rows'],
      none: [],
    };
    const { axes } = encoding;
    const x = info.family === 'input' ? random([4, (encoding as InputEncoding).width]) : random([1, 4, headDim]);
    const options = ['positions', 'grid', 'offset', 'into', 'x', 'layout', 'side', 'reached', 'table', 'qOffset', 'relations', 'term', 'wrong'];
    const unaware = encoding as unknown as Record<string, (...args: unknown[]) => unknown>;
    for (const method of methods[info.family] as string[]) {
      const call = (what: string, ...args: unknown[]): void => void survive(`${id}.${method} ${what}`, () => unaware[method]!(...args));
      for (const value of values) {
        call(`x = ${shown(value)}`, value);
        call(`two: ${shown(value)}`, value, value);
        call(`three: ${shown(value)}`, 3, value);
        call(`shape of x: ${shown(value)}`, { data: x.data, shape: [value, 4] });
        for (const name of options) {
          if (['bias', 'encode', 'table', 'rows'].includes(method)) call(`${name} = ${shown(value)}`, 3, ...(method === 'bias' ? [4] : []), { [name]: value });
          else call(`${name} = ${shown(value)}`, x, { [name]: value });
        }
        call(`one position: ${shown(value)}`, x, { positions: [value] });
        call(`one coordinate: ${shown(value)}`, x, { positions: [Array.from({ length: axes }, () => value), [1]] });
        call(`one of four: ${shown(value)}`, x, { positions: [0, 1, value, 2] });
        call(`q and k: ${shown(value)}`, 3, 4, { positions: { q: value, k: [value] } });
      }
    }
    encoding.dispose();
  });
});

describe('attention', () => {
  const attentionFields = catalog.attention.fields;
  test.each(attentionFields.map((field): [string, CatalogField] => [field.name, field]))('option %s', (_, field) => {
    const base = { heads: 2, headDim: 4, ...(field.name === 'temperature.length' ? { 'temperature.type': 'logN' } : {}) };
    for (const value of values) {
      const what = `attention ${field.name} = ${shown(value)}`;
      const made = survive(what, () => posenc.attention(nested({ ...base, [field.name]: value }) as never)) as ReturnType<typeof posenc.attention> | PosencError;
      if (made instanceof PosencError) continue;
      if (made.heads * made.headDim + made.valueDim < 1 << 16) {
        const x = random([made.heads, 3, made.headDim]);
        const kv = random([made.kvHeads, 3, made.headDim]);
        survive(what, () => made.forward(x, kv, random([made.kvHeads, 3, made.valueDim])));
      }
      made.dispose();
    }
  });

  test('options of its calls', () => {
    const relation = posenc.relation({ heads: 2, relations: 3 });
    const rope = posenc.rope({ headDim: 4 });
    const attention = posenc.attention({ heads: 2, headDim: 4, causal: true, encodings: [rope, relation] });
    const q = random([2, 3, 4]);
    const relations = new Int32Array(9);
    const { out, lse } = attention.forwardForGrad(q, q, q, { relations });
    const names = ['layout', 'mask', 'keyLengths', 'qOffset', 'segments', 'sinks', 'global', 'positions', 'relations', 'logitScale', 'cache', 'into', 'lse', 'wrong'];
    for (const value of values) {
      for (const name of names) {
        for (const given of [value, [value], { q: value, k: value }, { data: value, shape: [3] }, { data: Float32Array.of(0, 0, 0), shape: value }, { known: value }]) {
          const options = { relations, [name]: given };
          const what = `${name} = ${shown(value)}`;
          survive(what, () => attention.forward(q, q, q, options as never));
          survive(what, () => attention.scores(q, q, 'weights', options as never));
          survive(what, () => attention.backward({ q, k: q, v: q, out, lse, dOut: q, ...options } as never));
        }
      }
      for (const bad of [value, { data: value, shape: [2, 3, 4] }, { data: q.data, shape: value }, { data: q.data, shape: [value, 3, 4] }]) {
        const what = `tensor ${shown(value)}`;
        survive(what, () => attention.forward(bad as never, q, q, { relations }));
        survive(what, () => attention.forward(q, bad as never, q, { relations }));
        survive(what, () => attention.forward(q, q, bad as never, { relations }));
        survive(what, () => attention.backward({ q, k: q, v: q, out, lse: bad as never, dOut: q, relations }));
        survive(what, () => attention.backward(bad as never));
      }
      survive('stage', () => attention.scores(q, q, value as never, { relations }));
      const cache = survive('cache', () => attention.cache(value as never));
      if (!(cache instanceof PosencError)) (cache as ReturnType<typeof attention.cache>).dispose();
      for (const name of ['batch', 'capacity', 'maxLength', 'keys']) {
        const made = survive(`cache ${name} = ${shown(value)}`, () => attention.cache({ [name]: value } as never));
        if (!(made instanceof PosencError)) (made as ReturnType<typeof attention.cache>).dispose();
      }
      const held = attention.cache();
      held.append(q, q);
      for (const call of ['truncate', 'reorder', 'slide'] as const) {
        const copy = held.clone();
        survive(`${call} ${shown(value)}`, () => copy[call](value as never));
        survive(`${call} [${shown(value)}]`, () => copy[call]([value] as never));
        copy.dispose();
      }
      for (const name of ['layout', 'counts', 'positions']) survive(`append ${name}`, () => held.append(q, q, { [name]: value } as never));
      held.dispose();
    }
    expect(attention.forward(q, q, q, { relations })).toEqual(out);
    for (const owned of [attention, rope, relation]) owned.dispose();
  });
});
