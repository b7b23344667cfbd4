// What is generated from the C++ descriptions: that it is fresh, and that one header is all an encoding needs.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { build } from 'esbuild';
import type { Catalog } from 'posenc/catalog';
import { catalog } from 'posenc/catalog';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { loadPosenc } from './support/posenc.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const generator = join(root, 'scripts/generate/generate.mjs');
const fixtureProgram = join(root, 'build/wasm/posenc_manifest_fixture.js');
const folder = mkdtempSync(join(tmpdir(), 'posenc-generated-'));
let generated = new Map<string, string>();

beforeAll(() => {
  execFileSync(process.execPath, [generator, '--program', fixtureProgram, '--out', folder]);
  generated = new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
});
afterAll(() => rmSync(folder, { recursive: true }));

test('the generated files and the README are those of the C++ descriptions', () => {
  expect(execFileSync(process.execPath, [generator, '--check'], { encoding: 'utf8' })).toBe('');
});

test('--check finds a stale file', () => {
  const check = (): unknown => execFileSync(process.execPath, [generator, '--check', '--out', join(folder, 'none')], { stdio: 'pipe' });
  expect(check).toThrow();
});

test('bindings and generators name no encoding', () => {
  const ids = catalog.encodings.map(({ id }) => id);
  const sources = ['bindings/cpp', 'bindings/manifest', 'bindings/js', 'scripts/generate'].flatMap((path) =>
    readdirSync(join(root, path), { withFileTypes: true })
      .filter((entry) => entry.isFile() && !/^(config|recommend|glue)\./.test(entry.name))
      .map((entry) => join(root, path, entry.name)),
  );
  for (const source of sources) {
    const code = readFileSync(source, 'utf8').replaceAll(/\/\*[^]*?\*\/|\/\/.*/g, '');
    // "grid" is also the option of calls on encodings of several axes.
    for (const id of ids.filter((name) => name !== 'grid')) expect([source, code.match(new RegExp(`(['"\`])${id}\\1`))?.[0]]).toEqual([source, undefined]);
  }
});

test('another encoding is in the catalogue, which the gallery and the benchmark read', async () => {
  const outfile = join(folder, 'catalog.mjs');
  await build({ entryPoints: [join(folder, 'catalog.ts')], outfile, format: 'esm', logLevel: 'silent' });
  const { catalog: extended } = (await import(pathToFileURL(outfile).href)) as { catalog: Catalog };
  expect(extended.encodings.map(({ id }) => id)).toEqual([...catalog.encodings.map(({ id }) => id), 'ramp']);
  const ramp = extended.encodings.at(-1);
  expect(ramp).toMatchObject({
    family: 'input',
    title: 'Ramp',
    models: ['none', 'at all (really, none)'],
    domain: { kind: 'naturals', limit: 1024, axes: 1 },
    tensors: [{ name: 'table', shape: '[2 * dim / 2]', trained: { field: 'trainable', values: [true] } }],
  });
  expect(ramp?.fields).toEqual([
    { name: 'dim', type: 'integer', required: true, default: null, minimum: 1, maximum: 64, doc: 'width of a row', shown: { low: 1, high: 16, log: false } },
    { name: 'slope', type: 'number', required: false, default: 0.5, minimum: 0, maximum: 8, aboveMinimum: true, doc: 'rise from one position to the next', shown: { low: 0.1, high: 8, log: true } },
    { name: 'limit', type: 'integer', required: false, default: null, defaultDoc: 'no bound', minimum: 2, multipleOf: 2, doc: 'number of positions' },
    { name: 'trainable', type: 'boolean', required: false, default: true, doc: 'whether the table has a gradient' },
    { name: 'bend.shape', type: 'choice', required: false, default: 'straight', choices: ['straight', 'bent', 'stepped'], doc: 'course of the rise' },
    { name: 'bend.at', type: 'number', required: false, default: 0, minimum: 0, condition: { field: 'bend.shape', values: ['bent', 'stepped'] }, doc: 'position where the course changes' },
    { name: 'bend.strength', type: 'number', required: true, default: null, condition: { field: 'bend.shape', values: ['bent'] }, doc: 'factor on the slope from there on' },
    { name: 'bend.steps', type: 'list', required: true, default: null, condition: { field: 'bend.shape', values: ['stepped'] }, doc: 'heights of the steps' },
  ]);
});

test('it has types, a union where a choice decides what applies', () => {
  const options = generated.get('options.ts') ?? '';
  const bend = options.slice(options.indexOf('export type RampBend ='), options.indexOf('/** Options of Ramp. */'));
  const members = bend.split('\n  | {').slice(1).map((member) => [...member.matchAll(/^ +(\w+\??): (.+);$/gm)].map(([, key, type]) => `${key}: ${type}`));
  expect(members).toEqual([
    ["shape?: 'straight'"],
    ["shape: 'bent'", 'at?: number', 'strength: number'],
    ["shape: 'stepped'", 'at?: number', 'steps: readonly number[] | Float32Array | Float64Array'],
  ]);
  expect(options).toContain('bend?: RampBend;');
  expect(options).toContain('/** Width of a row. Whole number, at least 1, at most 64. */\n  dim: number;');
});

test('it has a factory, with its operations and tensors', () => {
  const encodings = generated.get('encodings.ts') ?? '';
  expect(encodings).toContain(`  {
    id: 'ramp',
    family: 'input',
    tensors: ['table'],
    operations: [
      { name: 'sumOf', onInstance: false, inputs: [{ name: 'rows', required: true }, { name: 'factors', required: false }], results: [] },
      { name: 'lastRow', onInstance: true, inputs: [], results: [] },
    ],
  },`);
  expect(encodings).toContain('export interface Ramp extends InputEncoding<RampTensors> {');
  expect(encodings).toMatch(/readonly ramp: \{\n {4}\(options: RampOptions\): Ramp;\n[^}]*sumOf\(rows: OperationInput, factors\?: OperationInput, options\?: RampSumOfOptions\): Tensor;/);
  expect(encodings).toMatch(/interface Ramp extends [^}]*lastRow\(\): Tensor;/);
});

test('the catalogue, the factories and the version belong together', async () => {
  const posenc = await loadPosenc();
  for (const { id } of catalog.encodings) expect(posenc).toHaveProperty(id, expect.any(Function));
  expect(catalog.version).toBe(posenc.version);
  expect(posenc.version).toBe((JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }).version);
});
