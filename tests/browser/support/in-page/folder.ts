// A folder to serve: the package as it ships, the JavaScript tests bundled for a page, and the case files.
import { cpSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { packageFolder } from '../site.js';

const at = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const tests = at('../../../js');

/** What only Node.js has, or a build that a test asks for by name. */
const needsNode = /['"]node:|\bBuffer\b|\bprocess\.|\.mjs'/;

/** What takes long and tells of memory or of many random cases: three more runs on other engines would not fit into `npm test`. */
const long = /^(accuracy|flat|heap|hostile.*|large|memory|faults\/(rotary|tables)|properties\/(attention|calls|gradients))$/;

/** Neither it nor what it imports from beside it. */
function runsInPage(file: string): boolean {
  const text = readFileSync(file, 'utf8');
  const beside = [...text.matchAll(/from '(\.{1,2}\/[^']*)\.js'/g)].map(([, name]) => path.resolve(path.dirname(file), `${name}.ts`));
  return !needsNode.test(text) && beside.filter((other) => other.startsWith(tests)).every((other) => !/['"]node:/.test(readFileSync(other, 'utf8')));
}

/** Test files below tests/js that need nothing of Node.js, without the ending. */
export const testFiles = readdirSync(tests, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => name.replace(/\.test\.ts$/, ''))
  .filter((name) => !long.test(name) && runsInPage(path.join(tests, `${name}.test.ts`)))
  .sort();

/** The package stays outside of the bundles, so that all of them share one, with its own files beside it. */
const imports: Plugin = {
  name: 'imports',
  setup({ onResolve }) {
    onResolve({ filter: /^posenc(\/|$)/ }, ({ path: name }) => ({ path: `/posenc/${name.split('/')[1] ?? 'index'}.js`, external: true }));
    onResolve({ filter: /^vitest$/ }, () => ({ path: at('vitest.ts') }));
  },
};

/** Folders with case files: this repository's, and those of other projects where POSENC_SHARED names a folder with them. */
function caseFolders(): [string, string][] {
  const shared = process.env['POSENC_SHARED'];
  const others = ['onnx-node-tests', 'ort-cases'].map((name): [string, string] => [name, path.join(shared ?? '', name)]);
  return [['golden', at('../../../golden')], ...(shared === undefined ? [] : others)];
}

/** Addresses of all case files, below the folder that is served. */
export const caseFiles = caseFolders().flatMap(([name, folder]) =>
  readdirSync(folder).filter((file) => /\.(safetensors|json)$/.test(file)).map((file) => `/cases/${name}/${file}`));

export async function makeFolder(): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'posenc-in-page-'));
  cpSync(packageFolder, path.join(folder, 'posenc'), { recursive: true });
  for (const [name, cases] of caseFolders()) cpSync(cases, path.join(folder, 'cases', name), { recursive: true });
  await build({
    entryPoints: [{ in: at('run.ts'), out: 'run' }, ...testFiles.map((name) => ({ in: path.join(tests, `${name}.test.ts`), out: `tests/${name}` }))],
    outdir: folder, bundle: true, splitting: true, format: 'esm', target: 'es2022', logLevel: 'warning',
    define: { 'process.env': '{}' }, // the variant is the one that detection takes
    plugins: [imports],
  });
  writeFileSync(path.join(folder, 'index.html'), '<!doctype html><meta charset="utf-8"><title>posenc</title><link rel="icon" href="data:,"><script type="module" src="run.js"></script>');
  return folder;
}
