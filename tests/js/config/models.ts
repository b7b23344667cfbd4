// Configs of released models for the tests, and short ways to what describeConfig says of one.
import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { describeConfig, type EncodingChoice, type ModelConfig, type Tower } from '../../../bindings/js/config.js';

export interface Entry {
  readonly model: string;
  readonly config: ModelConfig;
  readonly expect: readonly string[];
  readonly expectLayout?: string;
}

export const { models } = JSON.parse(readFileSync(new URL('../../golden/model-configs.json', import.meta.url), 'utf8')) as {
  models: readonly Entry[];
};

export function only(config: ModelConfig): Tower {
  const { towers } = describeConfig(config);
  expect(towers).toHaveLength(1);
  return towers[0] as Tower;
}

export function choices(towers: readonly Tower[]): readonly EncodingChoice[] {
  return towers.flatMap((tower) => [...tower.input, ...tower.groups.flatMap((group) => group.encodings)]);
}

export function released(name: string): ModelConfig {
  const entry = models.find(({ model }) => model.startsWith(name));
  if (!entry) throw new Error(`no model ${name}`);
  return entry.config;
}
