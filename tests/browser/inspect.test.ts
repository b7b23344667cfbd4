// The inspector: examples, pasted and dropped files, clear errors, and the wavelengths behind the plot.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { ropeAngle } from './support/formulas.js';
import { openSite, type Site } from './support/site.js';

let site: Site;
beforeAll(async () => void (site = await openSite()));
afterAll(() => site.close());

const llama = {
  model_type: 'llama', hidden_size: 4096, num_attention_heads: 32, num_key_value_heads: 8, num_hidden_layers: 2,
  max_position_embeddings: 8192, rope_theta: 500000,
};

/** Waits until the text has been read: either something was found or an error is shown. */
async function answered(page: Page): Promise<void> {
  await page.waitForFunction(() => document.querySelector('#result > *') ?? document.querySelector('#status')?.textContent);
}

test('every example is recognised, and its encodings lead to pages with its options', async () => {
  const { page, complaints } = await site.open('inspect.html');
  const names = await page.$$eval('#examples a', (links) => links.map((link) => link.getAttribute('data-model')));
  expect(names.length).toBeGreaterThanOrEqual(8);
  for (const name of names) {
    await page.click(`#examples a[data-model="${name}"]`);
    await answered(page);
    expect(await page.textContent('#status'), String(name)).toBe('');
    expect(await page.$$eval('#result .tower', (towers) => towers.length), String(name)).toBeGreaterThan(0);
    expect(await page.getAttribute(`#examples a[data-model="${name}"]`, 'aria-current')).not.toBeNull();
  }
  await page.click('#examples a');
  await page.click('.found h4 a');
  await page.waitForURL('**/encoding.html#id=rope*');
  expect(await page.textContent('#code')).toContain("type: 'llama3'");
  expect(complaints).toEqual([]);
});

test('a pasted config shows layers, heads and the wavelength of every pair', async () => {
  const { page, complaints } = await site.open('inspect.html');
  await page.fill('#config', JSON.stringify(llama));
  await page.waitForSelector('#result line-plot');
  const text = (await page.textContent('#result')) ?? '';
  expect(text).toContain('2 layers');
  expect(text).toContain('32, sharing 8 key/value heads');
  const { values, marks } = await page.$eval('#result line-plot', (plot) => {
    const { values: lengths, marks: lines } = (plot as unknown as { data: { values: Float64Array; marks: { value: number }[] } }).data;
    return { values: [...lengths], marks: lines.map(({ value }) => value) };
  });
  expect(values).toHaveLength(64);
  expect(marks).toEqual([8192]);
  for (const [pair, value] of values.entries()) {
    const expected = (2 * Math.PI) / ropeAngle(1, pair, 128, 500000);
    expect(Math.abs(value / expected - 1)).toBeLessThan(1e-6);
  }
  expect(complaints).toEqual([]);
});

test('what cannot be read is said in words, and the result is taken away', async () => {
  const { page, complaints } = await site.open('inspect.html');
  await page.fill('#config', JSON.stringify(llama));
  await page.waitForSelector('#result .tower');
  await page.fill('#config', '{ "model_type": "a-model-that-nobody-made" }');
  await page.waitForFunction(() => document.querySelector('#status')?.textContent);
  expect(await page.textContent('#status')).toContain('a-model-that-nobody-made');
  expect(await page.$('#result .tower')).toBeNull();
  await page.fill('#config', '{ "model_type": ');
  await page.waitForFunction(() => document.querySelector('#status')?.textContent?.includes('JSON'));
  await page.fill('#config', '');
  await page.waitForFunction(() => document.querySelector('#status')?.textContent === '');
  expect(complaints).toEqual([]);
});

test('a file can be chosen or dropped', async () => {
  const { page, complaints } = await site.open('inspect.html');
  await page.setInputFiles('#file', { name: 'config.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(llama)) });
  await page.waitForSelector('#result .tower');
  await page.fill('#config', '');
  await page.evaluate((json) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([json], 'config.json', { type: 'application/json' }));
    document.querySelector('#config')?.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, cancelable: true, bubbles: true }));
  }, JSON.stringify(llama));
  await page.waitForSelector('#result .tower');
  expect(complaints).toEqual([]);
});
