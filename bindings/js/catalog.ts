/** The catalogue: what the library knows of its encodings, as data. It needs no WebAssembly. */
import type { Family } from './encoding.js';
import type { PosencErrorCode } from './errors.js';
import { catalog as data } from './generated/catalog.js';

/** All that is known of every encoding, and of the options of attention. Frozen: others read it too. */
export const catalog: Catalog = /* @__PURE__ */ frozen(data);

function frozen<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value;
  for (const name in value) frozen(value[name]);
  return Object.freeze(value);
}

/** "Only where `field` has one of `values`." */
export interface CatalogCondition {
  /** Name of the option that decides. */
  readonly field: string;
  /** The values of it under which this one applies. */
  readonly values: readonly (string | boolean | number)[];
}

/** An option. */
export interface CatalogField {
  /** As in the options object; a dot for members of a group: 'scaling.factor'. */
  readonly name: string;
  /** What kind of value it takes; a list is one of numbers. */
  readonly type: 'number' | 'integer' | 'boolean' | 'choice' | 'list';
  /** Whether it has to be given, where it applies. */
  readonly required: boolean;
  /** null: not set unless given. */
  readonly default: number | boolean | string | null;
  /** The default in words, where it depends on other options. */
  readonly defaultDoc?: string;
  /** Smallest value, of a list each value. */
  readonly minimum?: number;
  /** Largest value. */
  readonly maximum?: number;
  /** The minimum itself is not allowed. */
  readonly aboveMinimum?: boolean;
  /** What it has to be a multiple of. */
  readonly multipleOf?: number;
  /** Another option that bounds this one. */
  readonly atMostField?: string;
  /** It applies only there. */
  readonly condition?: CatalogCondition;
  /** The values of a choice. */
  readonly choices?: readonly string[];
  /** What it means, in words. */
  readonly doc: string;
  /** The range of a slider that shows what the option does. */
  readonly shown?: CatalogRange;
}

/** Where a slider goes. */
export interface CatalogRange {
  /** Its lowest value. */
  readonly low: number;
  /** Its highest value. */
  readonly high: number;
  /** Whether equal steps multiply. */
  readonly log: boolean;
}

/** A trainable tensor. */
export interface CatalogTensor {
  /** Its name in `parameters`, `weights` and gradients. */
  readonly name: string;
  /** Sizes in terms of options: '[2 * window + 1, headDim]'; `/` rounds down. */
  readonly shape: string;
  /** It exists only there. */
  readonly present?: CatalogCondition;
  /** It has a gradient only there. */
  readonly trained?: CatalogCondition;
  /** Holds whole numbers from 0 to below this size, in terms of options as in `shape`: such a tensor is never trained. */
  readonly indexBelow?: string;
  /** What it means, in words. */
  readonly doc: string;
  /** How it is initialised, in words. */
  readonly initialDoc: string;
}

/** What an operation takes in front of its options. */
export interface CatalogInput {
  /** What errors call it. */
  readonly name: string;
  /** Whether it has to be given. */
  readonly required: boolean;
  /** Shape and meaning, in words. */
  readonly doc: string;
}

/** One of the results of an operation. */
export interface CatalogResult {
  /** Its name in the object that the operation gives. */
  readonly name: string;
  /** Shape and meaning, in words. */
  readonly doc: string;
}

/** An operation beyond those of the family. */
export interface CatalogOperation {
  /** Its name in JavaScript. */
  readonly name: string;
  /** A method of the encoding; else a function of its factory. */
  readonly needsInstance: boolean;
  /** What it takes in front of its options, in order. */
  readonly inputs: readonly CatalogInput[];
  /** Its options. */
  readonly fields: readonly CatalogField[];
  /** Its results where it has several, an object of tensors by name. */
  readonly results: readonly CatalogResult[];
  /** What it does, in words. */
  readonly doc: string;
  /** Shape and meaning of its result, in words. */
  readonly returns: string;
}

/** Positions: whole numbers from 0, whole numbers, or any numbers. */
export interface CatalogDomain {
  /** Which numbers. */
  readonly kind: 'naturals' | 'integers' | 'reals';
  /** Naturals are below it, the others no larger in magnitude. */
  readonly limit: number;
  /** Coordinates of a position. */
  readonly axes: number;
}

/** An encoding. */
export interface CatalogEncoding {
  /** Name of its factory: `posenc[id]`. */
  readonly id: string;
  /** Where position enters attention. */
  readonly family: Family;
  /** Its name as people say it. */
  readonly title: string;
  /** One or two sentences for someone who has never seen it. */
  readonly summary: string;
  /** Authors, year and title of the paper. */
  readonly paper: string;
  /** Where the paper is. */
  readonly url: string;
  /** LaTeX. */
  readonly formula: string;
  /** 'absolute', 'relative' or 'none'. */
  readonly kind: string;
  /** What happens beyond the trained length. */
  readonly extrapolates: string;
  /** Models that use it. */
  readonly models: readonly string[];
  /** What speaks for it. */
  readonly good: string;
  /** What speaks against it. */
  readonly bad: string;
  /** What it is used for. */
  readonly tasks: readonly string[];
  /** Positions that it is defined for. */
  readonly domain: CatalogDomain;
  /** Its options. */
  readonly fields: readonly CatalogField[];
  /** Its trainable tensors. */
  readonly tensors: readonly CatalogTensor[];
  /** What it offers beyond its family. */
  readonly operations: readonly CatalogOperation[];
}

/** What something that is no encoding takes. */
export interface CatalogOptions {
  /** Its options. */
  readonly fields: readonly CatalogField[];
}

/** What the library knows of itself. */
export interface Catalog {
  /** Version of the package. */
  readonly version: string;
  /** All encodings, in the order of the README. */
  readonly encodings: readonly CatalogEncoding[];
  /** Options of `posenc.attention`. */
  readonly attention: CatalogOptions;
  /** Options of `attention.cache`. */
  readonly cache: CatalogOptions;
  /** Codes of errors that come from the C++ library. */
  readonly errorCodes: readonly PosencErrorCode[];
  /** What `attention.scores` takes as its stage. */
  readonly scoreStages: readonly string[];
}
