// Emscripten's glue, freed of what the package never uses and held to what the package promises of it.
import { transform } from 'esbuild';
import { Stop } from '../lib/log.mjs';

/**
 * Takes out how the glue finds and fetches a .wasm file, and minifies the rest. The loader hands it an instance, so
 * none of that would ever run; but bundlers follow `new URL(..., import.meta.url)` and would ship a second file.
 */
export async function trimGlue(glue) {
  const trimmed = glue
    .replace(/new URL\((["'])[^"']*\.wasm\1, *import\.meta\.url\)\.href/g, '""')
    // The search is in branches for each kind of host; in none of them, the minifier drops it.
    .replace(/var ENVIRONMENT_IS_\w+ *=[^;]*;/g, '')
    .replace(/\bENVIRONMENT_IS_\w+\b/g, 'false')
    // What would come after the loader's own instantiation.
    .replace(/wasmBinaryFile *\?\?= *findWasmBinary\(\);[^}]*?return *\{\};?/, '')
    // The function itself, not what calling one gave: then a bundle that loads no module has none of this. Its
    // parentheses stay, by which engines know to compile it when they parse it, and do not parse it a second time.
    .replace(/^var createModule = \(\(\) => \{\s*var _scriptName *=[^;]*;\s*return (?=\()/m, 'const _scriptName = "";\nconst createModule = ')
    .replace(/^\}\)\(\);(?=\s*export default createModule;\s*$)/m, '');
  const { code } = await transform(await withoutUnused(trimmed), { minify: true, format: 'esm', target: 'es2022', legalComments: 'none' });
  checkGlue(code);
  return code;
}

// The functions that nothing calls any more, which the minifier leaves where they stand inside another function.
async function withoutUnused(glue) {
  const { rollup } = await import('rollup');
  const plugin = { name: 'glue', resolveId: (id) => id, load: () => glue };
  const bundle = await rollup({ input: 'glue', plugins: [plugin], treeshake: { moduleSideEffects: false } });
  const { output } = await bundle.generate({ format: 'es' });
  await bundle.close();
  return output[0].code;
}

const forbidden = [
  [/^var \w+=\(\(\)=>/, 'does something when it is imported'],
  [/new URL\(|import\.meta/, 'looks for a file'],
  [/\brequire\b|\bprocess\b|from ?["'](node:)?(fs|module|url|path)["']/, 'knows Node'],
  [/\beval\(|new Function\b/, 'makes code at run time, which a strict content security policy forbids'],
  [/\bimport\(/, 'imports at run time'],
  [/\bdocument\b/, 'knows the page'],
];

function checkGlue(glue) {
  for (const [pattern, why] of forbidden) {
    const found = glue.match(pattern);
    if (found) throw new Stop(`The glue has "${found[0]}": it ${why}. See cmake/module.cmake and scripts/build/glue.mjs.`);
  }
}
