// A few characters that stand for a text, so that a table of translations need not hold every English sentence again.

/** FNV-1a of the text's UTF-16 units, in base 36. */
export function shortKey(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return hash.toString(36);
}
