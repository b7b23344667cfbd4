// A page that was open once opens again without a network, and draws the same.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSite, readPicture, type Site } from './support/site.js';

let site: Site;
beforeAll(async () => void (site = await openSite()));
afterAll(() => site.close());

test('the encoding page works offline once it was loaded', async () => {
  const { page } = await site.open('encoding.html#id=rope');
  const before = await readPicture(page, 'cos');
  await page.waitForSelector('html[data-kept]');
  await page.context().setOffline(true);
  await page.reload();
  expect(await readPicture(page, 'cos')).toEqual(before);
  await page.selectOption('[data-field="layout"] select', 'interleaved');
  await page.waitForURL('**&layout=interleaved');
  expect((await readPicture(page, 'pattern')).values.length).toBeGreaterThan(0);
});
