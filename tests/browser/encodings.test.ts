// Every encoding on its page: pictures against the code beside them, formula, facts, notes, and axe, in light and dark.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { catalog } from 'posenc/catalog';
import { load } from 'posenc';
import { findings } from './support/axe.js';
import { largestDifference } from './support/formulas.js';
import { openSite, readPicture, type Site, type Watched } from './support/site.js';
import { goTo, small } from './support/walk.js';

let site: Site;
let pages: Record<'light' | 'dark', Watched>;
beforeAll(async () => {
  site = await openSite();
  const open = (colorScheme: 'light' | 'dark'): Promise<Watched> => site.keep('encoding.html#id=nope', { colorScheme });
  pages = { light: await open('light'), dark: await open('dark') };
});
afterAll(() => site.close());

/** One instance runs the code of all pages. */
const posenc = load({ simd: 'simd' });

const walk = catalog.encodings.map((entry, i) => [entry.id, entry, i % 2 === 0 ? 'light' : 'dark'] as const);

test.each(walk)('%s: pictures, code that makes them, formula, facts and notes, clean by axe', async (_, entry, colorScheme) => {
  const { page, complaints } = pages[colorScheme];
  await goTo(pages[colorScheme], entry, `&${small}`);
  const { values } = await readPicture(page, 'pattern');
  expect(values.length).toBeGreaterThan(0);
  const code = ((await page.textContent('#code')) ?? '').replace(/^import .*\n/, '');
  const run = new Function('load', `return (async () => { ${code}\n return pattern.data; })()`) as (from: typeof load) => Promise<Float32Array>;
  const pattern = await run(() => posenc);
  expect(largestDifference([...pattern].slice(0, values.length), values)).toBeLessThan(1e-6);
  expect(await page.locator('#formula math').count()).toBe(1);
  expect(await page.textContent('#facts')).toContain(entry.paper);
  await page.waitForSelector('#notes > *');
  expect(await page.textContent('#notes')).not.toMatch(/\$|\\frac/);
  expect(await findings(page)).toEqual([]);
  expect(complaints.splice(0)).toEqual([]);
});

const choices = catalog.encodings.flatMap(({ id, fields }) =>
  fields.flatMap(({ name, type, choices: values = [], condition }) => {
    const met = condition ? `&${condition.field}=${String(condition.values[0])}` : '';
    return (type === 'boolean' ? ['true', 'false'] : values).map((value) => `id=${id}${met}&${name}=${value}&show.length=12`);
  }),
);

test('every choice, by its address alone, has pictures and nothing wrong', async () => {
  const { page, complaints } = pages.light;
  const wrong: string[] = [];
  for (const hash of choices) {
    await page.evaluate((state) => {
      document.querySelector('#code')!.textContent = '';
      location.hash = state;
    }, hash);
    // An encoding that is made writes its code; one that cannot be says why.
    await page.waitForFunction(() => document.querySelector('#code')?.textContent || document.querySelector('#status')?.textContent);
    const said = await page.textContent('#status');
    if (said) wrong.push(`${hash}: ${said}`);
    expect(await page.locator('#lead [data-key]').count(), hash).toBe(1);
  }
  expect(choices.length).toBeGreaterThan(150);
  expect(wrong).toEqual([]);
  expect(complaints.splice(0)).toEqual([]);
});
