// The tables of src/texts as pages load them: with short keys in place of the English texts.
import type { Plugin } from 'vite';
import { shortKey } from '../src/lib/short-key.js';

/** Shortens the keys of the tables; two texts with one key would show one for the other, and are refused. */
export function shortTexts(): Plugin {
  const owners = new Map<string, string>();
  return {
    name: 'posenc-texts',
    enforce: 'pre',
    transform(code, id) {
      const found = /^(?:\/\/[^\n]*\n)*export const (\w+): Readonly<Record<string, string>> = ([^]*);\s*$/.exec(code);
      if (!/\/src\/texts\/\w+\//.test(id) || !found || /^\s*\.\.\./m.test(found[2]!)) return undefined;
      const table = new Function(`return ${found[2]}`)() as Record<string, string>;
      const short = Object.entries(table).map(([text, translated]) => {
        const key = shortKey(text);
        if ((owners.get(key) ?? text) !== text) throw new Error(`"${text}" and "${owners.get(key)}" have one short key`);
        owners.set(key, text);
        return [key, translated] as const;
      });
      return { code: `export const ${found[1]} = ${JSON.stringify(Object.fromEntries(short))};`, map: null };
    },
  };
}
