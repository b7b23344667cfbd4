// Emscripten's glue, freed of what the package never uses, and held to what the package promises of it.
import { Stop } from '../lib/log.mjs';

// The loader gives the glue an instance (instantiateWasm) and silences its output, so finding, fetching and
// printing are dead code there.
const forbidden = [
  [/new URL\(|import\.meta/, 'looks for a file: bundlers would copy it'],
  [/\brequire\(|\bprocess\b|from ["'](node:)?(fs|module|url|path)["']/, 'knows Node'],
  [/\beval\(|new Function\b/, 'makes code at run time: a strict content security policy forbids it'],
  [/\bimport\(/, 'imports at run time'],
];

/** Stops where the glue does what the package says it does not. */
export function checkGlue(glue) {
  for (const [pattern, why] of forbidden) {
    const found = glue.match(pattern);
    if (found) throw new Stop(`The glue has "${found[0]}": it ${why}. See cmake/module.cmake.`);
  }
}

export function trimGlue(glue) {
  return glue;
}
