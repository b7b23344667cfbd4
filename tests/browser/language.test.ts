// The second language: every text of the site has one, pages show it, and the choice lasts.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { catalog } from 'posenc/catalog';
import { always } from '../../web/src/texts/zh/index.js';
import { benchmark } from '../../web/src/texts/zh/benchmark.js';
import { controls } from '../../web/src/texts/zh/controls.js';
import { glossary } from '../../web/src/texts/zh/glossary.js';
import { options } from '../../web/src/texts/zh/options/index.js';
import { pages } from '../../web/src/texts/zh/pages.js';
import { pictures } from '../../web/src/texts/zh/pictures.js';
import { models } from '../../web/src/texts/zh/models.js';
import { reasons } from '../../web/src/texts/zh/reasons.js';
import { summaries } from '../../web/src/texts/zh/summaries.js';
import { titles } from '../../web/src/texts/zh/titles.js';
import { tools } from '../../web/src/texts/zh/tools.js';
import { traits } from '../../web/src/texts/zh/traits.js';
import { openSite, type Site } from './support/site.js';
import { codeTexts, pageTexts } from './support/texts.js';

const texts: Readonly<Record<string, string>> = { ...always, ...benchmark, ...glossary, ...models, ...options, ...reasons, ...summaries, ...tools, ...traits };

let site: Site;
beforeAll(async () => void (site = await openSite()));
afterAll(() => site.close());

/** Names that are the same everywhere. */
const isName = (text: string): boolean => /^(posenc( [\d.]+)?|config\.json)$/.test(text);

test('every text of code and pages is translated, with the same places for values, and none is left over', () => {
  const wanted = new Set([...codeTexts(), ...pageTexts()].filter((text) => !isName(text)));
  expect([...wanted].filter((text) => !(text in texts))).toEqual([]);
  const own = { ...benchmark, ...pages, ...glossary, ...controls, ...pictures, ...tools };
  expect(Object.keys(own).filter((text) => !wanted.has(text))).toEqual([]);
  const places = (text: string): string => [...new Set(text.match(/\{\d\}/g) ?? [])].sort().join();
  for (const [english, chinese] of Object.entries(texts)) expect(places(chinese), english).toBe(places(english));
});

test('names of encodings and of their users are in Chinese where they are words', () => {
  const words = (text: string): boolean => /\b[a-z]{4,}/.test(text);
  const isWord = (title: string): boolean => words(title) || /^[A-Z][a-z]+$/.test(title);
  expect(catalog.encodings.map(({ title }) => title).filter((title) => isWord(title) && title !== 'Sandwich' && !(title in titles))).toEqual([]);
  expect(catalog.encodings.flatMap(({ models: users }) => users).filter((user) => words(user.replace(/wav2vec|fairseq|relative_key|-vision/g, '')) && !(user in models))).toEqual([]);
});

test('what stands in the HTML of a page is in the tables that come first', async () => {
  const late = new Set(['benchmark.html', 'glossary.html']);
  const first = Object.keys(always);
  expect(pageTexts((name) => !late.has(name)).filter((text) => !isName(text) && !first.includes(text))).toEqual([]);
});

const paths = [
  ['index.html', '.card:last-child .card-picture > *'],
  ['encoding.html#id=rope', '#notes > *'],
  ['compare.html#tokens=sentence', '#more [data-key="difference"] canvas'],
  ['lengths.html', '#more [data-key="grid-similarity"] canvas'],
  ['choose.html', '#result > li'],
  ['inspect.html#file=image-grid', '#tensors .slider-row'],
  ['inspect.html#model=openai/gpt-oss-20b', '#result .warnings li'],
  ['inspect.html#model=deepseek-ai/DeepSeek-V3', '#result .warnings li'],
  ['embed.html#id=alibi&figure=lines', '#picture path'],
  ['benchmark.html', '#environment dt'],
  ['glossary.html', 'dl.glossary'],
] as const;

test.each(paths)('%s leaves no sentence in English, but for what is marked as such', async (path, ready) => {
  const { page, complaints } = await site.open(path, { locale: 'zh-CN' });
  await page.waitForSelector(ready);
  await page.waitForSelector('html[data-translated]');
  expect(await page.getAttribute('html', 'lang')).toBe('zh-Hans');
  const left = await page.evaluate((names) => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found: string[] = [];
    while (walker.nextNode()) {
      const { parentElement, textContent } = walker.currentNode;
      const text = textContent?.trim() ?? '';
      if (parentElement?.closest('#notes [lang="en"], a[lang="en"], code, pre, script, style, noscript, option, textarea, math, .examples, [hidden]')) continue;
      if (/[A-Za-z]+,? [A-Za-z]+,? [a-z]+,? [a-z]+/.test(text) && !/[\u4e00-\u9fff]/.test(text) && !names.includes(text)) found.push(text);
    }
    return found;
  }, catalog.encodings.flatMap(({ models: users }) => users).filter((name) => !(name in models)));
  expect(left).toEqual([]);
  expect(complaints).toEqual([]);
});

test('an error and the table of options are in Chinese where the page is', async () => {
  const { page, complaints } = await site.open('encoding.html#id=sinusoidal', { locale: 'zh-CN' });
  await page.waitForSelector('#lead [data-key]');
  await page.fill('#option-dim', '0');
  await page.waitForFunction(() => document.querySelector('#status')?.textContent);
  expect(await page.textContent('#status')).toMatch(/^参数 dim：收到 0，允许 /);
  await page.waitForSelector('#notes table');
  const dim = page.locator('#notes table tr:has(td:first-child code:text-is("dim")) td');
  expect(await dim.nth(1).textContent()).toBe(options['width d of a row']);
  expect(await dim.nth(2).textContent()).toBe('必填');
  expect(complaints).toEqual([]);
});

test('the link switches the language before the page’s own code has come', async () => {
  const { page } = await site.open('icon.svg', { locale: 'zh-CN' });
  let held = 0;
  await page.route(/assets\/lengths-[^/]*\.js$/, () => void held++);
  await page.goto(`${site.address}lengths.html#base=500000`, { waitUntil: 'commit' });
  await page.click('#language');
  await page.waitForURL('**/lengths.html?lang=en#base=500000', { waitUntil: 'commit' });
  await page.waitForFunction(() => document.documentElement.lang === 'en');
  expect(held).toBeGreaterThan(0);
});

test('the link switches the language, keeps the state, and the choice lasts', async () => {
  const { page, complaints } = await site.open('lengths.html#base=500000');
  const titled = (title: string | undefined): Promise<unknown> => page.waitForFunction((text) => document.querySelector('h1')?.textContent === text, title);
  await titled('Beyond the trained length');
  await page.click('#language');
  await titled(texts['Beyond the trained length']);
  expect(page.url()).toMatch(/lengths\.html\?lang=zh#base=500000$/);
  expect(await page.inputValue('#set-base')).toBe('500000');
  await page.click('nav a[href="compare.html"]');
  await titled(texts['The same tokens, different positions']);
  await page.click('#language');
  await titled('The same tokens, different positions');
  expect(await page.getAttribute('html', 'lang')).toBe('en');
  expect(complaints).toEqual([]);
});
