// A description → encodings that exist.
import type { Encoding } from '../encoding.js';
import type { Weight } from '../weights.js';
import { PosencError } from '../errors.js';
import type { Posenc } from '../posenc.js';
import { describeConfig } from './describe.js';
import type { DescribeOptions, EncodingChoice, LayerGroup, ModelConfig, Tower } from './types.js';

/** What fromConfig may be told besides. */
export interface FromConfigOptions extends DescribeOptions {
  /**
   * Values of trainable tensors, by `name.tensor` or, for one tower alone, `tower.name.tensor`:
   * `{ 'alibi.slopes': slopes }`.
   */
  readonly weights?: Readonly<Record<string, Weight>>;
}

/** Layers that place positions alike, with their encodings. */
export interface CreatedGroup extends Omit<LayerGroup, 'encodings'> {
  /** For `posenc.attention({ ...group.attention, encodings: group.encodings })`. */
  readonly encodings: readonly Encoding[];
}

/** An encoding at a tower's input. */
export interface CreatedInput {
  readonly encoding: Encoding;
  /** Position of the first token. */
  readonly offset: number;
}

/** One stack of layers, with its encodings. */
export interface CreatedTower extends Omit<Tower, 'groups' | 'input'> {
  /** Added to the embeddings in front of the first layer. */
  readonly input: readonly CreatedInput[];
  readonly groups: readonly CreatedGroup[];
}

/** What fromConfig returns. Whoever has it disposes of it. */
export interface ConfigEncodings {
  readonly modelType: string;
  readonly towers: readonly CreatedTower[];
  /** Every encoding once, whatever number of groups shares it. */
  readonly encodings: readonly Encoding[];
  /** Warnings of all towers. */
  readonly warnings: readonly string[];
  /** Disposes of all encodings. */
  dispose(): void;
}

type Factory = (options: object) => Encoding;

/** The factory of an id, if this posenc has one. */
function factoryOf(posenc: Posenc, id: string): Factory | undefined {
  const factory: unknown = (posenc as unknown as Readonly<Record<string, unknown>>)[id];
  return typeof factory === 'function' ? (factory.bind(posenc) as Factory) : undefined;
}

/** Refuses what cannot be made, before anything is made. */
function checkOffered(posenc: Posenc, modelType: string, towers: readonly Tower[]): void {
  for (const tower of towers) {
    for (const choice of [...tower.input, ...tower.groups.flatMap((group) => group.encodings)]) {
      if (choice.options !== null && factoryOf(posenc, choice.id)) continue;
      const others = towers.map(({ name }) => name).filter((name) => name !== tower.name);
      const way = others.length > 0 ? `; towers: ['${others.join("', '")}'] leaves this one out` : '';
      throw new PosencError(
        'unsupported',
        'model_type',
        `"${modelType}", whose ${tower.name} tower has "${choice.id}" (${choice.about})`,
        `configs whose encodings posenc makes: "${choice.id}" is not offered yet${way}`,
      );
    }
  }
}

/** Weights for one encoding, and a note of which were used. */
function weightsFor(
  tower: string,
  name: string,
  weights: Readonly<Record<string, Weight>>,
  used: Set<string>,
): Record<string, Weight> {
  const found: Record<string, Weight> = {};
  for (const prefix of [`${name}.`, `${tower}.${name}.`]) {
    for (const [key, value] of Object.entries(weights)) {
      const tensor = key.slice(prefix.length);
      if (!key.startsWith(prefix) || tensor.includes('.')) continue;
      found[tensor] = value;
      used.add(key);
    }
  }
  return found;
}

/** Makes encodings, those with equal options once. */
class Maker {
  readonly made: Encoding[] = [];
  readonly used = new Set<string>();
  readonly #known = new Map<string, Encoding>();

  constructor(
    readonly posenc: Posenc,
    readonly weights: Readonly<Record<string, Weight>>,
  ) {}

  make(tower: string, choice: EncodingChoice): Encoding {
    const weights = weightsFor(tower, choice.name, this.weights, this.used);
    const own = Object.keys(weights).length > 0 ? tower : '';
    const key = JSON.stringify([own, choice.id, choice.name, choice.options, choice.scaled]);
    const known = this.#known.get(key);
    if (known) return known;
    const create = factoryOf(this.posenc, choice.id) as Factory;
    const encoding = create({ ...choice.options, name: choice.name, ...(own ? { weights } : {}) });
    this.made.push(encoding);
    this.#known.set(key, encoding);
    scaleTensors(encoding, choice, weights);
    return encoding;
  }
}

/** Multiplies the tensors that a model has scaled, unless their values were given. */
function scaleTensors(encoding: Encoding, choice: EncodingChoice, given: Readonly<Record<string, Weight>>): void {
  for (const [name, factor] of Object.entries(choice.scaled ?? {})) {
    const tensor = encoding.parameters[name];
    if (tensor && given[name] === undefined)
      encoding.parameters = { [name]: tensor.data.map((value) => value * factor) };
  }
}

/**
 * Makes the encodings of a model from its Hugging Face config.json, with the attention options of every layer.
 *
 * ```ts
 * const model = fromConfig(posenc, config);
 * for (const group of model.towers[0].groups) {
 *   const attention = posenc.attention({ ...group.attention, encodings: group.encodings });
 * }
 * ```
 *
 * @param posenc what `load()` gave
 * @param config the parsed config.json
 * @throws PosencError `unsupported`, naming the encoding, where posenc cannot make one of them yet.
 */
export function fromConfig(posenc: Posenc, config: ModelConfig, options: FromConfigOptions = {}): ConfigEncodings {
  const description = describeConfig(config, options);
  checkOffered(posenc, description.modelType, description.towers);
  const maker = new Maker(posenc, options.weights ?? {});
  const dispose = () => maker.made.forEach((encoding) => encoding.dispose());
  try {
    const towers = description.towers.map((tower) => createTower(maker, tower));
    const stray = Object.keys(maker.weights).find((key) => !maker.used.has(key));
    if (stray !== undefined) {
      const names = maker.made.map(({ name }) => `${name}.<tensor>`).join(', ');
      throw new PosencError('unknownOption', `weights.${stray}`, stray, names);
    }
    const warnings = towers.flatMap((tower) => tower.warnings);
    return { modelType: description.modelType, towers, encodings: maker.made, warnings, dispose };
  } catch (error) {
    dispose();
    throw error;
  }
}

function createTower(maker: Maker, tower: Tower): CreatedTower {
  const input = tower.input.map((choice) => ({ encoding: maker.make(tower.name, choice), offset: choice.offset ?? 0 }));
  const groups = tower.groups.map((group) => ({
    ...group,
    encodings: group.encodings.map((choice) => maker.make(tower.name, choice)),
  }));
  return { ...tower, input, groups };
}
