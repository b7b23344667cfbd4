// Texts that are put together elsewhere, translated by patterns: "at most {0}" fits "at most 7".

export type Patterns = readonly (readonly [from: string, to: string])[];

const escape = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** A translator by these patterns, tried in their order; what a place holds is translated too, and what fits none stays. */
export function makeTranslator(patterns: Patterns): (text: string) => string {
  const compiled = patterns.map(([from, to]) => [new RegExp(`^${from.split(/\{\d\}/).map(escape).join('(.+?)')}$`, 's'), to] as const);
  const translate = (text: string): string => {
    for (const [pattern, to] of compiled) {
      const found = pattern.exec(text);
      if (found) return to.replace(/\{(\d)\}/g, (_, index: string) => translate(found[Number(index) + 1] ?? ''));
    }
    return text;
  };
  return translate;
}
