// The gallery: a live card for every encoding of the catalogue, filters, and the first picture's numbers.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { catalog } from 'posenc/catalog';
import { largestDifference, sinusoidal } from './support/formulas.js';
import { openSite, readPicture, settle, type Site } from './support/site.js';

let site: Site;
beforeAll(async () => void (site = await openSite()));
afterAll(() => site.close());

test('the first picture is the sinusoidal table of 100 positions and 16 channels', async () => {
  const { page, complaints } = await site.open('');
  const { values, shape } = await readPicture(page, 'rows');
  expect(shape).toEqual([100, 16]);
  expect(largestDifference(values, sinusoidal(100, 16))).toBeLessThan(2e-7);
  expect(complaints).toEqual([]);
});

test('every encoding has a card with a picture, and its link opens its page', async () => {
  const { page, complaints } = await site.open('index.html');
  await page.waitForSelector('.card:last-child .card-picture > *');
  const cards = await page.$$eval('.card', (elements) =>
    elements.map((card) => ({
      id: card.getAttribute('data-id'),
      drawn: (card.querySelector('.card-picture > *') as { data?: { values: ArrayLike<number> } } | null)?.data?.values.length ?? 0,
      text: card.textContent,
    })),
  );
  expect(cards.map(({ id }) => id).sort()).toEqual(catalog.encodings.map(({ id }) => id).sort());
  for (const { id, title } of catalog.encodings) {
    const card = cards.find((candidate) => candidate.id === id);
    expect(card?.drawn, id).toBeGreaterThan(0);
    expect(card?.text).toContain(title);
  }
  const last = catalog.encodings.at(-1)!;
  await page.click(`.card[data-id="${last.id}"] a`);
  await page.waitForURL(`**/encoding.html#id=${last.id}`);
  expect(await page.textContent('h1')).toBe(last.title);
  expect(complaints).toEqual([]);
});

test('every filter narrows the cards, and the address keeps them', async () => {
  const { page } = await site.open('index.html');
  const shown = (): Promise<(string | null)[]> => page.$$eval('.card:not([hidden])', (cards) => cards.map((card) => card.getAttribute('data-id')));
  const families = [...new Set(catalog.encodings.map(({ family }) => family))];
  for (const family of families) {
    await page.check(`input[name="family"][value="${family}"]`);
    expect((await shown()).sort()).toEqual(catalog.encodings.filter((entry) => entry.family === family).map(({ id }) => id).sort());
  }
  await page.check('input[name="family"][value="all"]');
  await page.selectOption('select[name="trained"]', 'yes');
  const trainable = catalog.encodings.filter(({ tensors }) => tensors.length > 0).map(({ id }) => id).sort();
  expect((await shown()).sort()).toEqual(trainable);
  await page.selectOption('select[name="axes"]', '2');
  const flat = catalog.encodings.filter(({ tensors, domain }) => tensors.length > 0 && domain.axes === 2).map(({ id }) => id).sort();
  expect((await shown()).sort()).toEqual(flat);
  await page.selectOption('select[name="axes"]', 'all');
  await page.selectOption('select[name="beyond"]', 'no');
  expect(await shown()).toContain('learned');
  expect(await shown()).not.toContain('t5');
  await page.selectOption('select[name="beyond"]', 'all');
  await page.fill('input[name="model"]', 'deberta');
  expect(await shown()).toEqual(['deberta']);
  await page.fill('input[name="model"]', '');
  await page.waitForURL('**/index.html#trained=yes');
  await page.reload();
  await settle(page);
  expect((await shown()).sort()).toEqual(trainable);
});
