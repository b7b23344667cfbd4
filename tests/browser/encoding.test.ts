// The page of one encoding: numbers behind the pictures against the papers' formulas, controls, code and address.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { alibiSlope, attentionWeights, largestDifference, ropeAngle, sinusoidal } from './support/formulas.js';
import { openSite, readPicture, type Site } from './support/site.js';

let site: Site;
beforeAll(async () => void (site = await openSite()));
afterAll(() => site.close());

const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

describe('sinusoidal', () => {
  const dim = 8;
  const length = 40;
  const path = `encoding.html#id=sinusoidal&dim=${dim}&base=500&show.length=${length}`;
  const rows = sinusoidal(length, dim, 500);
  const product = (p: number, q: number): number =>
    range(dim).reduce((sum, channel) => sum + rows[p * dim + channel]! * rows[q * dim + channel]!, 0);

  test('rows, products by distance and attention', async () => {
    const { page, complaints } = await site.open(path);
    const table = await readPicture(page, 'rows');
    expect(table.shape).toEqual([length, dim]);
    expect(largestDifference(table.values, rows)).toBeLessThan(2e-7);
    const similarity = await readPicture(page, 'similarity');
    expect(largestDifference(similarity.values, range(length).map((distance) => product(distance, 0)))).toBeLessThan(5e-6);
    const pattern = await readPicture(page, 'pattern');
    const weights = attentionWeights(length, false, (q, k) => product(q, k) / Math.sqrt(dim));
    expect(largestDifference(pattern.values, weights)).toBeLessThan(2e-6);
    expect(complaints).toEqual([]);
  });
});

describe('rope', () => {
  const dim = 8;
  const length = 30;

  test('tables, hands, periods, products by distance and attention', async () => {
    const { page, complaints } = await site.open(`encoding.html#id=rope&headDim=${dim}&base=1000&show.length=${length}&show.position=7`);
    const angle = (p: number, pair: number): number => ropeAngle(p, pair, dim, 1000);
    const angles = range(length).flatMap((p) => range(dim / 2).map((pair) => angle(p, pair)));
    const cos = await readPicture(page, 'cos');
    expect(cos.shape).toEqual([length, dim / 2]);
    expect(largestDifference(cos.values, angles.map(Math.cos))).toBeLessThan(2e-7);
    expect(largestDifference((await readPicture(page, 'sin')).values, angles.map(Math.sin))).toBeLessThan(2e-7);
    const hands = range(dim / 2).map((pair) => angle(7, pair));
    const circles = await readPicture(page, 'circles');
    expect(largestDifference(circles.values, [...hands.map(Math.cos), ...hands.map(Math.sin)])).toBeLessThan(2e-7);
    const periods = (await readPicture(page, 'periods')).values;
    for (const [pair, period] of periods.entries()) expect(period * angle(1, pair)).toBeCloseTo(2 * Math.PI, 5);
    const mean = (distance: number): number => range(dim / 2).reduce((sum, pair) => sum + Math.cos(angle(distance, pair)), 0) / (dim / 2);
    expect(largestDifference((await readPicture(page, 'similarity')).values, range(length).map(mean))).toBeLessThan(2e-6);
    const weights = attentionWeights(length, true, (q, k) => (mean(q - k) * dim) / Math.sqrt(dim));
    expect(largestDifference((await readPicture(page, 'pattern')).values, weights)).toBeLessThan(2e-6);
    expect(complaints).toEqual([]);
  });

  test('the play button moves the hands', async () => {
    const { page } = await site.open('encoding.html#id=rope&show.position=3');
    const before = await readPicture(page, 'circles');
    await page.click('.play');
    await page.waitForFunction(() => document.querySelector('[data-key="circles"] h2')?.textContent !== 'Every pair at position 3');
    await page.click('.play');
    expect((await readPicture(page, 'circles')).values).not.toEqual(before.values);
  });
});

test('the table over T5\u2019s buckets, and words that the glossary explains', async () => {
  const { page, complaints } = await site.open('encoding.html#id=t5&heads=2&numBuckets=8&show.length=20');
  const table = await readPicture(page, 'table');
  expect(table.shape).toEqual([8, 2]);
  const lines = await readPicture(page, 'lines');
  for (const value of lines.values) expect(table.values).toContain(value);
  await page.click('#facts a[href="glossary.html#relative"]');
  await page.waitForURL('**/glossary.html#relative');
  expect(await page.textContent('#relative')).toBe('Relative position');
  expect(complaints).toEqual([]);
});

test('biases far from 0 that differ little fill the colours from the least to the largest', async () => {
  const { page, complaints } = await site.open('encoding.html#id=swinV2&heads=2&window.height=4&window.width=4');
  const { values } = await readPicture(page, 'view');
  const ends = await page.$$eval('#lead .legend-numbers span', (numbers) => numbers.map((number) => Number(number.textContent)));
  expect(Math.min(...values)).toBeGreaterThan(0.5 * Math.max(...values));
  expect(ends[0]).toBeCloseTo(Math.min(...values), 2);
  expect(ends[2]).toBeCloseTo(Math.max(...values), 2);
  expect(complaints).toEqual([]);
});

describe('alibi', () => {
  test('lines, matrix and attention of a head', async () => {
    const [heads, length, head] = [4, 24, 2];
    const { page, complaints } = await site.open(`encoding.html#id=alibi&heads=${heads}&show.length=${length}&show.head=${head}`);
    const bias = (h: number, distance: number): number => alibiSlope(h, heads) * distance;
    const lines = await readPicture(page, 'lines');
    expect(lines.shape).toEqual([heads, length]);
    expect(lines.values).toEqual(range(heads).flatMap((h) => range(length).map((i) => bias(h, i - length + 1))));
    const { values: matrix } = await readPicture(page, 'matrix');
    for (const [i, value] of matrix.entries()) {
      const distance = (i % length) - Math.floor(i / length);
      expect(value).toEqual(distance > 0 ? NaN : bias(head, distance));
    }
    const weights = attentionWeights(length, true, (q, k) => bias(head, k - q));
    expect(largestDifference((await readPicture(page, 'pattern')).values, weights)).toBeLessThan(2e-6);
    expect(complaints).toEqual([]);
  });
});

test('nope: equal tokens see all they may see alike', async () => {
  const { page, complaints } = await site.open('encoding.html#id=nope&show.tokens=alike&show.length=20');
  const { values } = await readPicture(page, 'pattern');
  expect(largestDifference(values, attentionWeights(20, true, () => 0))).toBeLessThan(1e-6);
  expect(complaints).toEqual([]);
});

test('a wrong value is refused in words at its control, and the pictures stay', async () => {
  const { page, complaints } = await site.open('encoding.html#id=sinusoidal');
  const before = await readPicture(page, 'rows');
  await page.fill('#option-dim', '0');
  await page.waitForFunction(() => document.querySelector('#status')?.textContent);
  expect(await page.textContent('#status')).toMatch(/^dim: received 0, allowed /);
  expect(await page.getAttribute('#option-dim', 'aria-invalid')).toBe('true');
  expect(await readPicture(page, 'rows')).toEqual(before);
  await page.fill('#option-dim', '4');
  await page.waitForFunction(() => document.querySelector('#status')?.textContent === '');
  expect((await readPicture(page, 'rows')).shape).toEqual([100, 4]);
  expect(complaints).toEqual([]);
});

test('the slider, the chooser and the back button', async () => {
  const { page } = await site.open('encoding.html#id=sinusoidal');
  await page.focus('#options [data-field="dim"] input[type="range"]');
  await page.keyboard.press('ArrowRight');
  await page.waitForURL('**/encoding.html#id=sinusoidal&dim=17');
  expect((await readPicture(page, 'rows')).shape).toEqual([100, 17]);
  await page.selectOption('#choose', 'alibi');
  await page.waitForFunction(() => document.querySelector('h1')?.textContent === 'ALiBi');
  await page.goBack();
  await page.waitForFunction(() => document.querySelector('h1')?.textContent === 'Sinusoidal');
  expect((await readPicture(page, 'rows')).shape).toEqual([100, 17]);
});

test('an address that comes just after a slider moved is not written over', async () => {
  const { page } = await site.open('encoding.html#id=sinusoidal');
  await readPicture(page, 'rows');
  // A pushed address is what a busy page sees of a link: the address has changed, its event comes late.
  await page.fill('#option-dim', '18');
  await page.evaluate(() => history.pushState(null, '', '#id=alibi'));
  await page.waitForTimeout(400);
  expect(new URL(page.url()).hash).toBe('#id=alibi');
  await page.evaluate(() => dispatchEvent(new HashChangeEvent('hashchange')));
  await page.waitForFunction(() => document.querySelector('h1')?.textContent === 'ALiBi');
});

test('a value can be read by pointer and by keyboard, and the table has it', async () => {
  const { page } = await site.open('encoding.html#id=sinusoidal&dim=4&show.length=10');
  await readPicture(page, 'rows');
  const picture = page.locator('[data-key="rows"]');
  await picture.locator('.plot-area').focus();
  await page.keyboard.press('ArrowRight');
  expect(await picture.locator('.readout').textContent()).toBe('position 0, channel 0: 0');
  await page.keyboard.press('ArrowRight');
  expect(await picture.locator('.readout').textContent()).toBe('position 1, channel 0: 0.8415');
  const box = (await picture.locator('.plot-area').boundingBox())!;
  await page.mouse.move(box.x + 0.25 * box.width, box.y + 0.625 * box.height);
  expect(await picture.locator('.readout').textContent()).toBe('position 2, channel 1: \u22120.4161');
  await picture.locator('summary').click();
  expect(await picture.locator('tbody tr:nth-child(3) td:nth-child(3)').textContent()).toBe('\u22120.4161');
});
