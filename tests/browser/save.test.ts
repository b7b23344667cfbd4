// Pictures can be taken away: as PNG, SVG and CSV with the same numbers, and as a frame in another page.
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { largestDifference, sinusoidal } from './support/formulas.js';
import { openSite, readPicture, type Site } from './support/site.js';

let site: Site;
beforeAll(async () => void (site = await openSite()));
afterAll(() => site.close());

async function save(page: Page, key: string, kind: string): Promise<Buffer> {
  const [download] = await Promise.all([page.waitForEvent('download'), page.click(`[data-key="${key}"] .save button:text-is("${kind}")`)]);
  expect(download.suggestedFilename()).toBe(`posenc-${key}.${kind.toLowerCase()}`);
  return readFile(await download.path());
}

test('a heat map, lines and circles are saved in all three ways', async () => {
  const { page, complaints } = await site.open('encoding.html#id=sinusoidal&dim=4&show.length=10', { acceptDownloads: true });
  await readPicture(page, 'rows');
  const lines = (await save(page, 'rows', 'CSV')).toString().trim().split('\n');
  expect(lines[0]).toBe('position,channel 0,channel 1,channel 2,channel 3');
  const numbers = lines.slice(1).flatMap((line) => line.split(',').slice(1).map(Number));
  expect(largestDifference(numbers, sinusoidal(10, 4))).toBeLessThan(2e-7);
  for (const [path, key] of [['id=sinusoidal&dim=4', 'rows'], ['id=alibi', 'lines'], ['id=rope', 'circles']] as const) {
    await page.goto(`${site.address}encoding.html#${path}`);
    await readPicture(page, key);
    const png = await save(page, key, 'PNG');
    expect(png.subarray(1, 4).toString()).toBe('PNG');
    expect(png.readUInt32BE(16)).toBeGreaterThan(400);
    const svg = (await save(page, key, 'SVG')).toString();
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg"/);
    expect(svg).not.toMatch(/var\(|oklch|light-dark/);
    const table = (await save(page, key, 'CSV')).toString().trim().split('\n');
    expect(table.length).toBeGreaterThan(4);
  }
  expect(complaints).toEqual([]);
});

test('the code for another page shows that picture with that state, and it plays', async () => {
  const { page, complaints } = await site.open('encoding.html#id=rope&headDim=16&show.position=3');
  await readPicture(page, 'circles');
  await page.selectOption('#embed-picture', 'cos');
  expect(await page.textContent('#embed-code')).toContain('figure=cos');
  await page.selectOption('#embed-picture', 'circles');
  const source = /src="([^"]+)"/.exec((await page.textContent('#embed-code')) ?? '')?.[1]?.replaceAll('&amp;', '&');
  expect(source).toBeDefined();
  const shown = await readPicture(page, 'circles');
  await page.goto(source!);
  expect(await readPicture(page, 'circles')).toEqual(shown);
  expect(await page.$$('[data-key]')).toHaveLength(1);
  await page.click('.play');
  await page.waitForFunction(() => document.querySelector('[data-key="circles"] h2')?.textContent !== 'Every pair at position 3');
  expect(await page.getAttribute('#source', 'href')).toContain('encoding.html#id=rope&headDim=16&show.position=3');
  expect(complaints).toEqual([]);
});
