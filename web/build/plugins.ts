// Vite plugins: Markdown and formulas rendered at build time, and the content security policy of every page.
import type { Plugin } from 'vite';
import { renderMarkdown } from './markdown.js';
import { renderMath } from './math.js';
import { readNotes, type Meaning } from './notes.js';

/** Lets code import docs/encodings/<id>.md, and Chinese notes; the module exports `html`. */
export function markdownPages(meaningsOf: (id: string) => Promise<Meaning>): Plugin {
  return {
    name: 'posenc-markdown',
    enforce: 'pre',
    async load(id) {
      if (!id.endsWith('.md')) return undefined;
      const html = renderMarkdown(await readNotes(id, meaningsOf, (file) => this.addWatchFile(file)));
      return { code: `export const html = ${JSON.stringify(html)};`, map: null };
    },
  };
}

/** `import { formulas } from 'virtual:formulas'`: MathML of each encoding's formula, by id. */
export function formulas(encodings: () => Promise<readonly { id: string; formula: string }[]>): Plugin {
  const name = 'virtual:formulas';
  const resolved = `\0${name}`;
  return {
    name: 'posenc-formulas',
    resolveId: (id) => (id === name ? resolved : undefined),
    async load(id) {
      if (id !== resolved) return undefined;
      const entries = (await encodings()).map(({ id: key, formula }) => [key, renderMath(formula, true)]);
      return `export const formulas = ${JSON.stringify(Object.fromEntries(entries))};`;
    },
  };
}

const policy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** Puts the policy into the built pages; the development server needs more than it allows. */
export function securityPolicy(): Plugin {
  return {
    name: 'posenc-security-policy',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: () => [
        { tag: 'meta', attrs: { 'http-equiv': 'Content-Security-Policy', content: policy }, injectTo: 'head-prepend' },
      ],
    },
  };
}
