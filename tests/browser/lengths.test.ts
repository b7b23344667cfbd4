// The length lab against the formulas of the papers.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { alibiSlope, ropeAngle } from './support/formulas.js';
import { openSite, readPicture, type Site } from './support/site.js';

let site: Site;
beforeAll(async () => void (site = await openSite()));
afterAll(() => site.close());

const pairs = 32;
const periods = Array.from({ length: pairs }, (_, pair) => (2 * Math.PI) / ropeAngle(1, pair, 2 * pairs));

test('wavelengths as trained and scaled, and how many pairs turn past what was seen', async () => {
  const { page, complaints } = await site.open('lengths.html#trained=1024&target=4096&headDim=64&scaling=linear');
  const { values, shape } = await readPicture(page, 'wavelengths');
  expect(shape).toEqual([2, pairs]);
  for (const [pair, period] of periods.entries()) {
    expect(values[pair]! / period).toBeCloseTo(1, 5);
    expect(values[pairs + pair]! / (4 * period)).toBeCloseTo(1, 5);
  }
  const slow = periods.filter((period) => period > 1024).length;
  expect(await page.textContent('[data-key="wavelengths"] figcaption')).toContain(`${slow} of ${pairs} pairs make less than one turn in 1024 positions`);
  const table = await page.$$eval('#scalings tbody tr', (rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent)));
  expect(table).toContainEqual(['none', `${slow} of ${slow}`, '0']);
  expect(table).toContainEqual(['linear', `0 of ${slow}`, String(pairs - slow)]);
  expect(complaints).toEqual([]);
});

test('the reach of ALiBi\u2019s heads follows from their slopes', async () => {
  const { page } = await site.open('lengths.html#heads=4');
  const { values } = await readPicture(page, 'alibi');
  for (const [head, value] of values.entries()) expect(value / (Math.log(100) / alibiSlope(head, 4))).toBeCloseTo(1, 5);
});

test('controls and Reset follow the address', async () => {
  const { page, complaints } = await site.open('lengths.html');
  await readPicture(page, 'wavelengths');
  await page.fill('#set-base', '500000');
  await page.waitForURL('**/lengths.html#base=500000');
  const link = await page.getAttribute('#scalings tbody tr:last-child a', 'href');
  expect(link).toContain('base=500000');
  await page.click('#reset');
  await page.waitForURL('**/lengths.html');
  expect(complaints).toEqual([]);
});

/** T5's bucket of a distance behind the query, by the paper's rule: half of them exact, the rest logarithmic. */
function t5Bucket(distance: number, buckets = 32, farthest = 128): number {
  const exact = buckets / 2;
  if (distance < exact) return distance;
  return Math.min(buckets - 1, exact + Math.floor((Math.log(distance / exact) / Math.log(farthest / exact)) * (buckets - exact)));
}

test('T5\u2019s buckets beyond the trained length, and every scaling in the table', async () => {
  const { page, complaints } = await site.open('lengths.html#trained=64&target=2048');
  const { values } = await readPicture(page, 't5');
  const distances = await page.$eval('[data-key="t5"] line-plot', (plot) => (plot as unknown as { data: { x: { values: number[] } } }).data.x.values);
  expect(distances.at(-1)).toBe(2048);
  for (const [i, distance] of distances.entries()) expect(values[i], String(distance)).toBe(t5Bucket(distance));
  expect(await page.textContent('[data-key="t5"] figcaption')).toContain(`only reached bucket ${t5Bucket(63)}`);
  const rows = await page.$$eval('#scalings tbody th', (heads) => heads.map((head) => head.textContent));
  expect(rows).toEqual(['none', 'linear', 'ntk', 'ntkByParts', 'dynamic', 'yarn', 'longrope', 'llama3']);
  expect(complaints).toEqual([]);
});

test('a grid resampled to its double by nearest repeats every cell', async () => {
  const { page, complaints } = await site.open('lengths.html#gridTrained=6&gridTarget=12&resample=nearest');
  const [small, large] = [await readPicture(page, 'grid-trained'), await readPicture(page, 'grid-resampled')];
  expect(large.shape).toEqual([12, 12]);
  for (const [i, value] of large.values.entries()) {
    const [row, column] = [Math.floor(i / 12), i % 12];
    expect(value).toBe(small.values[6 * Math.floor(row / 2) + Math.floor(column / 2)]);
  }
  const similar = await readPicture(page, 'grid-similarity');
  expect(similar.values[6 * 13]).toBeCloseTo(1, 5);
  expect(complaints).toEqual([]);
});

test('ticks of distances stand at round numbers, where those are', async () => {
  const { page, complaints } = await site.open('lengths.html', { viewport: { width: 1280, height: 900 } });
  const ticksOf = (key: string): Promise<{ at: number; text: string }[]> =>
    page.$$eval(`[data-key="${key}"] .ticks-x span`, (ticks) => ticks.map((tick) => ({ at: parseFloat((tick as HTMLElement).style.left) / 100, text: tick.textContent })));
  const pointsOf = (key: string): Promise<number[]> =>
    page.$eval(`[data-key="${key}"] line-plot`, (plot) => Array.from((plot as unknown as { data: { x: { values: ArrayLike<number> } } }).data.x.values));
  await readPicture(page, 'learned');
  const growing = await ticksOf('t5');
  for (const [i, { at }] of growing.slice(1).entries()) expect(at - growing[i]!.at, 'texts that run into one another').toBeGreaterThan(0.05);
  expect(growing.map(({ text }) => Number(text))).toEqual([0, 1, 10, 100, 1000, 10000].filter((value) => growing.some(({ text }) => Number(text) === value)));
  expect(growing.length).toBeGreaterThan(2);
  for (const key of ['decay', 'learned']) {
    const even = (await ticksOf(key)).map(({ text }) => Number(text));
    expect(String(even[1]), key).toMatch(/^[125]0*$/);
    expect(even, key).toEqual(even.map((_, i) => i * even[1]!));
  }
  for (const key of ['t5', 'decay']) {
    const points = await pointsOf(key);
    for (const { at, text } of await ticksOf(key)) {
      const below = points.findLastIndex((value) => value <= Number(text));
      const place = at * points.length - 0.5;
      expect(place, `${key} ${text}`).toBeGreaterThan(below - 0.01);
      expect(place, `${key} ${text}`).toBeLessThan(below + 1.01);
    }
  }
  expect(complaints).toEqual([]);
});
