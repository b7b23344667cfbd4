// Typed reading of config.json fields: several spellings, class defaults, and errors that name the field.
import { PosencError, describe } from '../errors.js';
import type { ModelConfig } from './types.js';

/** True for `{...}` as JSON has it. */
export function isObject(value: unknown): value is ModelConfig {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Layers that a tower, or a stage of one, may have. */
const kMostLayers = 10_000;

/** Text of a value for an error message, cut short. */
export function show(value: unknown): string {
  const text = jsonOf(value) ?? describe(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}

/** Undefined for what JSON has no words for: whole numbers of 64 bits, circles, functions. */
function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

/**
 * Reads the fields of one (part of a) config. A field that is there wins over the defaults of the model's class, even
 * when it is null: null says "none", as Hugging Face has it.
 */
export class ConfigReader {
  readonly fields: ModelConfig;
  readonly #defaults: ModelConfig;
  readonly #path: string;

  constructor(fields: ModelConfig, defaults: ModelConfig = {}, path = '') {
    this.fields = fields;
    this.#defaults = defaults;
    this.#path = path;
  }

  /** The same fields over other defaults. */
  withDefaults(defaults: ModelConfig): ConfigReader {
    return new ConfigReader(this.fields, defaults, this.#path);
  }

  /** Other fields under the same defaults. */
  over(fields: ModelConfig): ConfigReader {
    return new ConfigReader(fields, this.#defaults, this.#path);
  }

  /** Whether the config itself, not the class, sets one of these fields to something. */
  sets(...names: string[]): boolean {
    return names.some((name) => this.fields[name] !== undefined && this.fields[name] !== null);
  }

  /** Whether the config itself says "none" by a null. */
  isNone(...names: string[]): boolean {
    return names.some((name) => this.fields[name] === null);
  }

  /** Value of the first of the spellings that is there, else the class default; null counts as undefined. */
  value(...names: string[]): unknown {
    return this.#find(names)[1] ?? undefined;
  }

  number(...names: string[]): number | undefined {
    return this.#read(names, 'a finite number', (v): v is number => Number.isFinite(v));
  }

  integer(...names: string[]): number | undefined {
    const isCount = (v: unknown): v is number => Number.isSafeInteger(v) && (v as number) >= 0;
    return this.#read(names, 'a whole number that is not negative', isCount);
  }

  /** A number of layers: a description lists them one by one. */
  layers(...names: string[]): number | undefined {
    const isCount = (v: unknown): v is number => Number.isInteger(v) && (v as number) >= 0 && (v as number) <= kMostLayers;
    return this.#read(names, `a whole number up to ${kMostLayers}`, isCount);
  }

  /** A whole number of at least 1, which the config or its class has to give. */
  size(...names: string[]): number {
    const value = this.integer(...names);
    if (value === undefined) throw this.missing(names, 'a whole number from 1');
    if (value < 1) throw this.refuse(names[0] ?? '', value, 'a whole number from 1');
    return value;
  }

  boolean(...names: string[]): boolean | undefined {
    // A few configs write numbers, and mean what Python takes them for: Llama 4's attn_temperature_tuning is 4.
    const isFlag = (v: unknown): v is boolean | number => typeof v === 'boolean' || Number.isFinite(v);
    const value = this.#read(names, 'true or false', isFlag);
    return value === undefined ? undefined : Boolean(value);
  }

  text(...names: string[]): string | undefined {
    return this.#read(names, 'text', (v): v is string => typeof v === 'string');
  }

  texts(...names: string[]): readonly string[] | undefined {
    return this.#read(names, 'a list of text', (v): v is string[] => Array.isArray(v) && v.every((each) => typeof each === 'string'));
  }

  list(...names: string[]): readonly unknown[] | undefined {
    return this.#read(names, 'a list', Array.isArray);
  }

  numbers(...names: string[]): readonly number[] | undefined {
    const areNumbers = (v: unknown): v is number[] => Array.isArray(v) && v.every((x) => Number.isFinite(x));
    return this.#read(names, 'a list of numbers', areNumbers);
  }

  /** Numbers of layers, a stage each. */
  depths(...names: string[]): readonly number[] | undefined {
    const isCount = (v: unknown): boolean => Number.isInteger(v) && (v as number) >= 0 && (v as number) <= kMostLayers;
    return this.#read(names, `a list of whole numbers up to ${kMostLayers}`, (v): v is number[] => Array.isArray(v) && v.length <= 64 && v.every(isCount));
  }

  /** A reader for a nested object, its fields named with a dot in errors. */
  object(...names: string[]): ConfigReader | undefined {
    const value = this.#read(names, 'an object', isObject);
    const [name] = this.#find(names);
    return value && new ConfigReader(value, {}, `${this.#path}${name}.`);
  }

  /** A field's name with that of the objects around it: "text_config.model_type". */
  named(name: string): string {
    return `${this.#path}${name}`;
  }

  refuse(name: string, received: unknown, allowed: string): PosencError {
    return new PosencError('outOfRange', this.named(name), show(received), allowed);
  }

  missing(names: readonly string[], allowed: string): PosencError {
    return new PosencError('missingOption', this.named(names[0] ?? ''), 'nothing', allowed);
  }

  #find(names: readonly string[]): [string, unknown] {
    for (const source of [this.fields, this.#defaults]) {
      for (const name of names) {
        if (source[name] !== undefined) return [name, source[name]];
      }
    }
    return [names[0] ?? '', undefined];
  }

  #read<T>(names: readonly string[], allowed: string, accept: (value: unknown) => value is T): T | undefined {
    const [name, value] = this.#find(names);
    if (value === undefined || value === null) return undefined;
    if (!accept(value)) throw new PosencError('invalidType', this.named(name), show(value), allowed);
    return value;
  }
}
