// config.json → towers, layer groups, encodings and attention options, as plain data.
import { PosencError } from '../errors.js';
import type { Describe, Part } from './context.js';
import { composites, partFields, partType } from './models/composites.js';
import { decoders } from './models/decoders.js';
import { encoders } from './models/encoders.js';
import { patterned } from './models/patterned.js';
import { media } from './models/media.js';
import { text } from './models/text.js';
import { checkOptions } from '../options.js';
import { ConfigReader, isObject, show } from './reader.js';
import { recognise } from './recognise.js';
import type { ConfigDescription, DescribeOptions, ModelConfig, Tower } from './types.js';

const tables = [decoders, patterned, encoders, composites, text, media];

function lookUp(modelType: string): Describe | undefined {
  return tables.find((table) => Object.hasOwn(table, modelType))?.[modelType];
}

/** Towers of one part: by the table, by its own parts, or by its fields. */
function describePart(part: Part, options: DescribeOptions): readonly Tower[] {
  const known = lookUp(part.modelType);
  if (known) return known(part);
  return describeInner(part, options) ?? recognise(part.modelType || undefined, part.config)(part);
}

/** Towers of the configs that a config holds, those that were asked for; undefined where it holds none. */
function describeInner(part: Part, options: DescribeOptions): Tower[] | undefined {
  const fields = Object.entries(partFields).filter(([field]) => isObject(part.config.fields[field]));
  if (fields.length === 0) return undefined;
  const towers: Tower[] = [];
  for (const [field, tower] of fields) {
    if (options.towers && !options.towers.includes(tower)) continue;
    const config = part.config.object(field);
    if (!config) continue;
    const modelType = partType(part.modelType, tower, config) ?? '';
    const found = describePart({ ...part, modelType, tower, config }, options);
    // A part that is one half of such a model has that half alone: the decoder of a Donut is mBART's.
    const half = found.filter(({ name }) => name === tower);
    towers.push(...(half.length > 0 ? half : found));
  }
  return towers;
}

/**
 * Reads where positions enter a model from its Hugging Face config.json, without creating anything.
 *
 * Field names of old and new configs are taken as they are; a field that is absent has the default of the model's
 * configuration class. Encodings that posenc cannot make yet are described with `options: null`.
 *
 * @param config the parsed config.json
 * @throws PosencError `unsupported` for a model type that neither a table nor its fields explain; `invalidType`,
 *   `outOfRange` or `missingOption` for a field that is wrong.
 */
export function describeConfig(config: ModelConfig, options: DescribeOptions = {}): ConfigDescription {
  if (!isObject(config)) throw new PosencError('invalidType', 'config', show(config), 'a parsed config.json');
  checkOptions(options, ['length', 'towers', 'weights'], 'options');
  if (options.length !== undefined && !(Number.isFinite(options.length) && options.length >= 1)) {
    throw new PosencError('outOfRange', 'length', show(options.length), 'a number of tokens from 1');
  }
  const { towers: wanted } = options;
  if (wanted !== undefined && !(Array.isArray(wanted) && wanted.every((name) => typeof name === 'string'))) {
    throw new PosencError('invalidType', 'towers', show(wanted), 'a list of names');
  }
  const reader = new ConfigReader(config);
  const modelType = reader.text('model_type') ?? '';
  const part: Part = { modelType, config: reader, tower: 'text', length: options.length };
  const towers = describePart(part, options).filter((tower) => options.towers?.includes(tower.name) ?? true);
  if (towers.length === 0) {
    throw new PosencError('unsupported', 'towers', show(options.towers), 'towers that this model has');
  }
  return { modelType, towers };
}
