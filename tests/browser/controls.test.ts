// Every control of every encoding on its page does something or says why not, and the address follows.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Locator, Page } from 'playwright-core';
import { catalog, type CatalogField } from 'posenc/catalog';
import { openSite, settle, type Site, type Watched } from './support/site.js';
import { goTo, small } from './support/walk.js';

let site: Site;
let walker: Watched;
beforeAll(async () => {
  site = await openSite();
  walker = await site.keep('encoding.html#id=nope');
});
afterAll(() => site.close());

/** Something else than what the field's control shows. */
async function changeField(row: Locator, { type, choices, multipleOf = 1, minimum = 0 }: CatalogField): Promise<void> {
  if (type === 'boolean') return row.locator('input').setChecked(!(await row.locator('input').isChecked()));
  if (type === 'choice') {
    const [select, others] = [row.locator('select'), choices!.toReversed()];
    const shown = await select.inputValue();
    await select.selectOption(others.find((choice) => choice !== shown)!);
    return;
  }
  const input = row.locator('input').first();
  const shown = await input.inputValue();
  const value = [2, 3].map((factor) => factor * multipleOf).find((candidate) => candidate >= minimum && String(candidate) !== shown) ?? minimum + multipleOf;
  await input.fill(type === 'list' ? `${value},${value}` : String(value));
  await input.dispatchEvent('change');
}

/** Fields whose box has no room for what stands in it while it is empty. */
function cutPlaceholders(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const context = document.createElement('canvas').getContext('2d')!;
    const boxes = [...document.querySelectorAll<HTMLInputElement>('#options .field:not([hidden]) input[placeholder]')];
    return boxes.flatMap((box) => {
      const { font, paddingLeft, paddingRight } = getComputedStyle(box);
      context.font = font;
      const room = box.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
      return context.measureText(box.placeholder).width > room + 0.5 ? [`${box.id}: ${box.placeholder}`] : [];
    });
  });
}

test.each(catalog.encodings.map((entry) => [entry.id, entry] as const))('%s: every control does something or says why not, and the address and Reset follow', async (id, entry) => {
  const { page, complaints } = walker;
  await goTo(walker, entry);
  const first = await page.textContent('#code');
  await page.evaluate((hash) => (location.hash = hash), `id=${id}&${small}`);
  await page.waitForFunction((code) => document.querySelector('#code')?.textContent !== code, first);
  expect(await cutPlaceholders(page)).toEqual([]);
  const before = await page.textContent('#code');
  for (const field of entry.fields) {
    const row = page.locator(`#options .field[data-field="${field.name}"]`);
    if (await row.isHidden()) continue;
    await changeField(row, field);
    await settle(page);
    const said = await page.textContent('#status');
    if (said) expect(said, field.name).toMatch(/received .+, allowed .+/);
    else expect(await page.textContent('#code'), field.name).not.toBe(before);
    await page.waitForFunction((name) => location.hash.includes(name), `&${field.name}=`);
    await page.evaluate((hash) => (location.hash = hash), `id=${id}&${small}`);
    await page.waitForFunction((code) => document.querySelector('#code')?.textContent === code && document.querySelector('#status')?.textContent === '', before);
  }
  await page.click('#reset');
  await settle(page);
  expect(await page.textContent('#code')).toBe(first);
  expect(complaints.splice(0)).toEqual([]);
});
