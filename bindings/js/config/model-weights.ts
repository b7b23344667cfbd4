// Weights for the encodings of a model: those given by posenc's names, and those found in a checkpoint by Hugging Face's.
import type { Encoding } from '../encoding.js';
import { PosencError, describe } from '../errors.js';
import { type FileBytes, isFileBytes } from '../formats/stored.js';
import type { Posenc } from '../posenc.js';
import { shapeText } from '../shape.js';
import type { Weight } from '../weights.js';
import { Checkpoint, type Floats, type NamedWeights, layerNormed, weightNormed } from './checkpoint.js';
import { type Source, callSources, sources, towerHints, turned } from './sources.js';
import type { EncodingChoice, LayerGroup, Tower } from './types.js';

/** Which layer of which tower: what stands in for the words in braces of a source's names. */
export interface Place {
  readonly tower: string;
  readonly layer: number;
  readonly stage: number;
  readonly block: number;
}

/** The place of each group's first layer. A stage of Swin ends where the number of heads changes. */
export function placesOf({ name, groups }: Tower): Place[] {
  let [stage, first, heads] = [0, 0, groups[0]?.attention.heads];
  return groups.map((group, index) => {
    if (group.attention.heads !== heads) [stage, first, heads] = [stage + 1, index, group.attention.heads];
    return { tower: name, layer: group.layers === 'all' ? 0 : (group.layers[0] ?? 0), stage, block: index - first };
  });
}

const named = (template: string, { tower, layer, stage, block }: Place): string =>
  template
    .replace('{half}', tower)
    .replace('{layer}', String(layer))
    .replace('{stage}', String(stage))
    .replace('{block}', String(block));

export class ModelWeights {
  readonly #own: Readonly<Record<string, Weight>>;
  readonly #checkpoint: Checkpoint;
  readonly #file: boolean;
  readonly #used = new Set<string>();
  readonly #missing: string[] = [];

  constructor(posenc: Posenc, weights: FileBytes | NamedWeights) {
    this.#file = isFileBytes(weights);
    if (typeof weights !== 'object' || weights === null) {
      throw new PosencError('invalidType', 'weights', describe(weights), 'the bytes of a safetensors file, or tensors by name');
    }
    this.#own = this.#file ? {} : (weights as Readonly<Record<string, Weight>>);
    this.#checkpoint = this.#file ? Checkpoint.ofFile(posenc, weights as FileBytes) : new Checkpoint(posenc, weights as NamedWeights);
  }

  /** Weights by posenc's names for one encoding, if there are any. */
  own({ tower }: Place, { name }: EncodingChoice): Record<string, Weight> | undefined {
    const found: Record<string, Weight> = {};
    for (const prefix of [`${name}.`, `${tower}.${name}.`]) {
      for (const [key, value] of Object.entries(this.#own)) {
        const tensor = key.slice(prefix.length);
        if (!key.startsWith(prefix) || tensor.includes('.')) continue;
        found[tensor] = value;
        this.#used.add(key);
      }
    }
    return Object.keys(found).length > 0 ? found : undefined;
  }

  /** Whether a checkpoint holds tensors for such an encoding. */
  ofCheckpoint({ id }: EncodingChoice): boolean {
    return Object.hasOwn(sources, id) && (this.#file || Object.keys(this.#own).length > 0);
  }

  /** The tower with a group for every layer of a group whose encodings have tensors of their own in the checkpoint. */
  split(tower: Tower): Tower {
    return { ...tower, groups: tower.groups.flatMap((group) => this.#splitGroup(tower, group)) };
  }

  #splitGroup(tower: Tower, group: LayerGroup): LayerGroup[] {
    const { layers, encodings } = group;
    if (layers === 'all' || layers.length < 2) return [group];
    const ownOf = (choice: EncodingChoice): boolean =>
      Object.values(sources[choice.id] ?? {}).some(({ names }) => {
        const each = names.filter((name) => name.includes('{layer}'));
        const place = { tower: tower.name, layer: layers[1] ?? 0, stage: 0, block: 0 };
        return this.#checkpoint.find(each.map((name) => named(name, place)), hintsOf(place)) !== undefined;
      });
    const apart = encodings.map(ownOf);
    if (!apart.includes(true)) return [group];
    return layers.map((layer) => ({
      ...group,
      layers: [layer],
      encodings: encodings.map((choice, index) => (apart[index] ? { ...choice, name: `${choice.name}-${layer}` } : choice)),
    }));
  }

  /** Sets the tensors of an encoding that the checkpoint has. */
  fill(place: Place, choice: EncodingChoice, encoding: Encoding, own: Readonly<Record<string, unknown>>): void {
    for (const [tensor, source] of Object.entries(sources[choice.id] ?? {})) {
      const wanted = encoding.parameters[tensor];
      if (wanted === undefined || own[tensor] !== undefined || source.when?.(choice.options ?? {}) === false) continue;
      const found = this.#find(source, place);
      if (found === undefined) {
        if (!source.optional) this.#missing.push(named(source.names[0] ?? '', place));
        continue;
      }
      const value = this.#value(found, source, place, choice.layerNorm?.[tensor]);
      if (value.data.length !== wanted.data.length) {
        const allowed = `${wanted.data.length} numbers, the ${shapeText(wanted.shape)} of ${choice.name}.${tensor}`;
        throw new PosencError('shapeMismatch', `weights.${found}`, `shape ${shapeText(value.shape)}`, allowed);
      }
      checkRows(found, value, wanted.shape, `${choice.name}.${tensor}`);
      encoding.parameters = { [tensor]: value.data };
    }
  }

  /** What calls of a group's layers take from the checkpoint. */
  callOptions({ layers, sinks, attention }: LayerGroup, place: Place): Record<number, Record<string, Float32Array>> {
    const wanted = { sinks, logitScale: attention.logits === 'cosine' };
    const options: Record<number, Record<string, Float32Array>> = {};
    for (const [name, source] of Object.entries(callSources) as ['sinks' | 'logitScale', Source][]) {
      for (const layer of !wanted[name] || layers === 'all' ? [] : layers) {
        const found = this.#find(source, { ...place, layer });
        if (found === undefined) {
          this.#missing.push(named(source.names[0] ?? '', { ...place, layer }));
          continue;
        }
        const { data, shape } = this.#checkpoint.read(found);
        if (data.length !== attention.heads) {
          throw new PosencError('shapeMismatch', `weights.${found}`, `shape ${shapeText(shape)}`, `a number for each of ${attention.heads} heads`);
        }
        options[layer] = { ...options[layer], [name]: data };
      }
    }
    return options;
  }

  /** Refuses what was given and not used, and a checkpoint that lacks what the encodings need. */
  check(names: readonly string[]): void {
    const taken = this.#checkpoint.used.size > 0;
    const [missing] = this.#missing;
    if (missing !== undefined && (this.#file || taken)) {
      throw new PosencError('missingOption', 'weights', 'nothing', `a tensor whose name ends in ${missing}`);
    }
    if (this.#file || taken) return;
    const stray = Object.keys(this.#own).find((key) => !this.#used.has(key));
    if (stray === undefined) return;
    const allowed = [...names.map((name) => `${name}.<tensor>`), "or Hugging Face's names"].join(', ');
    throw new PosencError('unknownOption', `weights.${stray}`, stray, allowed);
  }

  #find(source: Source, place: Place): string | undefined {
    return this.#checkpoint.find(source.names.map((name) => named(name, place)), hintsOf(place));
  }

  #value(found: string, source: Source, place: Place, epsilon: number | undefined): Floats {
    const tensor = turned(found, source, this.#checkpoint.read(found));
    const factors = source.norm && this.#checkpoint.find(source.norm, hintsOf(place));
    if (factors !== undefined) return weightNormed(tensor, this.#checkpoint.read(factors));
    if (epsilon === undefined) return tensor;
    const [weight, bias] = ['encoder.LayerNorm.weight', 'encoder.LayerNorm.bias'].map((name) => {
      const norm = this.#checkpoint.find([name], hintsOf(place));
      if (norm !== undefined) return this.#checkpoint.read(norm).data;
      throw new PosencError('missingOption', 'weights', 'nothing', `a tensor whose name ends in ${name}`);
    });
    return layerNormed(tensor, weight as Float32Array, bias as Float32Array, epsilon);
  }
}

function hintsOf({ tower }: Place): readonly string[] {
  return towerHints[tower] ?? [];
}

/** A table of as many numbers may still be another one: rows of another width. */
function checkRows(name: string, { shape }: Floats, wanted: readonly number[], tensor: string): void {
  const sizes = (extents: readonly number[]) => extents.filter((extent) => extent !== 1);
  const [given, asked] = [sizes(shape), sizes(wanted)];
  if (given.length < 2 || asked.length < 2 || given.at(-1) === asked.at(-1)) return;
  // Heads may be apart in one of the two, and axes of pictures in the other.
  const split = (a: readonly number[], b: readonly number[]) => a.slice(-2).reduce((x, y) => x * y, 1) === b.at(-1);
  if (split(given, asked) || split(asked, given)) return;
  throw new PosencError('shapeMismatch', `weights.${name}`, `shape ${shapeText(shape)}`, `the ${shapeText(wanted)} of ${tensor}`);
}
