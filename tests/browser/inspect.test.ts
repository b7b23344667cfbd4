// The inspector: examples, pasted and dropped files, clear errors, and the wavelengths behind the plot.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { ropeAngle } from './support/formulas.js';
import { openSite, readPicture, type Site } from './support/site.js';

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
  await page.waitForSelector('#lead [data-key]');
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

test('each example of tensors shows its pictures, and the scaled frequencies their warning', async () => {
  const { page, complaints } = await site.open('inspect.html');
  const names = await page.$$eval('#tensor-examples a', (links) => links.map((link) => link.getAttribute('data-model')));
  for (const name of names) {
    await page.click(`#tensor-examples a[data-model="${name}"]`);
    await page.waitForSelector('#tensors .found :is(canvas, svg path)');
    await page.waitForFunction(() => document.querySelector('#status')?.textContent === '');
    expect(await page.getAttribute(`#tensor-examples a[data-model="${name}"]`, 'aria-current')).not.toBeNull();
    expect(await page.$$('#tensors .warnings'), String(name)).toHaveLength(name === 'frequencies' ? 1 : 0);
  }
  expect(complaints).toEqual([]);
});

test('square pictures stand side by side, or beside their words, and a slider runs through one of them', async () => {
  const { page, complaints } = await site.open('inspect.html#file=image-grid', { viewport: { width: 1280, height: 900 } });
  await page.waitForSelector('#tensors .slider-row');
  const boxOf = (key: string) => page.locator(`#tensors [data-key$="${key}"]`).boundingBox();
  const [rows, cell, whole] = [await boxOf(' similarity'), await boxOf(' cell'), await page.locator('#tensors .file-pictures').boundingBox()];
  expect(cell!.y).toBeCloseTo(rows!.y, 0);
  expect(cell!.x).toBeGreaterThan(rows!.x + rows!.width);
  expect(cell!.x + cell!.width).toBeCloseTo(whole!.x + whole!.width, 0);
  await page.locator('#tensors .slider-row input').focus();
  await page.keyboard.press('Home');
  await page.waitForFunction(() => document.querySelector('#tensors [data-key$=" cell"] h4')?.textContent === 'Similarity to cell 0, 0');
  expect(await page.evaluate(() => document.activeElement?.matches('.slider-row input'))).toBe(true);
  await page.click('#tensor-examples a[data-model="window"]');
  await page.waitForSelector('#tensors [data-key$=" window"] canvas');
  const [figure, words] = [page.locator('#tensors [data-key$=" window"] heat-map'), page.locator('#tensors [data-key$=" window"] figcaption')];
  expect((await words.boundingBox())!.x).toBeGreaterThan((await figure.boundingBox())!.x + (await figure.boundingBox())!.width);
  expect(complaints).toEqual([]);
});

/** A safetensors file with these F32 tensors. */
function safetensors(tensors: Readonly<Record<string, { shape: readonly number[]; data: Float32Array }>>): Buffer {
  let end = 0;
  const entries = Object.entries(tensors).map(([name, { shape, data }]) => {
    const start = end;
    end += data.byteLength;
    return [name, { dtype: 'F32', shape, data_offsets: [start, end] }] as const;
  });
  const header = Buffer.from(JSON.stringify(Object.fromEntries(entries)));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(header.length));
  return Buffer.concat([length, header, ...Object.values(tensors).map(({ data }) => Buffer.from(data.buffer))]);
}

test('of a dropped file only tensors with positions are read, and a base that is not the config\u2019s is said', async () => {
  const { page, complaints } = await site.open('inspect.html#model=none');
  await page.evaluate(() => {
    const slices: [number, number][] = [];
    const { slice } = Blob.prototype;
    Blob.prototype.slice = function (start?: number, end?: number, type?: string) {
      slices.push([start ?? 0, end ?? this.size]);
      return slice.call(this, start, end, type);
    };
    Object.assign(globalThis, { slices });
  });
  await page.fill('#config', JSON.stringify({ ...llama, rope_theta: 10000 }));
  await page.waitForSelector('#result .tower');
  const [rows, width, pairs] = [20, 4, 16];
  const table = Float32Array.from({ length: rows * width }, (_, i) => Math.sin(i));
  const frequencies = Float32Array.from({ length: pairs }, (_, pair) => 1 / 500000 ** (pair / pairs));
  const file = safetensors({
    'wpe.weight': { shape: [rows, width], data: table },
    'h.0.mlp.weight': { shape: [100000], data: new Float32Array(100000) },
    'rotary_emb.inv_freq': { shape: [pairs], data: frequencies },
  });
  await page.setInputFiles('#file', { name: 'model.safetensors', mimeType: 'application/octet-stream', buffer: file });
  await page.waitForSelector('#tensors .found');
  const drawn = await readPicture(page, 'wpe.weight table');
  expect(drawn.shape).toEqual([rows, width]);
  expect(drawn.values).toEqual([...table]);
  const { values } = await readPicture(page, 'wpe.weight similarity');
  const dot = (a: number, b: number): number => [0, 1, 2, 3].reduce((sum, i) => sum + table[a * width + i]! * table[b * width + i]!, 0);
  expect(values[1]).toBeCloseTo(dot(0, 1) / Math.sqrt(dot(0, 0) * dot(1, 1)), 5);
  const waves = await readPicture(page, 'rotary_emb.inv_freq wavelengths');
  for (const [pair, wave] of waves.values.entries()) expect((wave * frequencies[pair]!) / (2 * Math.PI)).toBeCloseTo(1, 6);
  expect(await page.textContent('#tensors')).toContain('powers of base 500000, the config says 10000');
  const read = await page.evaluate(() => (globalThis as unknown as { slices: [number, number][] }).slices);
  const largest = Math.max(...read.map(([start, end]) => end - start));
  expect(largest).toBeLessThan(1000);
  expect(await page.textContent('#tensors')).toContain('2 of its 3 tensors hold positions');
  expect(complaints).toEqual([]);
});
