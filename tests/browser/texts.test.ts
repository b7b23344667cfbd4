// Chinese texts: each page's tables hold what its code and the catalogue show on it, and notes follow the English pages.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { catalog } from 'posenc/catalog';
import { recommend, tasks } from 'posenc/recommend';
import { meaningsFrom } from '../../web/build/meanings.js';
import { joinNotes } from '../../web/build/notes.js';
import { renderMarkdown } from '../../web/build/markdown.js';
import { textsOf as tablesOf } from '../../web/src/texts/zh/index.js';
import { textsOf } from './support/texts.js';

const web = fileURLToPath(new URL('../../web/', import.meta.url));
const pages = path.join(web, 'src/pages');
/** Entries of pages; other files there are parts of them. */
const entries = readdirSync(pages).filter((name) => existsSync(path.join(web, name === 'gallery.ts' ? 'index.html' : name.replace(/\.ts$/, '.html'))));

/** A file of the site and those that it imports, workers and texts left out. */
function filesBehind(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const [, name] of readFileSync(file, 'utf8').matchAll(/^(?:import|export)\s(?!type\b)[^;]*?from '(\.[^']+)\.js'/gm)) {
    const next = path.resolve(path.dirname(file), `${name}.ts`);
    if (!next.includes(`${path.sep}texts${path.sep}`)) filesBehind(next, seen);
  }
  return seen;
}

test.each(entries)('%s: the page\u2019s tables have the texts of its code', async (name) => {
  const table = await tablesOf(name.replace(/\.ts$/, ''));
  const wanted = new Set([...filesBehind(path.join(pages, name))].flatMap(textsOf));
  expect(wanted.size).toBeGreaterThan(1);
  expect([...wanted].filter((text) => text !== 'posenc' && !(text in table))).toEqual([]);
});

test('what the catalogue says of encodings and options is translated where it is shown', async () => {
  const [gallery, encoding, compare, choose] = await Promise.all(['gallery', 'encoding', 'compare', 'choose'].map(tablesOf));
  const missing = (texts: readonly string[], table: object): string[] => texts.filter((text) => /[a-z]{2} [a-z]/i.test(text) && !(text in table));
  const all = catalog.encodings;
  const traits = all.flatMap(({ extrapolates, good, bad }) => [extrapolates, good, bad]);
  const options = all.flatMap(({ fields }) => fields.map(({ doc }) => doc));
  expect(missing(all.map(({ summary }) => summary), gallery!)).toEqual([]);
  expect(missing([...all.map(({ summary }) => summary), ...traits, ...options], encoding!)).toEqual([]);
  expect(missing(options, compare!)).toEqual([]);
  expect(missing(traits, choose!)).toEqual([]);
});

test('every reason of recommend is translated', async () => {
  const table = await tablesOf('choose');
  const lengths = [[512, 512], [512, 900], [512, 8192], [32768, 32768]] as const;
  const said = new Set<string>();
  for (const task of tasks) {
    for (const [trainedLength, longestLength] of lengths) {
      for (const parameters of ['any', 'few', 'none'] as const) {
        for (const flag of [false, true]) {
          const found = recommend({ task, trainedLength, longestLength, parameters, causal: flag, absolute: flag, variableSize: flag });
          for (const { reasons, cautions } of found) for (const { text } of [...reasons, ...cautions]) said.add(text);
        }
      }
    }
  }
  expect(said.size).toBeGreaterThan(60);
  expect([...said].filter((text) => !(text in table))).toEqual([]);
});

const withNotes = catalog.encodings.map(({ id }) => id).filter((id) => existsSync(path.join(web, `src/texts/zh/notes/${id}.md`)));

test.each(withNotes)('%s: Chinese notes have the English page\u2019s sections, tables and questions', (id) => {
  const english = readFileSync(path.join(web, `../docs/encodings/${id}.md`), 'utf8');
  const chinese = joinNotes(readFileSync(path.join(web, `src/texts/zh/notes/${id}.md`), 'utf8'), english, meaningsFrom(catalog, id));
  const count = (html: string, tag: string): number => html.split(`<${tag}`).length - 1;
  const [own, other] = [renderMarkdown(chinese), renderMarkdown(english)];
  for (const tag of ['h2', 'table', 'details', 'pre', 'div class="formula"']) expect(count(own, tag), tag).toBe(count(other, tag));
  const links = (html: string): string[] => [...html.matchAll(/href="([^"]+)"/g)].map(([, href]) => href!).sort();
  expect(links(own)).toEqual(links(other));
});

/** Words of a page in HTML, without code, formulas, links to papers and what is marked as another language. */
function proseOf(html: string): string {
  const bare = html.replace(/<(pre|code|math)\b[^]*?<\/\1>/g, ' ').replace(/<div lang="en">[^]*?<\/div>\s*(?=<h2>|$)/g, ' ');
  return bare.replace(/<[^>]+>/g, ' ').replace(/&\w+;/g, ' ');
}

test.each(withNotes)('%s: Chinese notes leave no words in English but for code, examples and sources', (id) => {
  const english = readFileSync(path.join(web, `../docs/encodings/${id}.md`), 'utf8');
  const html = renderMarkdown(joinNotes(readFileSync(path.join(web, `src/texts/zh/notes/${id}.md`), 'utf8'), english, meaningsFrom(catalog, id)));
  expect(html.split('lang="en"').length - 1).toBe(english.match(/^## (Example|Sources?)$/gm)!.length);
  // Three words in a row, the last without a capital, are a phrase and no name.
  expect(proseOf(html).match(/[A-Za-z]+ [A-Za-z]+ [a-z]{2,}\b/g) ?? []).toEqual([]);
});

const page = '# X\n\nText.\n\n## Parameters\n\n| option | meaning | default |\n| --- | --- | --- |\n' +
  '| `dim` | width $d$ | required |\n| `a`, `b` | both | 2 |\n| `weights.table` | `[n, dim]` | normal |\n\nMore.\n';
const meaning = (option: string): string | undefined => ({ dim: '宽度 | d', a: '甲', b: '乙' })[option];
const own = (row: string): string => `文。\n\n## 参数\n\n| 选项 | 含义 | 默认值 |\n| --- | --- | --- |\n${row}\n\n更多。\n`;

test('the table of options says in Chinese what the controls say, and the notes say the rest', () => {
  const html = renderMarkdown(joinNotes(own('| `weights.table` | `[n, dim]` | 正态分布 |'), page, meaning));
  const cells = [...html.matchAll(/<t[hd]>(.*?)<\/t[hd]>/g)].map(([, cell]) => cell);
  expect(cells).toEqual([
    '选项', '含义', '默认值',
    '<code>dim</code>', '宽度 | d', '必填',
    '<code>a</code>, <code>b</code>', '甲；乙', '2',
    '<code>weights.table</code>', '<code>[n, dim]</code>', '正态分布',
  ]);
  expect(html).toContain('更多。');
  expect(html).not.toContain('More.');
  const known = catalog.encodings.flatMap(({ id, fields }) => fields.map(({ name }) => meaningsFrom(catalog, id)(name)));
  expect(known.filter((text) => text !== undefined).length).toBeGreaterThan(0.9 * known.length);
});

test('a row of the table of options that would stay English, and one too many, are refused', () => {
  expect(() => joinNotes('文。\n', page, meaning)).toThrow('do not say what `weights.table` means');
  expect(() => joinNotes(own('| `weights.table` | `[n, dim]` | normal |'), page, meaning)).toThrow('the default "normal" of `weights.table`');
  expect(() => joinNotes(own('| `weights.table` | 表 | 零 |\n| `c` | 丙 | 1 |'), page, meaning)).toThrow('no option c');
});
