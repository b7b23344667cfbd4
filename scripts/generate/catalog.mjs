// generated/catalog.ts: the manifest as data, for `posenc/catalog`.
import { header } from './text.mjs';

export function catalogFile(manifest, version) {
  const { encodings, attention, cache, errorCodes, scoreStages } = manifest;
  const catalog = {
    version,
    encodings: encodings.map((encoding) => ({ ...encoding, models: list(encoding.models), tasks: list(encoding.tasks) })),
    attention,
    cache,
    errorCodes,
    scoreStages,
  };
  return `${header}
import type { Catalog } from '../catalog.js';

/** All that is known of every encoding, and of the options of attention. */
export const catalog: Catalog = ${JSON.stringify(catalog, null, 2)};
`;
}

/** 'a, b (x, y)' → ['a', 'b (x, y)'] */
function list(text) {
  return text.split(/, (?![^(]*\))/).filter((item) => item !== '');
}
