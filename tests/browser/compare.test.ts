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
  await page.waitForFunction(() => document.querySelectorAll('#more > .column dl > div').length === 8);
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
