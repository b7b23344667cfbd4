// The benchmark measures what the catalogue lists, compares results first, and lets them be taken away. No time is judged.
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { catalog } from 'posenc/catalog';
import { openSite, type Site } from './support/site.js';

let site: Site;
beforeAll(async () => void (site = await openSite()));
afterAll(() => site.close());

test('one encoding: a row for each call, compared and timed, and all three ways to take it away', async () => {
  const { page, complaints } = await site.open('benchmark.html#size=small&effort=quick&encoding=alibi', { acceptDownloads: true });
  await page.waitForFunction(() => document.querySelector('#status')?.textContent === '2 cases to measure.');
  await page.click('#run');
  await page.waitForFunction(() => /^(Done|It failed)/.test(document.querySelector('#status')?.textContent ?? ''));
  expect(await page.textContent('#status')).toBe('Done: 2 of 2 cases.');
  const cells = await page.$$eval('#rows tr', (rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent ?? '')));
  expect(cells.map(([name, call]) => [name, call])).toEqual([['ALiBi', 'bias'], ['ALiBi', 'attention']]);
  for (const row of cells) {
    expect(row[3]).toMatch(/^[\d.]+ (ns|\u00b5s|ms|s)$/);
    expect(row[8]).toMatch(/^[\d.]+\u00d7$/);
    expect(row[9]).toMatch(/^[\d.]+\u00d7$/);
  }
  expect(await page.textContent('#environment')).toMatch(/build (relaxed|simd|scalar)/);
  const save = async (button: string): Promise<string> => {
    const [download] = await Promise.all([page.waitForEvent('download'), page.click(button)]);
    return readFile(await download.path(), 'utf8');
  };
  const { environment, rows } = JSON.parse(await save('#json')) as { environment: object; rows: { results: { posenc: { median: number } } }[] };
  expect(Object.keys(environment)).toContain('Logical processors');
  expect(rows[0]!.results.posenc.median).toBeGreaterThan(0);
  const csv = (await save('#csv')).trim().split('\n');
  expect(csv.map((line) => line.split(',').length)).toEqual([15, 15, 15]);
  expect(csv[1]).toMatch(/^alibi,bias,4x128x128,65536,/);
  expect(complaints).toEqual([]);
});

test('every encoding has a case, unless it is said why not', async () => {
  const { page, complaints } = await site.open('benchmark.html#size=small&effort=quick&call=all');
  await page.click('#run');
  await page.waitForSelector('#rows tr');
  await page.click('#stop');
  expect(await page.textContent('#status')).toMatch(/^Stopped: \d+ of \d+ cases\.$/);
  const ids = await page.$$eval('#bench-encoding option', (options) => options.map((option) => (option as HTMLOptionElement).value));
  expect(ids).toEqual(['all', ...catalog.encodings.map(({ id }) => id)]);
  for (const id of ids.slice(1)) {
    await page.selectOption('#bench-encoding', id);
    expect(await page.textContent('#status'), id).toMatch(/^[1-9]\d* cases? to measure\.$/);
  }
  expect(complaints).toEqual([]);
});
