// Puts a table's texts in place of those that stand in the page's HTML.
import { shortKey } from './short-key.js';

/** White space as HTML shows it. */
const tidy = (text: string): string => text.replace(/\s+/g, ' ').trim();

const attributes = ['aria-label', 'placeholder', 'title', 'content'];
const elements = 'title, h1, h2, h3, p, a, button, label, legend, dt, dd, th, li, summary, span, option, noscript';

/** `table` has short keys (build/texts.ts). The page is shown once it is done: base.css hides it until then. */
export function translatePage(table: Readonly<Record<string, string>>): void {
  for (const element of document.querySelectorAll(elements)) {
    const text = table[shortKey(tidy(element.innerHTML))];
    if (text !== undefined) element.innerHTML = text;
  }
  for (const name of attributes) {
    for (const element of document.querySelectorAll(`[${name}]`)) {
      const text = table[shortKey(tidy(element.getAttribute(name) ?? ''))];
      if (text !== undefined) element.setAttribute(name, text);
    }
  }
  offerEnglish();
  document.documentElement.dataset['translated'] = '';
}

/** The link in the page's head, which offers Chinese as it stands in the HTML. public/start.js does what it says. */
function offerEnglish(): void {
  const link = document.querySelector<HTMLAnchorElement>('#language');
  if (link) Object.assign(link, { textContent: 'English', lang: 'en', hreflang: 'en', href: '?lang=en' });
}

/** "encoding", of the page's <body class="page-encoding">. */
export const pageName = (): string => /\bpage-(\w+)/.exec(document.body.className)?.[1] ?? '';
