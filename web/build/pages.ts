// The pages of the site, and the head and foot that all of them have.
import type { Plugin } from 'vite';

const pages = [
  { file: 'index.html', name: 'Encodings' },
  { file: 'compare.html', name: 'Compare' },
  { file: 'lengths.html', name: 'Lengths' },
  { file: 'choose.html', name: 'Choose' },
  { file: 'inspect.html', name: 'Inspect' },
  { file: 'benchmark.html', name: 'Benchmark' },
];

/** Pages that stand elsewhere than in the head: the foot links to one, others' pages show the other. */
const besides = ['glossary.html', 'embed.html'];

/** Page files without a link of their own in the head, by the one they belong to. */
const belongsTo: Record<string, string> = { 'encoding.html': 'index.html' };

/** The Chinese texts' entry: public/start.js loads it under this name once the site is built. */
export const chineseEntry = { source: 'src/texts/zh/start.ts', built: 'zh.js' } as const;

/** Entry files for Vite, relative to the site's root. */
export const pageFiles = [...pages.map(({ file }) => file), ...Object.keys(belongsTo), ...besides];

function siteHead(file: string): string {
  const links = pages.map((page) => {
    const current = page.file === file ? ' aria-current="page"' : page.file === belongsTo[file] ? ' aria-current="true"' : '';
    return `<a href="${page.file}"${current}>${page.name}</a>`;
  });
  return `<a class="skip" href="#main">Skip to the content</a>
    <header class="site-head">
      <a class="wordmark" href="index.html">posenc</a>
      <nav aria-label="Pages">${links.join('')}</nav>
      <a id="language" href="?lang=zh" lang="zh-Hans" hreflang="zh-Hans">简体中文</a>
      <button type="button" id="theme" class="icon-button">
        <svg viewBox="0 0 20 20" aria-hidden="true"><circle cx="10" cy="10" r="6.5" /><path d="M10 3.5a6.5 6.5 0 0 1 0 13z" /></svg>
      </button>
    </header>`;
}

function siteFoot(version: string): string {
  return `<footer class="site-foot">
      <p><span>Every number on these pages is computed in your browser by the library itself; nothing is sent anywhere.</span>
        <a href="glossary.html">Glossary</a> <span>posenc ${version}</span></p>
    </footer>`;
}

/** Fills <!--site-head--> and <!--site-foot--> in, and adds the script that runs before the first paint. */
export function pageFrame(version: () => Promise<string>): Plugin {
  return {
    name: 'posenc-page-frame',
    transformIndexHtml: {
      order: 'pre',
      async handler(html, { path, server }) {
        const file = path.split('/').pop() || 'index.html';
        const filled = html.replace('<!--site-head-->', siteHead(file)).replace('<!--site-foot-->', siteFoot(await version()));
        const attrs = { src: 'start.js', 'data-zh': server ? chineseEntry.source : chineseEntry.built };
        return { html: filled, tags: [{ tag: 'script', attrs, injectTo: 'head' }] };
      },
    },
  };
}
