// A description → encodings that exist.
import type { Encoding } from '../encoding.js';
import { PosencError, expectPosenc } from '../errors.js';
import type { FileBytes } from '../formats/stored.js';
import type { Posenc } from '../posenc.js';
import type { NamedWeights } from './checkpoint.js';
import { describeConfig } from './describe.js';
import type { DescribeOptions, EncodingChoice, LayerGroup, ModelConfig, Tower } from './types.js';
import { ModelWeights, type Place, placesOf } from './model-weights.js';

/** What fromConfig may be told besides. */
export interface FromConfigOptions extends DescribeOptions {
  /**
   * Values of trainable tensors: the bytes of a released safetensors file, or its tensors by their Hugging Face names
   * (several files as one object), of which those that the encodings need are taken; or tensors by `name.tensor` or, for
   * one tower alone, `tower.name.tensor`: `{ 'alibi.slopes': slopes }`. From a checkpoint every layer that has tensors
   * of its own gets a group of its own.
   */
  readonly weights?: FileBytes | NamedWeights;
}

/** What the calls of one layer take from a checkpoint, [heads] each. */
export interface LayerCallValues {
  /** For `sinks` of the call. */
  readonly sinks?: Float32Array;
  /** For `logitScale` of the call. */
  readonly logitScale?: Float32Array;
}

/** Layers that place positions alike, with their encodings. */
export interface CreatedGroup extends Omit<LayerGroup, 'encodings'> {
  /** For `posenc.attention({ ...group.attention, encodings: group.encodings })`. */
  readonly encodings: readonly Encoding[];
  /** What calls of a layer take from the checkpoint, by the layer's number: `sinks` (gpt-oss), `logitScale` (Swin v2). */
  readonly callOptions: Readonly<Record<number, LayerCallValues>>;
}

/** An encoding at a tower's input. */
export interface CreatedInput {
  /** What is added. */
  readonly encoding: Encoding;
  /** Position of the first token. */
  readonly offset: number;
}

/** One stack of layers, with its encodings. */
export interface CreatedTower extends Omit<Tower, 'groups' | 'input'> {
  /** Added to the embeddings in front of the first layer. */
  readonly input: readonly CreatedInput[];
  /** Its layers, those together that place positions alike. */
  readonly groups: readonly CreatedGroup[];
}

/** What fromConfig returns. Whoever has it disposes of it. */
export interface ConfigEncodings {
  /** The config's `model_type`. */
  readonly modelType: string;
  /** Its stacks of layers: one of most models, encoder and decoder of others. */
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

/** Makes encodings, those with equal options and weights once. */
class Maker {
  readonly made: Encoding[] = [];
  readonly weights: ModelWeights;
  readonly #known = new Map<string, Encoding>();

  constructor(
    readonly posenc: Posenc,
    weights: FileBytes | NamedWeights,
  ) {
    this.weights = new ModelWeights(posenc, weights);
  }

  make(place: Place, choice: EncodingChoice): Encoding {
    const own = this.weights.own(place, choice);
    const apart = own || this.weights.ofCheckpoint(choice) ? `${place.tower}.${choice.name}` : '';
    const key = JSON.stringify([apart, choice.id, choice.name, choice.options, choice.scaled]);
    const known = this.#known.get(key);
    if (known) return known;
    const create = factoryOf(this.posenc, choice.id) as Factory;
    const encoding = create({ ...choice.options, name: choice.name, ...(own ? { weights: own } : {}) });
    this.made.push(encoding);
    this.#known.set(key, encoding);
    scaleTensors(encoding, choice, own ?? {});
    this.weights.fill(place, choice, encoding, own ?? {});
    return encoding;
  }
}

/** Multiplies the tensors that a model has scaled, unless their values were given. */
function scaleTensors(encoding: Encoding, choice: EncodingChoice, given: Readonly<Record<string, unknown>>): void {
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
  expectPosenc(posenc);
  const description = describeConfig(config, options);
  checkOffered(posenc, description.modelType, description.towers);
  const maker = new Maker(posenc, options.weights ?? {});
  const dispose = (): void => {
    // One that was disposed of by itself must not keep the others; with none left it is an error as ever.
    const live = maker.made.filter((encoding) => !encoding.disposed);
    for (const encoding of live.length > 0 ? live : maker.made) encoding.dispose();
  };
  try {
    const towers = description.towers.map((tower) => createTower(maker, tower));
    maker.weights.check(maker.made.map(({ name }) => name));
    const warnings = towers.flatMap((tower) => tower.warnings);
    return { modelType: description.modelType, towers, encodings: maker.made, warnings, dispose };
  } catch (error) {
    dispose();
    throw error;
  }
}

function createTower(maker: Maker, described: Tower): CreatedTower {
  const tower = maker.weights.split(described);
  const place = { tower: tower.name, layer: 0, stage: 0, block: 0 };
  const input = tower.input.map((choice) => ({ encoding: maker.make(place, choice), offset: choice.offset ?? 0 }));
  const places = placesOf(tower);
  const groups = tower.groups.map((group, index) => ({
    ...group,
    encodings: group.encodings.map((choice) => maker.make(places[index] ?? place, choice)),
    callOptions: maker.weights.callOptions(group, places[index] ?? place),
  }));
  return { ...tower, input, groups };
}
