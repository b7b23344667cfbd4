// Emscripten's glue, freed of the search for a .wasm file and held to what the package promises of it.
import { Stop } from '../lib/log.mjs';

/**
 * Takes out where the glue says that a .wasm file lies beside it. The loader passes an instance, so nothing would
 * ever be fetched from there; but bundlers follow `new URL(..., import.meta.url)` and would ship that file.
 */
export function trimGlue(glue) {
  return glue.replace(/new URL\((["'])[^"']*\.wasm\1, *import\.meta\.url\)\.href/g, '""').replaceAll('import.meta.url', '""');
}

const forbidden = [
  [/new URL\(|import\.meta/, 'looks for a file'],
  [/\brequire\b|\bprocess\b|from ?["'](node:)?(fs|module|url|path)["']/, 'knows Node'],
  [/\beval\(|new Function\b/, 'makes code at run time, which a strict content security policy forbids'],
  [/\bimport\(/, 'imports at run time'],
  [/\bdocument\b/, 'knows the page'],
];

/** Stops where the glue does what the package promises that it does not. */
export function checkGlue(glue) {
  for (const [pattern, why] of forbidden) {
    const found = glue.match(pattern);
    if (found) throw new Stop(`The glue has "${found[0]}": it ${why}. See cmake/module.cmake and scripts/build/glue.mjs.`);
  }
}
