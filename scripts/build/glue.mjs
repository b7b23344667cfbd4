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
    .replace(/var _scriptName *=[^;]*;/, 'var _scriptName = "";')
    // The search is in branches for each kind of host; in none of them, the minifier drops it.
    .replace(/var ENVIRONMENT_IS_\w+ *=[^;]*;/g, '')
    .replace(/\bENVIRONMENT_IS_\w+\b/g, 'false')
    // A function, not what calling one gave: then a bundle that loads no module has none of this.
    .replace(/^var createModule = \(\(\) => \{$/m, 'const makeCreate = () => {')
    .replace(/^\}\)\(\);\s*export default createModule;\s*$/m, '};\nexport default (options) => makeCreate()(options);\n');
  const { code } = await transform(trimmed, { minify: true, format: 'esm', target: 'es2022', legalComments: 'none' });
  checkGlue(code);
  return code;
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
