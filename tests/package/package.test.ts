// The package as it is published: what it holds, what it weighs, and what tools say of it.
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import { type Packed, node, pack, root } from './support/consumer.js';

let packed: Packed;
beforeAll(async () => {
  packed = await pack();
});

const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
  dependencies?: object;
  sideEffects: unknown;
  exports: Record<string, string | Record<string, string>>;
};
const dist = (name: string): string => readFileSync(path.join(root, 'dist', name), 'utf8');

test('the tarball is small and holds what is exported, the licence and the README', () => {
  // Three builds, and two of them again as one text. To come below 500 kB a build has to weigh half of what it does.
  expect(packed.size).toBeLessThanOrEqual(700_000);
  expect(packed.files.length).toBeLessThanOrEqual(60);
  const names = packed.files.map(({ path: name }) => name);
  const exported = Object.values(manifest.exports).flatMap((target) => (typeof target === 'string' ? [target] : Object.values(target)));
  expect(names).toEqual(expect.arrayContaining([...exported.map((target) => target.slice(2)), 'LICENSE', 'README.md']));
  expect(names.filter((name) => !/^(dist\/(types\/)?[\w-]+\.(js|d\.ts|wasm)|LICENSE|README\.md|package\.json)$/.test(name))).toEqual([]);
});

test('conditions come in the order that tools read them, and nothing is needed beside the package', () => {
  for (const target of Object.values(manifest.exports)) {
    if (typeof target === 'string') continue;
    expect(Object.keys(target)).toEqual(Object.keys(target).length === 3 ? ['types', 'node', 'default'] : ['types', 'default']);
  }
  expect(manifest.dependencies).toBeUndefined();
  expect(manifest.sideEffects).toBe(false);
});

test('an error that nobody caught shows a line to be read, not the whole library', async () => {
  const script = `import { load } from './dist/node.js'; (await load()).rope({ headDim: 1 });`;
  const said = await node(['--input-type=module', '-e', script], root).then(() => '', (error: Error) => error.message);
  expect(said).toContain('PosencError: headDim: received 1');
  expect(Math.max(...said.split('\n').map(({ length }) => length))).toBeLessThan(2500);
});

test('npm run docs: nothing public is undocumented, and no link is dead', async () => {
  const typedoc = path.join(root, 'node_modules/typedoc/bin/typedoc');
  await expect(node([typedoc, '--emit', 'none'], root)).resolves.not.toContain('warning');
});

test('publint has nothing to say', async () => {
  const { publint } = await import('publint');
  const { messages } = await publint({ pkgDir: root, strict: true });
  expect(messages).toEqual([]);
});

test('are the types wrong? They are not, for all that resolve ES modules', async () => {
  // node10 knows no exports; CommonJS has to import() an ES module, as Node.js says.
  const attw = path.join(root, 'node_modules/@arethetypeswrong/cli/dist/index.js');
  const builds = Object.keys(manifest.exports).filter((name) => name.endsWith('.wasm'));
  const output = await node([attw, packed.file, '--profile', 'esm-only', '--format', 'json', '--exclude-entrypoints', ...builds], root);
  const { problems } = JSON.parse(output) as { problems?: Record<string, unknown> };
  const wrong = Object.entries(problems ?? {}).filter(([kind]) => !['NoResolution', 'CJSResolvesToESM'].includes(kind));
  expect(wrong).toEqual([]);
});

const base64 = /"[\w+/\\\n]{1000,}=*"/g;

// The entry's files as a browser loads them.
function reached(entry: string, seen = new Set<string>()): Set<string> {
  if (seen.has(entry)) return seen;
  seen.add(entry);
  for (const [, next] of dist(entry).matchAll(/(?:from|import)\s*"\.\/([\w-]+\.js)"/g)) reached(next as string, seen);
  return seen;
}

test('what the web loads knows nothing of Node.js and makes no code from text', () => {
  for (const entry of ['index.js', 'inline.js', 'worker.js', 'config.js', 'catalog.js', 'recommend.js', 'formats.js', 'state.js']) {
    for (const file of reached(entry)) {
      const text = dist(file).replaceAll(base64, '');
      expect(text.match(/\brequire\s*\(|["']node:|\beval\(|new Function\b|\bimport\(|\bdocument\./)?.[0], file).toBeUndefined();
    }
  }
});

async function bundled(code: string): Promise<number> {
  const { build } = await import('esbuild');
  const resolveDir = path.join(root, 'build/shaking');
  rmSync(resolveDir, { recursive: true, force: true });
  mkdirSync(resolveDir, { recursive: true });
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir },
    bundle: true,
    minify: true,
    format: 'esm',
    write: false,
    tsconfigRaw: {}, // the repository's own leads to the sources
    // By its own name: esbuild takes a package's exports where it stands inside of it, and its sideEffects too.
    nodePaths: [root],
  });
  return outputFiles[0]?.contents.length ?? NaN;
}

test('what an application does not use is not in its bundle', async () => {
  const imports = Object.keys(manifest.exports)
    .filter((name) => !/\.(wasm|json)$/.test(name))
    .map((name) => `import * as m${name.replace(/\W/g, '')} from '${name.replace('.', 'posenc')}';`);
  expect(await bundled(imports.join(''))).toBe(0);
  expect(await bundled("import 'posenc'; import 'posenc/worker'; import 'posenc/inline';")).toBe(0);
  const error = await bundled("import { PosencError } from 'posenc'; console.log(PosencError);");
  expect(error).toBeLessThan(1500);
  const whole = await bundled("import { load } from 'posenc'; console.log(load);");
  expect(await bundled("import { load, PosencError } from 'posenc'; import { readSafetensors } from 'posenc/formats'; console.log(load);")).toBe(whole);
});

test('the workers of a pool weigh little on a page that has none', () => {
  const page = reached('index.js');
  const own = [...reached('worker.js')].filter((file) => !page.has(file));
  for (const file of own) expect(dist(file)).not.toContain('posenc-simd.wasm');
  // Dividing and joining is the workers' own business; the page has what speaks to them.
  expect(own.reduce((sum, file) => sum + gzipSync(dist(file)).length, 0)).toBeGreaterThan(2000);
});

test('what loading takes is one file beside the entry', () => {
  for (const entry of ['index.js', 'node.js']) expect([...reached(entry)]).toEqual([entry, 'chunk-main.js']);
});

test('a page that reads one entry does not load the builds in another', () => {
  const withBuilds = (entry: string): string[] => [...reached(entry)].filter((file) => dist(file).match(base64) !== null);
  expect(withBuilds('index.js')).toEqual([]);
  expect(withBuilds('inline.js')).toHaveLength(1);
});
