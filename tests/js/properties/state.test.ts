// Every encoding, alone and in a layer, saved and restored: the same options, name, seed, bits of its tensors and bits of
// what it makes.
import type { AttentionLayer, BiasEncoding, Encoding, InputEncoding, RelativeEncoding, RotaryEncoding, Tensor } from 'posenc';
import { fromJSON, fromSafetensors, toJSON, toSafetensors } from 'posenc/state';
import { expect, test } from 'vitest';

import { loadPosenc, random } from '../support/posenc.js';
import { type Sample, headDim, heads, make, places, relationsOf, samples } from '../support/samples.js';

const posenc = await loadPosenc();

/** Every number of a value as the text of its bits: -0 is not 0, and text is compared quickly. */
function bits(value: unknown): unknown {
  if (value instanceof Float32Array) return new Uint32Array(value.buffer, value.byteOffset, value.length).join();
  if (Array.isArray(value)) return value.map(bits);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, bits(each)]));
}

/** Options without those that all encodings have. */
const own = (options: object): object => Object.fromEntries(Object.entries(options).filter(([name]) => !['name', 'seed', 'weights'].includes(name)));

/** What an encoding makes, whatever its family. */
function made(encoding: Encoding<object>): unknown {
  const { axes } = encoding;
  switch (encoding.family) {
    case 'input': {
      const input = encoding as InputEncoding;
      const x = random([10, input.width], 2);
      return axes === 2 ? input.add(x, { grid: [2, 5] }) : input.add(x, { positions: places(axes, 0, 10) });
    }
    case 'rotary':
      return (encoding as RotaryEncoding).apply(random([heads, 7, headDim]), { positions: 3 });
    case 'bias':
      return (encoding as BiasEncoding).bias(3, 6, { positions: { q: places(axes, 3, 3), k: places(axes, 0, 6) }, ...relationsOf(encoding, 3, 3, 6) });
    case 'relative':
      return (encoding as RelativeEncoding).terms.map((_, term) => (encoding as RelativeEncoding).rows([0, 1, 2], { term }));
    default:
      return undefined;
  }
}

test.each(samples.map((sample): [string, Sample] => [sample.title, sample]))('%s', (_, sample) => {
  const encoding = make(posenc, sample, { name: 'kept', seed: 11 });
  const again = [fromJSON(posenc, JSON.parse(JSON.stringify(toJSON(encoding)))), fromSafetensors(posenc, toSafetensors(encoding))] as Encoding<object>[];
  for (const other of again) {
    expect(other).toMatchObject({ id: sample.id, name: 'kept', seed: 11 });
    expect(own(other.options)).toEqual(own(encoding.options));
    expect(other.trainable).toEqual(encoding.trainable);
    expect(bits(other.parameters)).toEqual(bits(encoding.parameters));
    expect(bits(made(other))).toEqual(bits(made(encoding)));
  }
  for (const each of [encoding, ...again]) each.dispose();
});

/** Weights of every kind that a layer has, so that none is what the seed would make. */
function layerOf(encoding: Encoding<object>): AttentionLayer {
  const dim = encoding.family === 'input' ? (encoding as InputEncoding).width : heads * headDim;
  const layer = posenc.attentionLayer({ dim, heads, kvHeads: 2, headDim, causal: true, softcap: 3, seed: 9, encodings: [encoding] });
  const own = Object.entries(layer.parameters as Record<string, Tensor>).filter(([name]) => !name.includes('.'));
  layer.parameters = Object.fromEntries(own.map(([name, { data }], at) => [name, random([data.length], 40 + at).data]));
  return layer;
}

/** What a layer gives and the gradients of all that it holds. */
function ran(layer: AttentionLayer): unknown {
  const [encoding] = layer.encodings as [Encoding<object>];
  const { axes, id, family } = encoding;
  const count = family === 'input' && axes === 2 ? 10 : 7;
  const x = random([count, layer.dim], 2);
  const grid = family === 'input' && axes === 2 ? { grid: [2, 5] } : {};
  const at = family === 'input' && axes === 2 ? {} : { positions: places(id === 'mrope' ? 1 : axes, 0, count) };
  const options = { ...grid, ...at, ...relationsOf(encoding, 0, count, count) };
  const { out, attended, lse } = layer.forwardForGrad(x, options);
  expect(out.data.every(Number.isFinite)).toBe(true);
  return [out, layer.backward({ x, attended, lse, dOut: random([count, layer.dim], 3), ...options })];
}

/** What attention alone cannot take, and what a layer does not: a convolution of its input. */
const inLayers = [...samples.filter(({ id }) => id !== 'conv'), { ...samples.find(({ id }) => id === 't5')!, title: 't5 gate=input', values: { heads, gate: 'input', headDim } }];

test.each(inLayers.map((sample): [string, Sample] => [sample.title, sample]))('a layer with %s', (_, sample) => {
  const encoding = make(posenc, sample, { name: 'kept', seed: 11 });
  const layer = layerOf(encoding);
  const names = Object.keys(layer.parameters);
  expect(names).toEqual(expect.arrayContaining(['Wq', 'Wk', 'Wv', 'Wo', 'bq', 'bk', 'bv', 'bo']));
  const [kept, wanted] = [bits(layer.parameters), bits(ran(layer))];
  const again = [fromJSON(posenc, JSON.stringify(toJSON(layer))), fromSafetensors(posenc, toSafetensors(layer))] as AttentionLayer[];
  for (const other of again) {
    expect(other.options).toEqual(layer.options);
    expect(bits(other.parameters)).toEqual(kept);
    expect(own(other.encodings[0]!.options)).toEqual(own(encoding.options));
    expect(bits(ran(other))).toEqual(wanted);
  }
  for (const each of [layer, ...again]) each.dispose();
  for (const each of [layer, ...again]) each.encodings[0]!.dispose();
});
