/** The catalogue: what the library knows of its encodings, as data. It needs no WebAssembly. */
import type { Family } from './encoding.js';
import type { PosencErrorCode } from './errors.js';

export { catalog } from './generated/catalog.js';

/** "Only where `field` has one of `values`." */
export interface CatalogCondition {
  readonly field: string;
  readonly values: readonly (string | boolean | number)[];
}

/** An option. */
export interface CatalogField {
  /** As in the options object; a dot for members of a group: 'scaling.factor'. */
  readonly name: string;
  readonly type: 'number' | 'integer' | 'boolean' | 'choice' | 'list';
  readonly required: boolean;
  /** null: not set unless given. */
  readonly default: number | boolean | string | null;
  /** The default in words, where it depends on other options. */
  readonly defaultDoc?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  /** The minimum itself is not allowed. */
  readonly aboveMinimum?: boolean;
  readonly multipleOf?: number;
  /** Another option that bounds this one. */
  readonly atMostField?: string;
  readonly condition?: CatalogCondition;
  readonly choices?: readonly string[];
  readonly doc: string;
  /** The range of a slider that shows what the option does. */
  readonly shown?: { readonly low: number; readonly high: number; readonly log: boolean };
}

/** A trainable tensor. */
export interface CatalogTensor {
  readonly name: string;
  /** Sizes in terms of options: '[2 * window + 1, headDim]'; `/` rounds down. */
  readonly shape: string;
  /** It exists only there. */
  readonly present?: CatalogCondition;
  /** It has a gradient only there. */
  readonly trained?: CatalogCondition;
  readonly doc: string;
  readonly initialDoc: string;
}

/** An operation beyond those of the family. */
export interface CatalogOperation {
  readonly name: string;
  /** A method of the encoding; else a function of its factory. */
  readonly needsInstance: boolean;
  readonly inputs: readonly { readonly name: string; readonly required: boolean; readonly doc: string }[];
  readonly fields: readonly CatalogField[];
  /** Its results where it has several, an object of tensors by name. */
  readonly results: readonly { readonly name: string; readonly doc: string }[];
  readonly doc: string;
  readonly returns: string;
}

/** An encoding. */
export interface CatalogEncoding {
  readonly id: string;
  readonly family: Family;
  readonly title: string;
  /** One or two sentences for someone who has never seen it. */
  readonly summary: string;
  readonly paper: string;
  readonly url: string;
  /** LaTeX. */
  readonly formula: string;
  /** 'absolute', 'relative' or 'none'. */
  readonly kind: string;
  /** What happens beyond the trained length. */
  readonly extrapolates: string;
  readonly models: readonly string[];
  readonly good: string;
  readonly bad: string;
  readonly tasks: readonly string[];
  /** Positions that it is defined for: whole numbers from 0 below `limit`, or numbers up to that magnitude. */
  readonly domain: { readonly kind: 'naturals' | 'integers' | 'reals'; readonly limit: number; readonly axes: number };
  readonly fields: readonly CatalogField[];
  readonly tensors: readonly CatalogTensor[];
  readonly operations: readonly CatalogOperation[];
}

export interface Catalog {
  /** Version of the package. */
  readonly version: string;
  readonly encodings: readonly CatalogEncoding[];
  readonly attention: { readonly fields: readonly CatalogField[] };
  readonly cache: { readonly fields: readonly CatalogField[] };
  readonly errorCodes: readonly PosencErrorCode[];
  readonly scoreStages: readonly string[];
}
