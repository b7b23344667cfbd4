// Arrays whose memory is not what it was: shared, part of a larger one, resizable, shrunk since it was made, given away.
// Every argument of every call that takes an array: the same result, or the error that says so; and the module goes on.
import { PosencError } from 'posenc';
import { catalog } from 'posenc/catalog';
import { afterAll, afterEach, describe, expect, test } from 'vitest';

import { errorOf, loadPosenc, numbers } from './support/posenc.js';
import { type Numbers, broken, whole } from './support/memory-kinds.js';
import { completed, make, nested } from './support/samples.js';

const posenc = await loadPosenc();
const [heads, headDim, dim, seq] = [2, 4, 8, 3];
const rows = (seed: number): Float32Array<ArrayBuffer> => new Float32Array(numbers(seq * dim, seed));
const [x, headShape, rowShape] = [rows(1), [heads, seq, headDim], [seq, dim]];
const q = { data: rows(2), shape: headShape };

const owned: { dispose(): void }[] = [];
const own = <Kind extends { dispose(): void }>(object: Kind): Kind => {
  owned.push(object);
  return object;
};
afterAll(() => owned.reverse().forEach((each) => each.dispose()));

const sinusoidal = own(posenc.sinusoidal({ dim }));
const learned = own(posenc.learned({ dim, maxLength: 16 }));
const rope = own(posenc.rope({ headDim }));
const alibi = own(posenc.alibi({ heads, trainable: true }));
const shaw = own(posenc.shaw({ headDim, left: 4 }));
const relation = own(posenc.relation({ heads, relations: 3 }));
const attention = own(posenc.attention({ heads, headDim, encodings: [rope, alibi] }));
const related = own(posenc.attention({ heads, headDim, encodings: [relation] }));
const cosine = own(posenc.attention({ heads, headDim, logits: 'cosine' }));
const layer = own(posenc.attentionLayer({ dim, heads, encodings: [sinusoidal] }));
const grad = attention.forwardForGrad(q, q, q);
const layerGrad = layer.forwardForGrad({ data: x, shape: rowShape });
const backward = { q, k: q, v: q, ...grad, dOut: q };
const layerBackward = { x: { data: x, shape: rowShape }, attended: layerGrad.attended, lse: layerGrad.lse, dOut: { data: x, shape: rowShape } };

type Entry = [name: string, usual: Numbers, call: (array: never) => unknown];
const entry = <Kind extends Numbers>(name: string, usual: Kind, call: (array: Kind) => unknown): Entry => [name, usual, call];
const floats = (name: string, call: (array: Float32Array) => unknown): Entry => entry(name, x, call);
const cached = (use: (cache: ReturnType<typeof attention.cache>) => unknown): unknown => {
  const cache = attention.cache({ batch: 1 });
  try {
    cache.append(q, q);
    use(cache);
    const out = attention.forward(q, q, q, { cache });
    return [out, [...cache.lengths]];
  } finally {
    cache.dispose();
  }
};

const positions = Float64Array.of(5, 0, 2);
const inputs: Entry[] = [
  floats('input.add x', (data) => sinusoidal.add({ data, shape: rowShape })),
  floats('input.concat x', (data) => sinusoidal.concat({ data, shape: rowShape })),
  floats('input.backward dOut', (data) => learned.backward({ data, shape: rowShape })),
  entry('input.encode positions', positions, (list) => sinusoidal.encode(list)),
  entry('input.encode positions with a shape', positions, (data) => sinusoidal.encode({ data, shape: [1, 3] })),
  entry('input.add positions', Int32Array.of(5, 0, 2), (list) => sinusoidal.add({ data: x, shape: rowShape }, { positions: list })),
  entry('input.add positions of 64 bits', BigInt64Array.of(5n, 0n, 2n), (list) => sinusoidal.add({ data: x, shape: rowShape }, { positions: list })),
  floats('rotary.apply x', (data) => rope.apply({ data, shape: headShape })),
  floats('rotary.invert x', (data) => rope.invert({ data, shape: headShape })),
  floats('rotary.backward x', (data) => rope.backward({ data, shape: headShape })),
  entry('rotary.apply positions', positions, (list) => rope.apply(q, { positions: list })),
  entry('rotary.table positions', positions, (list) => rope.table(list)),
  entry('rotary.apply table.cos', numbers(seq * 2, 3), (data) => rope.apply(q, { table: { cos: { data, shape: [seq, 2] }, sin: { data: numbers(6, 4), shape: [seq, 2] } } })),
  entry('bias.bias positions.q', positions, (list) => alibi.bias(3, 2, { positions: { q: list, k: 0 } })),
  entry('bias.backward dBias', numbers(heads * 9, 3), (data) => alibi.backward({ data, shape: [heads, 3, 3] })),
  entry('bias.bias relations', Int32Array.of(0, 1, 2, 0, 1, 2), (list) => relation.bias(2, 3, { relations: list })),
  entry('relative.rows positions', positions, (list) => shaw.rows(list)),
  floats('attention.forward q', (data) => attention.forward({ data, shape: headShape }, q, q)),
  floats('attention.forward k', (data) => attention.forward(q, { data, shape: headShape }, q)),
  floats('attention.forward v', (data) => attention.forward(q, q, { data, shape: headShape })),
  floats('attention.scores q', (data) => attention.scores({ data, shape: headShape }, q, 'biased')),
  entry('attention.forward mask of numbers', numbers(9, 3), (data) => attention.forward(q, q, q, { mask: { data, shape: [3, 3] } })),
  entry('attention.forward mask of booleans', Uint8Array.of(1, 0, 1, 1, 1, 1, 0, 0, 1), (data) => attention.forward(q, q, q, { mask: { data, shape: [3, 3] } })),
  entry('attention.forward keyLengths', Int32Array.of(2), (keyLengths) => attention.forward(q, q, q, { keyLengths })),
  entry('attention.forward qOffset', Int32Array.of(2), (qOffset) => attention.forward(q, q, q, { qOffset })),
  entry('attention.forward segments.q', Int32Array.of(0, 1, 1), (list) => attention.forward(q, q, q, { segments: { q: list, k: [0, 1, 1] } })),
  entry('attention.forward global.k', Uint8Array.of(0, 1, 0), (list) => attention.forward(q, q, q, { global: { q: [0, 0, 0], k: list } })),
  entry('attention.forward sinks', numbers(heads, 5), (sinks) => attention.forward(q, q, q, { sinks })),
  entry('attention.forward logitScale', numbers(heads, 5), (logitScale) => cosine.forward(q, q, q, { logitScale })),
  entry('attention.forward positions.k', positions, (list) => attention.forward(q, q, q, { positions: { q: 0, k: list } })),
  entry('attention.forward relations', Int32Array.of(0, 1, 2, 0, 1, 2, 1, 1, 1), (relations) => related.forward(q, q, q, { relations })),
  floats('attention.backward out', (data) => attention.backward({ ...backward, out: { data, shape: headShape } })),
  floats('attention.backward dOut', (data) => attention.backward({ ...backward, dOut: { data, shape: headShape } })),
  entry('attention.backward lse', grad.lse.data, (data) => attention.backward({ ...backward, lse: { data, shape: [heads, seq] } })),
  floats('cache.append k', (data) => cached((cache) => cache.append({ data, shape: headShape }, q))),
  floats('cache.append v', (data) => cached((cache) => cache.append(q, { data, shape: headShape }))),
  entry('cache.append counts', Int32Array.of(2), (counts) => cached((cache) => cache.append(q, q, { counts: counts as never }))),
  entry('cache.append positions', positions, (list) => cached((cache) => cache.append(q, q, { positions: list }))),
  entry('cache.truncate', Int32Array.of(2), (lengths) => cached((cache) => cache.truncate(lengths as never))),
  entry('cache.reorder', Int32Array.of(0), (order) => cached((cache) => cache.reorder(order as never))),
  floats('layer.forward x', (data) => layer.forward({ data, shape: rowShape })),
  floats('layer.forward context', (data) => layer.forward({ data: x, shape: rowShape }, { context: { data, shape: rowShape } })),
  entry('layer.forward mask', numbers(9, 3), (data) => layer.forward({ data: x, shape: rowShape }, { mask: { data, shape: [3, 3] } })),
  entry('layer.forward positions', positions, (list) => layer.forward({ data: x, shape: rowShape }, { positions: list })),
  floats('layer.backward attended', (data) => layer.backward({ ...layerBackward, attended: { data, shape: layerGrad.attended.shape } })),
  floats('layer.backward dOut', (data) => layer.backward({ ...layerBackward, dOut: { data, shape: rowShape } })),
  entry('layer.backward lse', layerGrad.lse.data, (data) => layer.backward({ ...layerBackward, lse: { data, shape: layerGrad.lse.shape } })),
  entry('parameters of an encoding', numbers(heads, 5), (slopes) => {
    alibi.parameters = { slopes };
    return alibi.parameters;
  }),
  entry('weights of an encoding', numbers(heads, 5), (slopes) => {
    const made = posenc.alibi({ heads, weights: { slopes } });
    made.dispose();
    return made.heads;
  }),
  entry('parameters of a layer', numbers(dim, 5), (bo) => {
    const made = posenc.attentionLayer({ dim, heads });
    try {
      made.parameters = { bo };
      return made.parameters.bo;
    } finally {
      made.dispose();
    }
  }),
  entry('an option that is a list', Float64Array.of(1.25, 2), (shortFactor) => {
    const made = posenc.rope({ headDim, scaling: { type: 'longrope', factor: 4, originalLength: 8, shortFactor: shortFactor as never, longFactor: [4, 5] } });
    const table = made.table(3);
    made.dispose();
    return table;
  }),
  floats('posenc.tensor data', (data) => {
    const tensor = posenc.tensor([seq, dim], data);
    const copy = tensor.toTensor();
    tensor.dispose();
    return copy;
  }),
  floats('posenc.toHalf', (data) => posenc.toHalf({ data, shape: rowShape }, 'f16')),
  entry('posenc.fromHalf', Uint16Array.of(1, 2, 3), (bits) => posenc.fromHalf(bits, [3], 'f16')),
];

const outputs: [string, number, (into: Float32Array) => unknown][] = [
  ['input.encode', seq * dim, (into) => sinusoidal.encode(seq, { into })],
  ['input.add', seq * dim, (into) => sinusoidal.add({ data: x, shape: rowShape }, { into })],
  ['input.concat', 2 * seq * dim, (into) => sinusoidal.concat({ data: x, shape: rowShape }, { into })],
  ['rotary.apply', seq * dim, (into) => rope.apply(q, { into })],
  ['bias.bias', heads * 9, (into) => alibi.bias(3, 3, { into })],
  ['relative.rows', 3 * headDim, (into) => shaw.rows(3, { into })],
  ['attention.forward', seq * dim, (into) => attention.forward(q, q, q, { into })],
  ['attention.forwardForGrad lse', heads * seq, (lse) => attention.forwardForGrad(q, q, q, { lse })],
  ['attention.backward dk', seq * dim, (dk) => attention.backward({ ...backward, into: { dk } })],
  ['layer.forward', seq * dim, (into) => layer.forward({ data: x, shape: rowShape }, { into })],
  ['layer.backward dx', seq * dim, (dx) => layer.backward({ ...layerBackward, into: { dx } })],
  ['posenc.fromHalf', 3, (into) => posenc.fromHalf(Uint16Array.of(1, 2, 3), [3], 'bf16', { into })],
];

const expected = sinusoidal.encode(5).data;
const before = posenc.memory();
afterEach(() => {
  expect(sinusoidal.encode(5).data).toEqual(expected);
  const { encodings, attentions, caches, tensors, layers } = posenc.memory();
  expect({ encodings, attentions, caches, tensors, layers }).toEqual({ encodings: before.encodings, attentions: before.attentions, caches: before.caches, tensors: before.tensors, layers: before.layers });
});

/** What a call gives, or the code of its error. */
function outcome(call: () => unknown): unknown {
  try {
    return call();
  } catch (error) {
    if (error instanceof PosencError) return error.code;
    throw error;
  }
}

describe.each(inputs)('%s', (_, usual, call) => {
  test('the same from memory of any kind', () => {
    const want = call(usual.slice() as never);
    for (const [kind, made] of whole) expect(call(made(usual) as never), kind).toEqual(want);
  });

  test('refused where numbers are missing', () => {
    for (const [kind, code, made] of broken) {
      // Without a shape of its own a list that was cut is merely another list.
      const shorter = code === 'detached' ? code : outcome(() => call(usual.slice(0, -1) as never));
      const got = outcome(() => call(made(usual) as never));
      expect(got, kind).toEqual(typeof got === 'string' && code !== 'detached' ? code : shorter);
    }
  });
});

test.each(outputs)('%s into memory of any kind', (_, size, call) => {
  const plain = new Float32Array(size).fill(7);
  call(plain);
  for (const [kind, made] of whole) {
    const place = made(new Float32Array(size).fill(7));
    call(place);
    expect(Float32Array.from(place), kind).toEqual(plain);
  }
  for (const [kind, code, made] of broken) {
    const place = made(new Float32Array(size).fill(7));
    expect(errorOf(() => call(place)).code, kind).toBe(code);
    if (code !== 'detached') expect([...place].every((value) => value === 7), kind).toBe(true);
  }
});

test('tensor arguments of every operation', () => {
  for (const info of catalog.encodings) {
    for (const operation of info.operations) {
      const encoding = make(posenc, { id: info.id, info, title: info.id, values: completed(info, {}) });
      const owner = (operation.needsInstance ? encoding : (posenc as unknown as Record<string, unknown>)[info.id]) as Record<string, (...args: unknown[]) => unknown>;
      const options = nested(Object.fromEntries(operation.fields.filter(({ required }) => required).map(({ name, type }) => [name, type === 'list' ? [2, 2] : 2])));
      const usual = Float32Array.of(1, 0, 2, 1);
      operation.inputs.forEach((input, at) => {
        const call = (data: Float32Array): unknown =>
          outcome(() => owner[operation.name]!(...operation.inputs.map((_, index) => ({ data: index === at ? data : usual, shape: [4, 1] })), options));
        const want = call(usual);
        for (const [kind, made] of whole) expect(call(made(usual)), `${info.id}.${operation.name} ${input.name} ${kind}`).toEqual(want);
        // What is wrong with the other arguments may be seen before.
        for (const [kind, code, made] of broken) expect([code, ...(typeof want === 'string' ? [want] : [])], `${info.id}.${operation.name} ${input.name} ${kind}`).toContain(call(made(usual)));
      });
      encoding.dispose();
    }
  }
});
