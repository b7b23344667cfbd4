// Pictures away from the visible part of the page are drawn again when they come there, or when the page is printed.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { openSite, settle, type Site } from './support/site.js';

let site: Site;
beforeAll(async () => void (site = await openSite()));
afterAll(() => site.close());

const drawing = '[data-key="grid-similarity"] canvas:not(.backdrop)';
const drawn = (page: Page): Promise<string> => page.$eval(drawing, (canvas) => (canvas as HTMLCanvasElement).toDataURL());

async function changeUnseen(page: Page, grid: number): Promise<string> {
  await page.waitForSelector(drawing);
  await settle(page);
  const before = await drawn(page);
  await page.evaluate((hash) => (location.hash = hash), `gridTarget=${grid}`);
  await settle(page);
  expect(await drawn(page)).toBe(before);
  return before;
}

test('when they come near', async () => {
  const { page, complaints } = await site.open('lengths.html');
  const before = await changeUnseen(page, 20);
  await page.locator(drawing).scrollIntoViewIfNeeded();
  await expect.poll(() => drawn(page)).not.toBe(before);
  expect(complaints).toEqual([]);
});

test('when the page is printed', async () => {
  const { page, complaints } = await site.open('lengths.html');
  const before = await changeUnseen(page, 21);
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
  expect(await drawn(page)).not.toBe(before);
  expect(complaints).toEqual([]);
});
