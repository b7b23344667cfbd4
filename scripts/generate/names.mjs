// generated/names.ts: what C++ calls by number, in the order of its lists.
import { header, pascal } from './text.mjs';

export function namesFile({ names }) {
  return header + Object.entries(names).map(([list, entries]) => `
/** @internal */
export const enum ${pascal(list)} {
${entries.map((entry) => `  ${entry},\n`).join('')}}
`).join('');
}
