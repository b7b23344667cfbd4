// Markdown with $inline$ and $$display$$ LaTeX → HTML with MathML.
import { Marked, type TokenizerAndRendererExtension, type Tokens } from 'marked';
import { renderMath } from './math.js';

interface MathToken extends Tokens.Generic {
  latex: string;
}

const displayMath: TokenizerAndRendererExtension = {
  name: 'displayMath',
  level: 'block',
  start: (source) => source.indexOf('$$'),
  tokenizer(source) {
    const match = /^\$\$([\s\S]+?)\$\$[ \t]*(?:\n|$)/.exec(source);
    return match?.[1] ? { type: 'displayMath', raw: match[0], latex: match[1].trim() } : undefined;
  },
  renderer: (token) => `<div class="formula">${renderMath((token as MathToken).latex, true)}</div>\n`,
};

const inlineMath: TokenizerAndRendererExtension = {
  name: 'inlineMath',
  level: 'inline',
  start: (source) => source.indexOf('$'),
  tokenizer(source) {
    const match = /^\$(?!\s)((?:[^$\\]|\\[\s\S])+?)(?<!\s)\$(?!\d)/.exec(source);
    return match?.[1] ? { type: 'inlineMath', raw: match[0], latex: match[1] } : undefined;
  },
  renderer: (token) => renderMath((token as MathToken).latex, false),
};

/** Where a link of a page in docs/encodings leads on the site; undefined where the site has no such page. */
function siteLink(href: string): string | undefined {
  if (/^https?:/.test(href)) return href;
  const page = /^(?:\.\/)?([A-Za-z0-9]+)\.md$/.exec(href)?.[1];
  return page && `encoding.html#id=${page}`;
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

const marked = new Marked({
  extensions: [displayMath, inlineMath],
  renderer: {
    link({ href, tokens }) {
      const text = this.parser.parseInline(tokens);
      const target = siteLink(href);
      return target ? `<a href="${escape(target)}">${text}</a>` : text;
    },
    code({ text, lang = '' }) {
      return `<pre><code data-language="${escape(lang)}">${escape(text)}</code></pre>\n`;
    },
    table(token) {
      const cells = (row: Tokens.TableCell[], tag: string): string =>
        row.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('');
      const body = token.rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('');
      return `<div class="table-scroll"><table><thead><tr>${cells(token.header, 'th')}</tr></thead><tbody>${body}</tbody></table></div>\n`;
    },
  },
});

/** HTML of a page of docs/encodings, without its title: the site's page has one. */
export function renderMarkdown(text: string): string {
  const tokens = marked.lexer(text);
  const body = tokens[0]?.type === 'heading' && tokens[0]['depth'] === 1 ? tokens.slice(1) : tokens;
  return marked.parser(body as typeof tokens);
}
