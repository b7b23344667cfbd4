// bindings/js/inline/wasm.mjs: builds as text, for the entry that carries them in itself.
import { readFileSync } from 'node:fs';
import { constants, deflateRawSync } from 'node:zlib';

/** The module's text, from the paths of builds by name. */
export function inlineWasm(files) {
  const entries = Object.entries(files).map(([name, file]) => {
    const bytes = readFileSync(file);
    const base64 = deflateRawSync(bytes, { level: constants.Z_BEST_COMPRESSION, memLevel: 9 }).toString('base64');
    return `  ${name}: { size: ${bytes.length}, base64: '${base64}' },\n`;
  });
  return `export const builds = {\n${entries.join('')}};\n`;
}
