// What ties a page together: letters of a formula and their sliders, graphs and their numbers, and a page that stands still.
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { load } from 'posenc';
import { largestDifference } from './support/formulas.js';
import { openSite, type Site } from './support/site.js';

let site: Site;
beforeAll(async () => void (site = await openSite()));
afterAll(() => site.close());

test('pointing at a letter lights up its slider, and the slider its letter', async () => {
  const { page, complaints } = await site.open('encoding.html#id=rope');
  await page.waitForSelector('#settings [data-field="position"]');
  const lit = (): Promise<string[]> => page.$$eval('.field.is-lit', (rows) => rows.map((row) => (row as HTMLElement).dataset['field'] ?? ''));
  const letters = (): Promise<string[]> => page.$$eval('#formula .is-lit', (found) => found.map(({ textContent }) => textContent ?? ''));
  const letter = (text: string) => page.locator('#formula .symbol').filter({ hasText: new RegExp(`^${text}$`) }).first();
  await letter('b').hover();
  expect(await lit()).toEqual(['base']);
  await letter('p').hover();
  expect(await lit()).toEqual(['position']);
  await page.mouse.move(0, 0);
  expect(await lit()).toEqual([]);
  await page.focus('#options [data-field="base"] input[type="range"]');
  expect(new Set(await letters())).toEqual(new Set(['b']));
  await page.focus('#settings [data-field="position"] input[type="range"]');
  expect(new Set(await letters())).toEqual(new Set(['p']));
  expect(complaints).toEqual([]);
});

test('relations are drawn from one node to all others, named, in the colours of the bias, and play moves the node', async () => {
  const posenc = await load({ simd: 'simd' });
  const { page, complaints } = await site.open('encoding.html#id=relation&heads=2&relations=4&show.length=7&show.head=1&show.node=1');
  const drawing = page.locator('#lead [data-key="relations"] graph-drawing');
  await drawing.locator('.relation').first().waitFor({ state: 'attached' });
  const data = (): Promise<{ values: number[]; names: string[]; from: number }> =>
    drawing.evaluate((element) => {
      const { values, relations } = (element as unknown as { data: { values: Float32Array; relations: { from: number; names: string[] } } }).data;
      return { values: [...values], ...relations };
    });
  // Steps in the tree with children 2n + 1 and 2n + 2, the last relation for all that are farther.
  const steps = (i: number, j: number): number => (i === j ? 0 : 1 + (i > j ? steps((i - 1) >> 1, j) : steps(i, (j - 1) >> 1)));
  const relations = Int32Array.from({ length: 49 }, (_, at) => Math.min(3, steps(Math.floor(at / 7), at % 7)));
  const bias = posenc.relation({ heads: 2, relations: 4 }).bias(7, 7, { relations }).data;
  const first = await data();
  expect(first.names).toEqual(['1', '0', '2', '1', '1', '3', '3']);
  expect(largestDifference(first.values, [...bias.subarray(49 + 7, 49 + 14)])).toBeLessThan(1e-7);
  expect(await drawing.locator('.node-text').allTextContents()).toEqual(first.names);
  const strokes = await drawing.locator('.relation').evaluateAll((lines) => lines.map((line) => line.getAttribute('stroke')));
  expect(strokes[0]).toBe(strokes[3]);
  expect(strokes[0]).not.toBe(strokes[2]);
  expect(await drawing.locator('svg[role="img"]').first().getAttribute('aria-label')).toMatch(/lines from node 1 to each of 7 nodes/);
  await drawing.locator('.plot-area').focus();
  for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowRight');
  expect(await drawing.locator('.readout').textContent()).toMatch(/^node 2, relation 2: /);
  expect(await drawing.locator('.relation.is-shown').count()).toBe(1);
  await page.click('#lead .play');
  await page.waitForFunction(() => Number(document.querySelector<HTMLInputElement>('#show-node')?.value) > 1);
  expect((await data()).from).toBeGreaterThan(1);
  expect(complaints).toEqual([]);
});

test('a graph is drawn with the numbers of its nodes, and every node can be read', async () => {
  const edges = [0, 1, 1, 2, 2, 3, 3, 0, 3, 4];
  const { page, complaints } = await site.open(`encoding.html#id=graph&nodes=5&edges=${edges.join()}&vectors=2&show.channel=1`);
  const drawing = page.locator('[data-key="graph"] graph-drawing');
  await drawing.locator('.node').first().waitFor();
  const values = await drawing.evaluate((element) => [...(element as unknown as { data: { values: Float32Array } }).data.values]);
  const posenc = await load({ simd: 'simd' });
  const rows = posenc.graph({ nodes: 5, edges, vectors: 2 }).encode(5).data;
  expect(largestDifference(values, Array.from({ length: 5 }, (_, node) => rows[2 * node + 1]!))).toBeLessThan(1e-6);
  expect(await drawing.locator('.node').count()).toBe(5);
  expect(await drawing.locator('.edge').count()).toBe(edges.length / 2);
  expect(await drawing.locator('svg[role="img"]').first().getAttribute('aria-label')).toMatch(/a graph of 5 nodes and 5 edges/);
  await drawing.locator('.plot-area').focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  expect(await drawing.locator('.readout').textContent()).toMatch(/^node 1: /);
  expect(complaints).toEqual([]);
});

/** Pages in Chinese are the heaviest: they load its texts besides. */
const pages = [
  ['index.html', '.card:last-child .card-picture > *'],
  ['encoding.html#id=rope', '#notes > *'],
  ['choose.html', '#result > li'],
  ['inspect.html#file=image-grid', '#tensors .slider-row'],
] as const;

test.each(pages)('%s in Chinese: nothing moves while it fills, and it keeps within the weight', async (path, ready) => {
  const { page, requests, complaints } = await site.open('glossary.html', { locale: 'zh-CN' });
  requests.length = 0;
  await page.addInitScript(() => {
    const moved: number[] = [];
    Object.assign(globalThis, { moved });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) moved.push((entry as unknown as { value: number }).value);
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await page.goto(site.address + path);
  await page.waitForSelector(ready);
  await page.waitForTimeout(500);
  const moved = await page.evaluate(() => (globalThis as unknown as { moved: number[] }).moved.reduce((sum, value) => sum + value, 0));
  expect(moved).toBeLessThan(0.02);
  let weight = 0;
  for (const address of new Set(requests)) {
    if (address.startsWith(site.address)) weight += gzipSync(Buffer.from(await (await fetch(address)).arrayBuffer())).length;
  }
  expect(weight).toBeGreaterThan(40_000);
  expect(weight).toBeLessThan(300_000);
  expect(complaints).toEqual([]);
});
