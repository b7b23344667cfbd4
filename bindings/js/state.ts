/** Encodings and layers to JSON or a safetensors file, and back with the same bits. */
import type { AttentionLayer, Encoding, Posenc, Tensor } from './exports.js';
import { PosencError, describe, expectPosenc } from './errors.js';
import { readSafetensors, writeSafetensors } from './formats/safetensors.js';
import type { FileBytes } from './formats/stored.js';
import { encodingSpecs } from './generated/encodings.js';
import type { Shape } from './shape.js';
import { type JsonTensor, fromBase64, toBase64 } from './state/base64.js';

export type { JsonTensor } from './state/base64.js';

/** An encoding without its tensors: what its factory is called with. */
export interface EncodingDescription {
  /** Tells it from a layer's. */
  readonly kind: 'encoding';
  /** Name of the factory. */
  readonly id: string;
  /** The encoding's name: its id, unless it was given another. */
  readonly name: string;
  /** What its tensors were initialised from. */
  readonly seed: number;
  /** Options of the factory. */
  readonly options: Readonly<Record<string, unknown>>;
}

/** An attention layer and its encodings without their tensors. */
export interface LayerDescription {
  /** Tells it from an encoding's. */
  readonly kind: 'attentionLayer';
  /** What its weights were initialised from. */
  readonly seed: number;
  /** Options of `posenc.attentionLayer`, without encodings and weights. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Its encodings, in their order. */
  readonly encodings: readonly EncodingDescription[];
}

/** What is saved beside the tensors. */
export type Description = EncodingDescription | LayerDescription;

/** A description with the tensors by name, `name.tensor` for those of a layer's encodings: plain data for JSON. */
export type SavedState<Kind extends Description = Description> = Kind & {
  /** Every tensor under its name. */
  readonly tensors: Readonly<Record<string, JsonTensor>>;
};

/** What is saved and loaded. `'family' in saved` tells an encoding, `'encodings' in saved` a layer. */
export type Saved = Encoding<object> | AttentionLayer;

/** An encoding or a layer as plain data for `JSON.stringify`. Floats stand there as base64 of their bytes. */
export function toJSON(object: Saved): SavedState {
  const tensors = Object.entries(tensorsOf(object)).map(([name, { data, shape }]) => [name, { shape, data: toBase64(data) }]);
  return { ...describeState(object), tensors: Object.fromEntries(tensors) as Record<string, JsonTensor> };
}

/**
 * What `toJSON` gave, made again. A layer's encodings are made too; they are in `layer.encodings`, to be disposed after
 * the layer.
 */
export function fromJSON(posenc: Posenc, saved: SavedState | string): Saved {
  expectPosenc(posenc);
  const { tensors = {}, ...description } = fields(typeof saved === 'string' ? parse(saved, 'saved') : saved, 'saved');
  const read = Object.entries(fields(tensors, 'saved.tensors')).map(([name, tensor]): [string, State] => {
    const { data, shape } = fields(tensor, `saved.tensors.${name}`);
    return [name, { data: fromBase64(data, `saved.tensors.${name}`), shape: shape as Shape }];
  });
  return make(posenc, description, Object.fromEntries(read), 'saved');
}

/** An encoding or a layer as a safetensors file. Other programs find its tensors there under their names. */
export function toSafetensors(object: Saved): Uint8Array<ArrayBuffer> {
  return writeSafetensors(tensorsOf(object), { posenc: JSON.stringify(describeState(object)) });
}

/** What `toSafetensors` gave, made again; see `fromJSON`. */
export function fromSafetensors(posenc: Posenc, bytes: FileBytes): Saved {
  expectPosenc(posenc);
  const { tensors, metadata } = readSafetensors(bytes);
  const description = Object.hasOwn(metadata, 'posenc') ? metadata['posenc'] : undefined;
  if (description === undefined) {
    throw new PosencError('missingOption', 'bytes', 'a file without the metadata "posenc"', 'a file that toSafetensors gave');
  }
  const floats = Object.entries(tensors).map(([name, { data, shape }]): [string, State] => {
    if (!(data instanceof Float32Array)) throw new PosencError('invalidType', 'bytes', `tensor ${name} of another dtype`, 'F32');
    return [name, { data, shape }];
  });
  return make(posenc, fields(parse(description, 'bytes'), 'bytes'), Object.fromEntries(floats), 'bytes');
}

interface State {
  readonly data: Float32Array;
  readonly shape: Shape;
}

function tensorsOf(object: Saved): Record<string, Tensor> {
  const { parameters, encodings, family } = (object ?? {}) as Partial<AttentionLayer & Encoding<object>>;
  if (typeof parameters !== 'object' || (encodings ?? family) === undefined) {
    throw new PosencError('invalidType', 'object', describe(object), 'an encoding or an attention layer');
  }
  return parameters as Record<string, Tensor>;
}

function describeState(object: Saved): Description {
  if ('family' in object) return describeEncoding(object);
  const { options, seed, encodings } = object;
  return { kind: 'attentionLayer', seed, options: plainOptions(options), encodings: encodings.map(describeEncoding) };
}

function describeEncoding({ id, name, seed, options }: Encoding<object>): EncodingDescription {
  return { kind: 'encoding', id, name, seed, options: plainOptions(options, ['name', 'seed', 'weights']) };
}

/** Options as JSON has them: typed arrays as arrays, and what is not given left out. */
function plainOptions(options: object, without: readonly string[] = []): Record<string, unknown> {
  const entries = Object.entries(options).filter(([name, value]) => value !== undefined && !without.includes(name));
  return Object.fromEntries(entries.map(([name, value]) => [name, plain(value)]));
}

function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value) || ArrayBuffer.isView(value)) return Array.from(value as ArrayLike<unknown>, plain);
  return plainOptions(value);
}

function parse(text: string, parameter: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new PosencError('invalidType', parameter, 'text that is no JSON', 'what this library wrote');
  }
}

/** An object whose fields are of any kind still: what is loaded may come from anywhere. */
function fields(value: unknown, parameter: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new PosencError('invalidType', parameter, describe(value), 'what this library wrote');
}

type Fields = Readonly<Record<string, unknown>>;
type Tensors = Readonly<Record<string, State>>;

function make(posenc: Posenc, description: Fields, tensors: Tensors, parameter: string): Saved {
  switch (description['kind']) {
    case 'encoding':
      return expectTensors(makeEncoding(posenc, description, tensors, parameter), tensors, parameter);
    case 'attentionLayer':
      return makeLayer(posenc, description, tensors, parameter);
    default:
      throw new PosencError('invalidType', parameter, `kind ${describe(description['kind'])}`, "'encoding' or 'attentionLayer'");
  }
}

function makeEncoding(posenc: Posenc, { id, name, seed, options = {} }: Fields, weights: Tensors, parameter: string): Encoding<object> {
  // Other functions of an instance are no encodings, whatever a file says.
  if (!encodingSpecs.some((spec) => spec.id === id)) {
    throw new PosencError('unknownOption', parameter, `the encoding ${describe(id)}`, 'one that this version has');
  }
  const factories = posenc as unknown as Record<string, (options: object) => Encoding<object>>;
  return (factories[id as string] as (options: object) => Encoding<object>)({ ...fields(options, `${parameter}.options`), name, seed, weights });
}

/** A tensor that is missing would silently be what `seed` makes it. */
function expectTensors<Made extends Saved>(made: Made, tensors: Tensors, parameter: string): Made {
  const missing = Object.keys(made.parameters).find((name) => !Object.hasOwn(tensors, name));
  if (missing === undefined) return made;
  made.dispose();
  throw new PosencError('missingOption', parameter, `no tensor ${missing}`, 'every tensor of what was saved');
}

function makeLayer(posenc: Posenc, { seed, options = {}, encodings = [] }: Fields, weights: Tensors, parameter: string): AttentionLayer {
  if (!Array.isArray(encodings)) throw new PosencError('invalidType', `${parameter}.encodings`, describe(encodings), 'a list of encodings');
  const made: Encoding<object>[] = [];
  try {
    for (const each of encodings) made.push(makeEncoding(posenc, fields(each, `${parameter}.encodings`), {}, parameter));
    const config = { ...fields(options, `${parameter}.options`), seed, encodings: made, weights };
    return expectTensors(posenc.attentionLayer(config as unknown as Parameters<Posenc['attentionLayer']>[0]), weights, parameter);
  } catch (error) {
    for (const encoding of made) encoding.dispose();
    throw error;
  }
}
