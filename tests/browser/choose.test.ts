// The questionnaire shows what `recommend` says.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { recommend } from 'posenc/recommend';
import { openSite, settle, type Site } from './support/site.js';

let site: Site;
beforeAll(async () => void (site = await openSite()));
afterAll(() => site.close());

test('answers, ranking, address and links', async () => {
  const { page, complaints } = await site.open('choose.html');
  const shown = (): Promise<(string | null)[]> => page.$$eval('#result > li', (items) => items.map((item) => item.getAttribute('data-id')));
  const first = recommend({ task: 'language-model' });
  expect(await shown()).toEqual(first.map(({ id }) => id));
  expect(await page.textContent('#result > li')).toContain(first[0]!.reasons[0]!.text);
  await page.waitForFunction(() => [...document.querySelectorAll('#result > li .card-picture')].every((place) => place.querySelector('canvas, svg')));
  const places = await page.$$eval('#result > li', (items) => items.map((item) => [item.querySelectorAll('.card-picture').length, item.querySelector('.card-picture')!.getBoundingClientRect().height]));
  for (const [count, height] of places) expect([count, Math.round(height!)]).toEqual([1, Math.round(places[0]![1]!)]);
  await page.fill('#need-longestLength', '4096');
  await settle(page);
  const longer = recommend({ task: 'language-model', longestLength: 4096 });
  expect(await shown()).toEqual(longer.map(({ id }) => id));
  await page.waitForURL('**/choose.html#task=language-model&longestLength=4096');
  await page.click(`#result > li[data-id="rope"] h2 a`);
  await page.waitForURL('**/encoding.html#id=rope&scaling.type=yarn&scaling.factor=8&scaling.originalLength=512');
  expect(await page.textContent('#status')).toBe('');
  await page.goBack();
  await page.selectOption('#need-task', 'set');
  await page.selectOption('#need-causal', 'no');
  await settle(page);
  expect((await shown())[0]).toBe('nope');
  // One that was not in the first list gets its picture too.
  await page.waitForFunction(() => document.querySelector('#result > li .card-picture :is(canvas, svg)'));
  expect(complaints).toEqual([]);
});
