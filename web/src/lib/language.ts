// The page's texts in the visitor's language. English stands in the code and is the key; src/texts/zh has the others, and
// is loaded only where it is wanted. What the table does not have stays English.
import { make } from './dom.js';
import { makeTranslator } from './patterns.js';
import { shortKey } from './short-key.js';
import { pageName, translatePage } from './translate.js';

export type Language = 'en' | 'zh';

/** Decided by public/start.js before the first paint. */
export const language: Language = document.documentElement.lang.startsWith('zh') ? 'zh' : 'en';

const key = 'posenc-language';
interface Loaded {
  /** By short keys: build/texts.ts makes them. */
  table: Readonly<Record<string, string>>;
  translate: (text: string) => string;
}

const { table, translate }: Loaded = language === 'zh' ? await load() : { table: {}, translate: (text) => text };

async function load(): Promise<Loaded> {
  const { patternsOf, textsOf } = await import('../texts/zh/index.js');
  const page = pageName();
  return { table: await textsOf(page), translate: makeTranslator(await patternsOf(page)) };
}

/** What the library says, in the page's language: texts that it puts together. */
export const said = translate;

/** An element with what the library says, marked as English where the page is not and no pattern fits. */
export function saySaid<K extends keyof HTMLElementTagNameMap>(tag: K, text: string, className = ''): HTMLElementTagNameMap[K] {
  const element = make(tag);
  element.textContent = said(text);
  if (className) element.className = className;
  if (language !== 'en' && element.textContent === text) element.lang = 'en';
  return element;
}

/** Whether the table has it; English is always there. */
export const hasText = (text: string): boolean => language === 'en' || shortKey(text) in table;

/** The text in the page's language, with {0}, {1}, ... filled in. */
export function t(text: string, ...values: readonly (string | number)[]): string {
  const found = (language === 'en' ? undefined : table[shortKey(text)]) ?? text;
  return values.length > 0 ? found.replace(/\{(\d)\}/g, (_, index: string) => String(values[Number(index)])) : found;
}

/** An element that holds the text, marked as English where the page is not and the text has no other. */
export function say<K extends keyof HTMLElementTagNameMap>(tag: K, text: string, className = ''): HTMLElementTagNameMap[K] {
  const element = make(tag);
  element.textContent = t(text);
  if (className) element.className = className;
  if (!hasText(text)) element.lang = 'en';
  return element;
}

/** Translates what stands in the page's HTML, where src/texts/zh/start.ts has not done so already. */
export function translateHtml(): void {
  if (language !== 'en' && !('translated' in document.documentElement.dataset)) translatePage(table);
}

/** A choice that came with the address holds on the pages that follow. */
export function keepAskedLanguage(): void {
  const asked = new URLSearchParams(location.search).get('lang');
  if (!asked) return;
  try {
    localStorage.setItem(key, language);
  } catch {
    // Storage can be switched off; the address says it then, for this page.
  }
}
