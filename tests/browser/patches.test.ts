// The length lab's grid of patches over a picture: ours, or the visitor's.
import { deflateSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSite, readPicture, type Site } from './support/site.js';

let site: Site;
beforeAll(async () => void (site = await openSite()));
afterAll(() => site.close());

const under = '[data-key="grid-similarity"] canvas.backdrop';

/** A PNG of one colour, 40 wide and 20 high. */
function redImage(): Buffer {
  const table = Array.from({ length: 256 }, (_, n) => {
    let code = n;
    for (let i = 0; i < 8; i++) code = code & 1 ? (code >>> 1) ^ 0xedb88320 : code >>> 1;
    return code >>> 0;
  });
  const check = (bytes: Buffer): number => ~bytes.reduce((code, byte) => table[(code ^ byte) & 255]! ^ (code >>> 8), 0xffffffff) >>> 0;
  const chunk = (name: string, data: Buffer): Buffer => {
    const [length, sum, body] = [Buffer.alloc(4), Buffer.alloc(4), Buffer.concat([Buffer.from(name), data])];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(check(body));
    return Buffer.concat([length, body, sum]);
  };
  const head = Buffer.from([0, 0, 0, 40, 0, 0, 0, 20, 8, 2, 0, 0, 0]);
  const row = Buffer.from([0, ...Array.from({ length: 40 }, () => [250, 10, 20]).flat()]);
  const pixels = deflateSync(Buffer.concat(Array.from({ length: 20 }, () => row)));
  return Buffer.concat([Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]), chunk('IHDR', head), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))]);
}

test('the grid lies over a picture, a click chooses the patch, and the address keeps it', async () => {
  const { page, complaints } = await site.open('lengths.html#gridTrained=6&gridTarget=12');
  await page.waitForSelector(under);
  const before = await readPicture(page, 'grid-similarity');
  expect(before.shape).toEqual([12, 12]);
  expect(before.values[6 * 13]).toBeCloseTo(1, 5);
  const area = page.locator('[data-key="grid-similarity"] .plot-area');
  await area.scrollIntoViewIfNeeded();
  const box = (await area.boundingBox())!;
  await page.mouse.click(box.x + (2.5 * box.width) / 12, box.y + (1.5 * box.height) / 12);
  await page.waitForURL('**/lengths.html#gridTrained=6&gridTarget=12&patch=14');
  const after = await readPicture(page, 'grid-similarity');
  expect(after.values[14]).toBeCloseTo(1, 5);
  expect(after.values[6 * 13]).toBeLessThan(0.99);
  expect((await readPicture(page, 'grid-before')).values[1]).toBeCloseTo(1, 5);
  expect(complaints).toEqual([]);
});

test('a visitor\u2019s picture takes the place of ours, and what is none is refused in words', async () => {
  const { page, complaints } = await site.open('lengths.html');
  await page.locator(under).scrollIntoViewIfNeeded(); // what nobody sees is drawn later
  const input = page.locator('[data-key="grid-similarity"] input[type="file"]');
  await input.setInputFiles({ name: 'red.png', mimeType: 'image/png', buffer: redImage() });
  const middle = (): Promise<number[]> =>
    page.$eval(under, (canvas) => {
      const copy = Object.assign(document.createElement('canvas'), { width: 1, height: 1 }).getContext('2d', { willReadFrequently: true })!;
      copy.drawImage(canvas as HTMLCanvasElement, -384, -384);
      return [...copy.getImageData(0, 0, 1, 1).data];
    });
  await expect.poll(middle).toEqual([250, 10, 20, 255]);
  await input.setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('no picture') });
  await page.waitForFunction(() => document.querySelector('#status')?.textContent?.startsWith('notes.txt'));
  expect(await middle()).toEqual([250, 10, 20, 255]);
  expect(complaints).toEqual([]);
});
