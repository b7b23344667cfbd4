// Sizes of what dist/ ships, raw and as gzip -9, and of the first useful call: the entry with all it imports, and
// one WebAssembly variant. npm run size [-- --json | --parts]
// --parts: what the parts of each variant weigh that this tree has linked.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { isMain, main, Stop } from './lib/log.mjs';
import { build, dist } from './lib/paths.mjs';
import { wasmParts } from './lib/wasm-parts.mjs';

const size = (files) => files.map((file) => readFileSync(path.join(dist, file)))
  .reduce((sum, bytes) => ({ raw: sum.raw + bytes.length, gzip: sum.gzip + gzipSync(bytes, { level: 9 }).length }), { raw: 0, gzip: 0 });

// A file of dist and the files that its static imports reach.
function reach(file, seen = new Set()) {
  if (seen.has(file)) return seen;
  seen.add(file);
  const text = readFileSync(path.join(dist, file), 'utf8');
  for (const [, next] of text.matchAll(/(?:from|import)\s*"\.\/([\w-]+\.js)"/g)) reach(next, seen);
  return seen;
}

/** Everything that is measured: [name, { raw, gzip }] in bytes. */
export function sizes() {
  if (!existsSync(path.join(dist, 'index.js'))) throw new Stop('Nothing is built yet: npm run build');
  const files = readdirSync(dist).filter((file) => /\.(wasm|js)$/.test(file)).sort();
  const wasm = files.filter((file) => file.endsWith('.wasm'));
  const entry = [...reach('index.js')];
  return [
    ...files.map((file) => [file, size([file])]),
    ...wasm.map((file) => [`first useful call: index.js + ${file}`, size([...entry, file])]),
  ];
}

// Of each variant whose build folder is here.
function parts() {
  const names = ['simd', 'relaxed', 'scalar'].filter((name) => existsSync(path.join(build, `wasm/${name}/posenc_module.map`)));
  if (names.length === 0) throw new Stop('Nothing is linked yet: npm run build');
  return names.flatMap((name) => {
    const base = path.join(build, `wasm/${name}/posenc_module`);
    return wasmParts(`${base}.wasm`, `${base}.mjs.symbols`, `${base}.map`).map(([part, weight]) => [`${name}: ${part}`, weight]);
  });
}

if (isMain(import.meta)) {
  await main(async () => {
    const rows = process.argv.includes('--parts') ? parts() : sizes();
    if (process.argv.includes('--json')) return console.log(JSON.stringify(Object.fromEntries(rows), null, 2));
    const width = Math.max(...rows.map(([name]) => name.length));
    const kilo = (bytes) => (bytes / 1000).toFixed(1).padStart(9);
    console.log(`${'kB'.padEnd(width)}       raw  gzip -9`);
    for (const [name, { raw, gzip }] of rows) console.log(`${name.padEnd(width)} ${kilo(raw)}${kilo(gzip)}`);
  });
}
