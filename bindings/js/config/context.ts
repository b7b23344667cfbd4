// What every describing function works on.
import type { ConfigReader } from './reader.js';
import type { Tower, TowerName } from './types.js';

/** One part of a config, of one model type. */
export interface Part {
  readonly modelType: string;
  readonly config: ConfigReader;
  /** Name of the tower, where the part has one only. */
  readonly tower: TowerName;
  /** See DescribeOptions.length. */
  readonly length: number | undefined;
}

/** Describes a part of a config: the entries of the tables in models/. */
export type Describe = (part: Part) => readonly Tower[];

/** A list of sentences that takes each of them once. */
export class Warnings {
  readonly #texts = new Set<string>();
  readonly warn = (text: string): void => {
    this.#texts.add(text);
  };
  get texts(): readonly string[] {
    return [...this.#texts];
  }
}

/** The first description where the test holds, else the second. */
export function either(test: (config: ConfigReader) => boolean, yes: Describe, no: Describe): Describe {
  return (part) => (test(part.config) ? yes : no)(part);
}
