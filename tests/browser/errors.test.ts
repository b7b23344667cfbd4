// What errors of the library say, in Chinese: every option's bounds, options that depend on one another, and configs of models.
import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { load, PosencError, type Encoding, type Posenc } from 'posenc';
import { catalog, type CatalogEncoding, type CatalogField } from 'posenc/catalog';
import { describeConfig, type ModelConfig } from 'posenc/config';
import { makeTranslator } from '../../web/src/lib/patterns.js';
import type { FieldValue, Values } from '../../web/src/model/fields.js';
import { complete, toOptions, type Options } from '../../web/src/model/options.js';
import { errors } from '../../web/src/texts/zh/errors.js';
import { patternsOf } from '../../web/src/texts/zh/index.js';

let posenc: Posenc;
beforeAll(async () => void (posenc = await load()));

const said = makeTranslator(errors);

function refused(id: string, options: Options): PosencError | undefined {
  try {
    (posenc as unknown as Record<string, (given: Options) => Encoding>)[id]!(options).dispose();
  } catch (error) {
    if (error instanceof PosencError) return error;
    throw error;
  }
  return undefined;
}

/** Names of options and of their choices, which stay as they are. */
const names = new Set(catalog.encodings.flatMap(({ fields }) => fields.flatMap(({ name, choices = [] }) => [...name.split('.'), ...choices])));

/** Words of English that are left in a text. */
function left(text: string): string[] {
  return (text.match(/[A-Za-z_][\w.]*/g) ?? []).filter((word) => /[a-z]{2}/.test(word) && !names.has(word) && !/^(true|false|config\.json|JSON)$/.test(word));
}

/** Values that a field does not take. */
function wrongValues({ type, minimum, maximum }: CatalogField): FieldValue[] {
  if (type === 'list') return [[0.5, -1], [], [1e17]];
  if (type !== 'integer' && type !== 'number') return [];
  const beyond = [minimum === undefined ? [] : [minimum - 1], maximum === undefined ? [] : [maximum + 1]].flat();
  return [...beyond, ...(type === 'integer' ? [0.5, 1e17] : [])];
}

function withValue({ fields }: CatalogEncoding, values: Values): Options {
  return toOptions(fields, complete(fields, values));
}

test('bounds of every option', () => {
  const texts = new Set<string>();
  for (const entry of catalog.encodings) {
    for (const field of entry.fields) {
      const { condition } = field;
      const met = condition ? { [condition.field]: condition.values[0] as FieldValue } : {};
      for (const value of wrongValues(field)) {
        const error = refused(entry.id, withValue(entry, { ...met, [field.name]: value }));
        if (error) for (const text of [error.received, error.allowed]) texts.add(text);
      }
    }
  }
  expect(texts.size).toBeGreaterThan(30);
  expect([...texts].flatMap((text) => left(said(text)).map((word) => `${word}: ${text}`))).toEqual([]);
});

const together: readonly (readonly [id: string, values: Values])[] = [
  ['box', { dim: 8, coordinateSize: 4 }],
  ['box', { dim: 8, combine: 'concat', coordinateSize: 4, shapeSize: 4 }],
  ['axial', { dim: 8, shape: [4, 4], dims: [4, 4] }],
  ['axial', { dim: 8, shape: [4, 4], combine: 'concat', dims: [4, 5] }],
  ['block', { dim: 8, blockSize: 4, blocks: 2, boundaries: [0, 9] }],
  ['conv', { dim: 8, groups: 3 }],
  ['coordinates', { dim: 8, axes: 2, low: [0, 0], high: [0, 1] }],
  ['graph', { nodes: 3, edges: [0, 1, 2] }],
  ['graph', { nodes: 3, edges: [0, 7] }],
  ['gridLearned', { kind: 'axes', dim: 7, rows: 2, cols: 2 }],
  ['learned', { dim: 4, maxLength: 4, paddingIndex: 9 }],
  ['rope', { headDim: 7 }],
  ['rope', { headDim: 8, rotaryDim: 10 }],
  ['rope', { headDim: 8, 'scaling.type': 'longrope', 'scaling.factor': 2, 'scaling.originalLength': 8, 'scaling.shortFactor': [1], 'scaling.longFactor': [1] }],
  ['rope', { headDim: 2, 'scaling.type': 'ntk', 'scaling.factor': 2 }],
  ['ropeNd', { headDim: 6, axes: 2 }],
  ['mrope', { headDim: 16, sections: [1, 2, 3] }],
  ['deberta', { heads: 2, headDim: 4, span: 8, buckets: 'log', maxRelativePositions: 2 }],
  ['shaw', { headDim: 4, valueDim: 3, left: 2, shareTables: true }],
  ['t5', { heads: 2, numBuckets: 3 }],
  ['grid', { dim: 8, axes: 2, parts: [2, 2, 4] }],
];

test('options that depend on one another', () => {
  const found = together.map(([id, values]) => refused(id, withValue(catalog.encodings.find((entry) => entry.id === id)!, values)));
  const texts = found.flatMap((error) => (error ? [error.received, error.allowed] : []));
  expect(texts.length).toBeGreaterThan(1.5 * together.length);
  expect(texts.flatMap((text) => left(said(text)).map((word) => `${word}: ${text}`))).toEqual([]);
  expect(said('0.5 at index 3')).toBe('索引 3 处的 0.5');
  expect(said('a list of numbers, each a whole number of at least 1')).toBe('数的列表，每个为不小于 1 的整数');
});

test('what configs of public models say', async () => {
  const file = new URL('../golden/model-configs.json', import.meta.url);
  const { models } = JSON.parse(readFileSync(file, 'utf8')) as { models: { config: ModelConfig }[] };
  const texts = models.flatMap(({ config }) =>
    describeConfig(config).towers.flatMap(({ warnings, input, groups }) => [
      ...warnings,
      ...groups.map(({ kind }) => kind.replaceAll('_', ' ')),
      ...[...input, ...groups.flatMap(({ encodings }) => encodings)].map(({ about }) => about),
    ]),
  );
  expect(texts.length).toBeGreaterThan(100);
  const told = makeTranslator(await patternsOf('inspect'));
  const wordsLeft = (text: string): boolean => /\b[a-z]+ [a-z]+ [a-z]+\b/.test(text.replace(/`[^`]*`|\[[^\]]*\]|[\w.]+\([^)]*\)/g, ''));
  expect([...new Set(texts)].map(told).filter((text) => !/[\u4e00-\u9fff]/.test(text) || wordsLeft(text))).toEqual([]);
  expect(told('rotation with base 500000, half pairs')).toBe('基数为 500000 的旋转，half 配对');
});
