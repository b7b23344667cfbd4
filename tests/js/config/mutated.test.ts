// Configs of released models with some of their fields changed to what does not belong there: each is described, or
// refused by a PosencError, in no time.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { PosencError } from 'posenc';
import { describeConfig } from 'posenc/config';
import { expect, test } from 'vitest';

type Fields = Record<string, unknown>;
const file = fileURLToPath(new URL('../../golden/model-configs.json', import.meta.url));
const { models } = JSON.parse(readFileSync(file, 'utf8')) as { models: { config: Fields }[] };

const hostile = [null, undefined, -1, 0, 0.5, NaN, Infinity, 2 ** 31, 2 ** 53, 1e300, '', 'x', '12', true, false, [], [0], [null], {},
  { rope_type: 'yarn' }, { type: 'nonsense', factor: -1 }, { factor: null }, [1, 2, 3], '__proto__', 'constructor'];

/** All fields at any depth, as the objects that they are in. */
function places(object: Fields, found: [Fields, string][] = []): [Fields, string][] {
  for (const [name, value] of Object.entries(object)) {
    found.push([object, name]);
    if (typeof value === 'object' && value !== null) places(value as Fields, found);
  }
  return found;
}

// A generator of its own, so that a failure comes again.
function drawFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function mutated(seed: number): Fields {
  const below = drawFrom(seed * 7919 + 1);
  const config = structuredClone(models[below(models.length)]?.config ?? {});
  for (let changes = 1 + below(3); changes > 0; changes--) {
    const all = places(config);
    const [object, name] = all[below(all.length)] ?? [config, 'model_type'];
    if (below(4) === 0) delete object[name];
    else object[name] = structuredClone(hostile[below(hostile.length)]);
  }
  return config;
}

test('5000 changed configs', () => {
  let described = 0;
  for (let seed = 0; seed < 5000; seed++) {
    const config = mutated(seed);
    try {
      describeConfig(config);
      described++;
    } catch (error) {
      if (!(error instanceof PosencError)) throw new Error(`seed ${seed}: ${JSON.stringify(config)}`, { cause: error });
    }
  }
  expect(described).toBeGreaterThan(500); // most changes are refused, not all
});

test('numbers of layers that would fill memory, and lists that equal nothing', () => {
  expect(() => describeConfig({ model_type: 'llama', hidden_size: 64, num_attention_heads: 4, num_hidden_layers: 2 ** 31 })).toThrow(/layers/);
  expect(() => describeConfig({ model_type: 'swin', num_heads: [3], depths: [2 ** 31], image_size: 224, patch_size: 4 })).toThrow(/depths/);
  const smol = { model_type: 'smollm3', hidden_size: 64, num_attention_heads: 4, num_key_value_heads: 4, num_hidden_layers: 4, no_rope_layers: [1, NaN] };
  expect(describeConfig(smol)).toBeDefined();
});
