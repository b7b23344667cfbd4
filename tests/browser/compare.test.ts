// Encodings side by side: what does not depend on position, what a shift changes, and the address.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { largestDifference } from './support/formulas.js';
import { openSite, settle, type Site } from './support/site.js';

let site: Site;
beforeAll(async () => void (site = await openSite()));
afterAll(() => site.close());

/** Weights or scores of one column. */
function matrixOf(page: Page, column: number, key: string): Promise<number[]> {
  return page.evaluate(
    ([index, name]) => {
      const box = document.querySelectorAll('#more > .column')[index as number]!;
      return [...(box.querySelector(`[data-key="${name}"] heat-map`) as unknown as { data: { values: Float32Array } }).data.values];
    },
    [column, key],
  );
}

const notesOf = (page: Page): Promise<string[]> => page.$$eval('#more > .column dl', (lists) => lists.map((list) => list.textContent ?? ''));

test('each row of weights sums to one, hidden keys have none, and the difference is what it says', async () => {
  const { page, complaints } = await site.open('compare.html#with=rope,alibi&length=20');
  await page.waitForSelector('#more [data-key="difference"] canvas');
  const [first, second] = [await matrixOf(page, 0, 'weights'), await matrixOf(page, 1, 'weights')];
  for (let query = 0; query < 20; query++) {
    const row = first.slice(20 * query, 20 * (query + 1));
    expect(row.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 5);
    for (let key = query + 1; key < 20; key++) expect(row[key]).toBe(0);
  }
  const difference = await matrixOf(page, 1, 'difference');
  for (const [i, value] of difference.entries()) expect(value).toBeCloseTo(second[i]! - first[i]!, 6);
  const line = await page.$eval('[data-key="distance"] line-plot', (plot) => [...(plot as unknown as { data: { values: Float32Array } }).data.values]);
  const atZero = first.filter((_, i) => i % 21 === 0).reduce((sum, weight) => sum + weight, 0) / 20;
  expect(line[19]).toBeCloseTo(atZero, 5);
  expect(complaints).toEqual([]);
});

test('without positions a reordered input gives reordered outputs; relative encodings do not notice a shift', async () => {
  const { page } = await site.open('compare.html#with=nope,sinusoidal,rope,alibi&length=16&causal=false&shift=50');
  await page.waitForFunction(() => document.querySelectorAll('#more > .column dl > div').length === 16);
  const [nope, sinusoidal, rope, alibi] = await notesOf(page);
  expect(nope).toContain('outputs change places with the tokens');
  expect(nope).toContain('weights stay the same');
  expect(sinusoidal).toContain('outputs differ by up to');
  expect(sinusoidal).toContain('weights differ by up to');
  for (const relative of [rope, alibi]) {
    expect(relative).toContain('outputs differ by up to');
    expect(relative).toContain('weights stay the same');
  }
  const before = await matrixOf(page, 0, 'weights');
  await page.check('#set-shuffle');
  await settle(page);
  const sorted = (values: readonly number[]): number[] => values.toSorted((a, b) => a - b);
  expect(largestDifference(sorted(await matrixOf(page, 0, 'weights')), sorted(before))).toBeLessThan(1e-6);
  expect(await matrixOf(page, 0, 'weights')).not.toEqual(before);
});

test('encodings are added, changed and removed, and the address keeps them with their options', async () => {
  const { page, complaints } = await site.open('compare.html#with=rope,nope');
  await page.waitForSelector('#more > .column:nth-child(2) canvas');
  await page.click('#add');
  await page.waitForSelector('#more > .column:nth-child(3)');
  await page.selectOption('.chosen-row:nth-child(3) select', 'alibi');
  await page.waitForURL('**/compare.html#with=rope,nope,alibi');
  await page.click('.chosen-row:nth-child(3) summary');
  await page.fill('#option-2-biasMax', '4');
  await page.waitForURL('**/compare.html#with=rope,nope,alibi&2.biasMax=4');
  await page.reload();
  await page.waitForSelector('#more > .column:nth-child(3) canvas');
  expect(await page.getAttribute('#more > .column:nth-child(3) h2 a', 'href')).toContain('biasMax=4');
  await page.click('[aria-label="Remove NoPE"]');
  await page.waitForURL('**/compare.html#with=rope,alibi&1.biasMax=4');
  expect(await page.isDisabled('[aria-label="Remove RoPE"]')).toBe(true);
  expect(complaints).toEqual([]);
});

test('the words of a sentence name the tokens, and the same word has the same vector', async () => {
  const { page, complaints } = await site.open('compare.html#with=nope,alibi&tokens=sentence&causal=false');
  await page.fill('#sentence', 'to be or not to be');
  await page.waitForURL(/sentence=to/);
  await page.waitForFunction(() => (document.querySelector('[data-key="weights"] heat-map') as unknown as { data?: { shape: number[] } }).data?.shape[0] === 6);
  const weights = await matrixOf(page, 0, 'weights');
  for (let key = 0; key < 6; key++) expect(weights[key]).toBeCloseTo(weights[4 * 6 + key]!, 6);
  const names = await page.$eval('[data-key="weights"] heat-map', (map) => (map as unknown as { data: { rows: { names: string[] } } }).data.rows.names);
  expect(names).toEqual(['to', 'be', 'or', 'not', 'to', 'be']);
  expect(complaints).toEqual([]);
});

/** A .npy file of float32. */
function npy(shape: readonly number[], data: Float32Array): Buffer {
  const text = `{'descr': '<f4', 'fortran_order': False, 'shape': (${shape.join(', ')},), }`;
  const header = Buffer.from(`${text.padEnd(117)}\n`);
  const length = Buffer.alloc(2);
  length.writeUInt16LE(header.length);
  return Buffer.concat([Buffer.from('\x93NUMPY\x01\x00', 'latin1'), length, header, Buffer.from(data.buffer)]);
}

test('tensors of a file take the place of the tokens: .npy, JSON and what is wrong with one', async () => {
  const { page, complaints } = await site.open('compare.html#with=nope,sinusoidal&tokens=file&causal=false');
  await page.waitForSelector('#more > .column:nth-child(2) canvas');
  const data = Float32Array.from({ length: 5 * 8 }, (_, i) => Math.sin(i));
  await page.setInputFiles('#file', { name: 'q.npy', mimeType: 'application/octet-stream', buffer: npy([5, 8], data) });
  await page.waitForFunction(() => document.querySelector('#file-about')?.textContent?.includes('5 tokens, 1 heads of width 8'));
  const score = (query: number, key: number): number =>
    Array.from({ length: 8 }, (_, i) => data[8 * query + i]! * data[8 * key + i]!).reduce((sum, product) => sum + product, 0) / Math.sqrt(8);
  const scores = await matrixOf(page, 0, 'scores');
  for (const [i, value] of scores.entries()) expect(value).toBeCloseTo(score(Math.floor(i / 5), i % 5), 5);
  const json = { q: [[[1, 0], [0, 1]], [[1, 1], [1, 0]]], k: [[[1, 0], [0, 1]], [[1, 1], [1, 0]]] };
  await page.setInputFiles('#file', { name: 'qk.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(json)) });
  await page.waitForFunction(() => document.querySelector('#file-about')?.textContent?.includes('2 tokens, 2 heads of width 2'));
  await page.setInputFiles('#file', { name: 'odd.json', mimeType: 'application/json', buffer: Buffer.from('{ "q": [[1, 2], [3]] }') });
  await page.waitForFunction(() => document.querySelector('#status')?.textContent);
  expect(await page.textContent('#status')).toMatch(/^file: received lists of uneven lengths/);
  expect(complaints).toEqual([]);
});

test('parameters, memory and time; the time is measured in a worker and goes with a change', async () => {
  const { page, complaints } = await site.open('compare.html#with=rope,t5&length=16');
  await page.waitForSelector('#more > .column:nth-child(2) canvas');
  const [rope, t5] = await notesOf(page);
  expect(rope).toContain('Parametersnone');
  expect(t5).toContain('Parameters128, trained');
  expect(t5).toMatch(/Memory[\d,]+ bytes/);
  await page.click('#time button');
  await page.waitForFunction(() => [...document.querySelectorAll('#more dl')].every((list) => list.textContent?.includes('Time of attention')));
  for (const notes of await notesOf(page)) expect(notes).toMatch(/Time of attention[\d.]+ (ns|\u00b5s|ms)/);
  await page.fill('#set-length', '20');
  await page.waitForFunction(() => !document.querySelector('#more dl')?.textContent?.includes('Time of attention'));
  await page.click('#time button');
  expect(await page.textContent('#time button')).toBe('Stop');
  await page.click('#time button');
  expect(await page.textContent('#time button')).toBe('Measure time');
  expect(complaints).toEqual([]);
});
