// TypeScript of the project, as a module of Node's.
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { at, build as folder } from '../lib/paths.mjs';

/** Imports `exports`, lines that export from files of the folder `from`, bundled as build/bench/NAME.mjs; `more`: options of esbuild. */
export async function importBundled(name, exports, from, more = {}) {
  const outfile = `${folder}/bench/${name}.mjs`;
  await build({
    stdin: { contents: exports, resolveDir: at(from), loader: 'ts' },
    bundle: true, format: 'esm', platform: 'node', target: 'node20', outfile, logLevel: 'warning', ...more,
  });
  return import(pathToFileURL(outfile).href);
}
