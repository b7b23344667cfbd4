#!/usr/bin/env node
// Writes what follows from the C++ descriptions of encodings: option types, factories, error codes, call writers,
// the catalogue and the README's table. No encoding is named here.
//
//   node scripts/generate/generate.mjs            write the files
//   node scripts/generate/generate.mjs --check    exit 1 where a committed file is stale
//     --program FILE   the manifest program (default build/wasm/posenc_manifest.js)
//     --manifest FILE  its output, already in a file
//     --out DIR        where the TypeScript goes (default bindings/js/generated); elsewhere than there, the README
//                      is left alone
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { callsFile } from './calls.mjs';
import { catalogFile } from './catalog.mjs';
import { encodingsFile } from './encodings.mjs';
import { errorsFile } from './errors.mjs';
import { checkManifest } from './manifest.mjs';
import { namesFile } from './names.mjs';
import { optionsFile } from './options.mjs';
import { withTable } from './readme.mjs';
import { versionFile } from './version.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const committed = join(root, 'bindings/js/generated');

const { values: args } = parseArgs({
  options: {
    check: { type: 'boolean', default: false },
    program: { type: 'string', default: join(root, 'build/wasm/posenc_manifest.js') },
    manifest: { type: 'string' },
    out: { type: 'string', default: committed },
  },
});

const manifest = JSON.parse(
  args.manifest === undefined
    ? execFileSync(process.execPath, [args.program], { encoding: 'utf8', maxBuffer: 2 ** 28 })
    : readFileSync(args.manifest, 'utf8'),
);
checkManifest(manifest);
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

const out = resolve(args.out);
const files = new Map([
  [join(out, 'errors.ts'), errorsFile(manifest)],
  [join(out, 'calls.ts'), callsFile(manifest)],
  [join(out, 'options.ts'), optionsFile(manifest)],
  [join(out, 'encodings.ts'), encodingsFile(manifest)],
  [join(out, 'catalog.ts'), catalogFile(manifest, version)],
  [join(out, 'names.ts'), namesFile(manifest)],
  [join(out, 'version.ts'), versionFile(version)],
]);
if (out === committed) {
  const readme = join(root, 'README.md');
  files.set(readme, withTable(read(readme), manifest));
}

const stale = [...files].filter(([path, text]) => read(path) !== text);
if (args.check) {
  for (const [path] of stale) console.error(`stale: ${path} (run \`npm run generate\`)`);
  process.exitCode = stale.length > 0 ? 1 : 0;
} else {
  for (const [path, text] of stale) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    console.log(`wrote ${path}`);
  }
}

function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return '';
    throw error;
  }
}
