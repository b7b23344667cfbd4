// The benchmark measures what the catalogue lists, compares results first, and lets them be taken away. No time is judged.
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { faultsOf } from '../../scripts/bench/check-schema.mjs';
import schema from '../../scripts/bench/report.schema.json' with { type: 'json' };
import type { Report } from '../../web/src/bench/results.js';
import { findings } from './support/axe.js';
import { openSite, type Site } from './support/site.js';

/** As strict as a server can be: what the pages say of themselves does not hold for workers. */
const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self'; img-src 'self' data:; worker-src 'self'";

let site: Site;
beforeAll(async () => void (site = await openSite(undefined, { 'Content-Security-Policy': policy })));
afterAll(() => site.close());

const ended = (page: Page): Promise<unknown> =>
  page.waitForFunction(() => /^(Done|It failed|Stopped)/.test(document.querySelector('#status')?.textContent ?? ''));
const cells = (page: Page): Promise<string[][]> =>
  page.$$eval('#rows tr', (rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent ?? '')));
const titles = (page: Page): Promise<string[]> => page.$$eval('#head th', (heads) => heads.map((head) => head.textContent ?? ''));

async function save(page: Page, button: string): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent('download'), page.click(button)]);
  return readFile(await download.path(), 'utf8');
}

test('from the form to a report: compared, timed, drawn, taken away, and compared with', async () => {
  const { page, complaints, requests } = await site.open('benchmark.html?seed=7', { acceptDownloads: true, permissions: ['clipboard-read', 'clipboard-write'] });
  await page.selectOption('#preset', 'long');
  await page.fill('#filter', 'alibi small heap');
  await page.waitForFunction(() => document.querySelector('#status')?.textContent === '2 cases to measure.');
  expect(new URL(page.url()).search).toBe('?preset=long&filter=alibi+small+heap&seed=7');
  await page.click('#run');
  await ended(page);
  expect(await page.textContent('#status')).toBe('Done: 2 of 2 cases.');
  const rows = await cells(page);
  expect(rows.map(([name, call, output]) => [name, call, output])).toEqual([['ALiBi', 'bias', 'heap'], ['ALiBi', 'attention', 'heap']]);
  expect((await titles(page)).slice(4, 7)).toEqual(['median', 'scalar build', 'JavaScript']);
  for (const row of rows) {
    expect(row[4]).toMatch(/^[\d.]+ (ns|\u00b5s|ms|s)$/);
    expect(row.slice(5, 7).join()).toMatch(/^[\d.]+\u00d7,[\d.]+\u00d7$/);
  }
  expect(await page.$$eval('.strip .strip-line svg', (lines) => lines.length)).toBe(6);
  expect(await page.$$eval('.roofline .point', (points) => points.length)).toBe(1);
  expect(await page.textContent('#environment')).toMatch(/build (relaxed|simd|scalar)/);
  expect(requests.filter((address) => /ort|tfjs/.test(address))).toEqual([]);

  const json = await save(page, '#json');
  const report = JSON.parse(json) as Report;
  expect(faultsOf(report, schema)).toEqual([]);
  expect(report.plan).toEqual({ preset: 'long', filter: 'alibi small heap', seed: 7, rivals: ['scalar', 'javascript'] });
  for (const { entries, memory } of report.rows) {
    expect(memory.kept).toBe(0);
    for (const { statistics, samples } of entries) {
      expect(samples!.length).toBeGreaterThanOrEqual(30);
      expect(statistics!.low).toBeLessThanOrEqual(statistics!.median);
      expect(statistics!.high).toBeGreaterThanOrEqual(statistics!.median);
    }
  }
  const csv = (await save(page, '#csv')).trim().split('\n').map((line) => line.split(','));
  expect(csv.length).toBe(1 + 2 * 3);
  expect(new Set(csv.map((line) => line.length)).size).toBe(1);

  await page.click('#link');
  await page.waitForFunction(() => document.querySelector('#link')?.textContent === 'Copied');
  const link = await page.evaluate(() => navigator.clipboard.readText());
  const file = (content: string) => ({ name: 'earlier.json', mimeType: 'application/json', buffer: Buffer.from(content) });
  const compared = (start: string): Promise<unknown> => page.waitForFunction((text) => document.querySelector('#compare-status')?.textContent?.startsWith(text), start);
  await page.setInputFiles('#earlier', file(json));
  await compared('Beside the results: Chromium');
  expect((await titles(page)).slice(5, 7)).toEqual(['before', 'speed-up']);
  expect((await cells(page))[0]![6]).toBe('1.00\u00d7, not certain');
  await page.setInputFiles('#earlier', file('{"schema":1}'));
  await compared('earlier.json is no report: date: missing');
  expect(await findings(page)).toEqual([]);

  const other = await site.open(link.slice(site.address.length));
  await other.page.waitForSelector('#rows tr');
  expect(await other.page.textContent('#source')).toMatch(/^From the link: measured on /);
  expect((await cells(other.page)).map((row) => row[4])).toEqual(rows.map((row) => row[4]));
  expect([...complaints, ...other.complaints]).toEqual([]);
});

test('rivals come from this site when they are asked for, and give the same results', async () => {
  const filter = 'nope small new,rope/apply/small/new,alibi/bias/small/new';
  const { page, complaints, requests } = await site.open(`benchmark.html?run&preset=long&filter=${filter}&rivals=onnxruntime,tfjs&speed=3`);
  const report = await page.evaluate(() => (window as unknown as { posencBenchmark: Promise<Report> }).posencBenchmark);
  expect(report.complete).toBe(true);
  expect(report.rows.length).toBe(3);
  for (const { entries } of report.rows) expect(entries.map(({ name, status }) => [name, status])).toEqual([['posenc', 'timed'], ['onnxruntime', 'timed'], ['tfjs', 'timed']]);
  expect(requests.some((address) => /ort-wasm.*\.wasm$/.test(address))).toBe(true);
  expect(requests.some((address) => /tfjs-backend-wasm.*\.wasm$/.test(address))).toBe(true);
  expect(await page.textContent('#doubts')).toContain('speed=3');
  expect(Object.keys(report.engine.cold.rivals)).toEqual(['onnxruntime', 'tfjs']);
  expect(complaints).toEqual([]);
});

test('a run can be stopped, and what was measured stays', async () => {
  const { page, complaints } = await site.open('benchmark.html?preset=long&filter=small+heap&rivals=scalar');
  await page.click('#run');
  await page.waitForSelector('#rows tr');
  await page.click('#stop');
  await ended(page);
  expect(await page.textContent('#status')).toMatch(/^Stopped: \d+ of \d+ cases\.$/);
  expect(await page.textContent('#doubts')).toContain('stopped before its end');
  expect(await page.isEnabled('#json')).toBe(true);
  await page.fill('#filter', 'no such case');
  expect(await page.textContent('#status')).toBe('No case has that in its name.');
  expect(await page.isDisabled('#run')).toBe(true);
  expect(complaints).toEqual([]);
});
