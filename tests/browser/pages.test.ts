// Every page of the site in every engine: its main controls, the numbers behind its pictures, nothing logged and nothing
// asked from elsewhere; once more where the engine refuses SIMD; and without the server.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { recommend } from 'posenc/recommend';
import type { Driver } from './support/engines/driver.js';
import { describeEngines } from './support/engines/index.js';
import { bestBuild, refuseSimd, serveWatched, type Folder, type Tab } from './support/engines/tab.js';
import { alibiSlope, attentionWeights, largestDifference, ropeAngle, sinusoidal } from './support/formulas.js';
import { siteFolder } from './support/site.js';

type Drawn = Element & { data?: { values: ArrayLike<number>; shape: readonly number[] } };

/** Numbers behind the picture with that key, once it has some. Those that are none arrive as null. */
async function picture(tab: Tab, key: string): Promise<{ values: number[]; shape: number[] }> {
  const css = `[data-key="${key}"] :is(heat-map, line-plot, pair-circles)`;
  await tab.until((at) => (document.querySelector(at) as Drawn | null)?.data !== undefined, css);
  return tab.evaluate((at) => {
    const { values, shape } = (document.querySelector(at) as Drawn).data!;
    return { values: [...(values as number[])], shape: [...shape] };
  }, css);
}

const titled = (tab: Tab, title: string): Promise<void> => tab.until((text) => document.querySelector('h1')?.textContent === text, title);
const addressHas = (tab: Tab, part: string): Promise<void> => tab.until((text) => location.href.includes(text), part);

/** The colour of the page, and what its canvases show. */
const look = (tab: Tab): Promise<{ paper: string; drawn: string }> =>
  tab.evaluate(() => ({
    paper: getComputedStyle(document.body).backgroundColor,
    drawn: [...document.querySelectorAll('canvas')].map((canvas) => canvas.toDataURL()).join(),
  }));

/** In an isolated page the clock has finer steps, so that a sample is over sooner. */
let folders: { plain: Folder; refused: Folder; isolated: Folder };
beforeAll(async () => {
  folders = { plain: await serveWatched(siteFolder), refused: await serveWatched(siteFolder, { first: refuseSimd }), isolated: await serveWatched(siteFolder, { isolated: true }) };
});
afterAll(async () => void (await Promise.all(Object.values(folders).map(({ close }) => close()))));

describeEngines(({ start }) => {
  let driver: Driver;
  let tab: Tab;
  beforeAll(async () => {
    driver = await start();
  }, 240_000);
  afterAll(() => driver?.close());

  /** A test that begins with a page and ends with nothing to complain of. */
  const on = (path: string, name: string, run: () => Promise<void>, folder: keyof typeof folders = 'plain'): void => {
    test(`${path}: ${name}`, async () => {
      tab = folders[folder].tab(driver);
      await tab.open(path);
      await run();
      expect(await tab.complaints()).toEqual([]);
    });
  };

  on('index.html', 'the first picture, the filters, the theme, and a card that leads to its page', async () => {
    const { values, shape } = await picture(tab, 'rows');
    expect(shape).toEqual([100, 16]);
    expect(largestDifference(values, sinusoidal(100, 16))).toBeLessThan(2e-7);
    await tab.until(() => document.querySelector('.card:last-child .card-picture > *'));
    const shown = (): Promise<(string | null)[]> => tab.evaluate(() => [...document.querySelectorAll('.card:not([hidden])')].map((card) => card.getAttribute('data-id')));
    await tab.type('input[name="model"]', 'deberta');
    await tab.until(() => document.querySelectorAll('.card:not([hidden])').length === 1);
    expect(await shown()).toEqual(['deberta']);
    await tab.type('input[name="model"]', ' ');
    await tab.choose('select[name="trained"]', 'yes');
    await addressHas(tab, 'trained=yes');
    expect(await shown()).not.toContain('sinusoidal');
    await tab.choose('select[name="trained"]', 'all');
    const before = await look(tab);
    await tab.click('#theme');
    await tab.until((paper) => getComputedStyle(document.body).backgroundColor !== paper, before.paper);
    expect((await look(tab)).drawn).not.toBe(before.drawn);
    await tab.click('.card[data-id="alibi"] a');
    await addressHas(tab, 'encoding.html#id=alibi');
    await titled(tab, 'ALiBi');
  });

  on('encoding.html#id=sinusoidal&dim=8&base=500&show.length=40', 'rows, attention, an option that is refused, Reset, back', async () => {
    const rows = sinusoidal(40, 8, 500);
    expect(largestDifference((await picture(tab, 'rows')).values, rows)).toBeLessThan(2e-7);
    const product = (p: number, q: number): number => Array.from({ length: 8 }, (_, i) => rows[p * 8 + i]! * rows[q * 8 + i]!).reduce((a, b) => a + b, 0);
    const weights = attentionWeights(40, false, (q, k) => product(q, k) / Math.sqrt(8));
    expect(largestDifference((await picture(tab, 'pattern')).values, weights)).toBeLessThan(2e-6);
    await tab.type('#option-dim', '0');
    await tab.until(() => /^dim: received 0, allowed /.test(document.querySelector('#status')?.textContent ?? ''));
    await tab.type('#option-dim', '4');
    await tab.until(() => document.querySelector('#status')?.textContent === '' && location.hash.includes('dim=4'));
    await tab.click('#reset');
    await tab.until(() => !location.hash.includes('base='));
    expect((await picture(tab, 'rows')).shape).toEqual([100, 16]);
    await tab.choose('#choose', 'alibi');
    await titled(tab, 'ALiBi');
    await tab.evaluate(() => history.back());
    await titled(tab, 'Sinusoidal');
  });

  on('encoding.html#id=rope&headDim=8&base=1000&show.length=30&show.position=7', 'tables, hands that play, a choice, saving', async () => {
    const angles = Array.from({ length: 30 * 4 }, (_, i) => ropeAngle(Math.floor(i / 4), i % 4, 8, 1000));
    expect(largestDifference((await picture(tab, 'cos')).values, angles.map(Math.cos))).toBeLessThan(2e-7);
    expect(largestDifference((await picture(tab, 'sin')).values, angles.map(Math.sin))).toBeLessThan(2e-7);
    const before = await picture(tab, 'circles');
    const hands = angles.slice(28, 32);
    expect(largestDifference(before.values, [...hands.map(Math.cos), ...hands.map(Math.sin)])).toBeLessThan(2e-7);
    await tab.click('.play');
    await tab.until(() => document.querySelector('[data-key="circles"] h2')?.textContent !== 'Every pair at position 7');
    await tab.click('.play');
    expect((await picture(tab, 'circles')).values).not.toEqual(before.values);
    await tab.choose('[data-field="layout"] select', 'interleaved');
    await addressHas(tab, 'layout=interleaved');
    expect(await tab.text('#code')).toContain("layout: 'interleaved'");
    // Saving makes a file of the page's own: what would be saved is read here, in place of the browser's folder.
    const saved = await tab.evaluate(async () => {
      const made: { download: string }[] = [];
      const { click } = HTMLAnchorElement.prototype;
      HTMLAnchorElement.prototype.click = function () {
        made.push({ download: this.download });
      };
      const blobs: Blob[] = [];
      const { createObjectURL } = URL;
      URL.createObjectURL = (blob) => (blobs.push(blob as Blob), createObjectURL(blob));
      for (const kind of ['CSV', 'SVG', 'PNG']) {
        [...document.querySelectorAll<HTMLButtonElement>('[data-key="cos"] .save button')].find(({ textContent }) => textContent === kind)!.click();
        while (made.length < 1 + ['CSV', 'SVG', 'PNG'].indexOf(kind)) await new Promise((next) => setTimeout(next, 20));
      }
      HTMLAnchorElement.prototype.click = click;
      const last = blobs.filter(({ type }) => ['text/csv', 'image/svg+xml', 'image/png'].includes(type)).slice(-1)[0]!;
      const png = new Uint8Array(await last.arrayBuffer());
      return { names: made.map(({ download }) => download), png: String.fromCharCode(...png.subarray(1, 4)), csv: await blobs[0]!.text() };
    });
    expect(saved.names).toEqual(['posenc-cos.csv', 'posenc-cos.svg', 'posenc-cos.png']);
    expect(saved.png).toBe('PNG');
    const numbers = saved.csv.trim().split('\n').slice(1).flatMap((line) => line.split(',').slice(1).map(Number));
    expect(largestDifference(numbers, angles.map(Math.cos))).toBeLessThan(2e-7);
  });

  on('compare.html#with=rope,alibi&length=20', 'weights sum to one, tokens change places, encodings are added and removed', async () => {
    await tab.until(() => document.querySelector('#more [data-key="difference"] canvas'));
    const weights = (): Promise<number[]> =>
      tab.evaluate(() => [...((document.querySelector('#more > .column [data-key="weights"] heat-map') as Drawn).data!.values as number[])]);
    const first = await weights();
    for (let query = 0; query < 20; query++) {
      expect(first.slice(20 * query, 20 * (query + 1)).reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 5);
      expect(first.slice(20 * query + query + 1, 20 * (query + 1)).every((weight) => weight === 0)).toBe(true);
    }
    await tab.click('#set-shuffle');
    await addressHas(tab, 'shuffle=');
    await tab.until((before) => String((document.querySelector('#more > .column [data-key="weights"] heat-map') as Drawn).data!.values) !== before, String(Float32Array.from(first)));
    await tab.click('#add');
    await tab.until(() => document.querySelector('#more > .column:nth-child(3) canvas'));
    await tab.click('[aria-label="Remove RoPE"]');
    await tab.until(() => document.querySelectorAll('#more > .column').length === 2);
    await tab.click('#time button');
    await tab.until(() => [...document.querySelectorAll('#more dl')].every((list) => list.textContent?.includes('Time of attention')));
  });

  on('lengths.html#heads=4&headDim=64&scaling=linear&trained=1024&target=4096', 'wavelengths, reach, a base that is typed', async () => {
    const { values } = await picture(tab, 'wavelengths');
    for (let pair = 0; pair < 32; pair++) expect((values[pair]! * ropeAngle(1, pair, 64)) / (2 * Math.PI)).toBeCloseTo(1, 5);
    const reach = await picture(tab, 'alibi');
    for (const [head, value] of reach.values.entries()) expect(value / (Math.log(100) / alibiSlope(head, 4))).toBeCloseTo(1, 5);
    await tab.type('#set-base', '500000');
    await addressHas(tab, 'base=500000');
    await tab.until(() => document.querySelector('#scalings tbody tr:last-child a')?.getAttribute('href')?.includes('base=500000'));
    const scaled = await picture(tab, 'wavelengths');
    expect((scaled.values[31]! * ropeAngle(1, 31, 64, 500000)) / (2 * Math.PI)).toBeCloseTo(1, 5);
  });

  on('choose.html', 'the ranking is that of recommend, and a result opens its page', async () => {
    const shown = (): Promise<(string | null)[]> => tab.evaluate(() => [...document.querySelectorAll('#result > li')].map((item) => item.getAttribute('data-id')));
    await tab.until(() => document.querySelector('#result > li'));
    expect(await shown()).toEqual(recommend({ task: 'language-model' }).map(({ id }) => id));
    await tab.type('#need-longestLength', '4096');
    await addressHas(tab, 'longestLength=4096');
    expect(await shown()).toEqual(recommend({ task: 'language-model', longestLength: 4096 }).map(({ id }) => id));
    await tab.click('#result > li[data-id="rope"] h2 a');
    await addressHas(tab, 'encoding.html#id=rope&scaling.type=yarn');
    expect((await picture(tab, 'pattern')).values.length).toBeGreaterThan(0);
  });

  on('inspect.html#model=none', 'an example, a pasted config, a dropped file, tensors, and what cannot be read', async () => {
    await tab.click('#examples a');
    await tab.until(() => document.querySelector('#result .tower'));
    const config = JSON.stringify({ model_type: 'llama', hidden_size: 4096, num_attention_heads: 32, num_hidden_layers: 2, max_position_embeddings: 8192, rope_theta: 500000 });
    await tab.type('#config', '{ "model_type": ');
    await tab.until(() => document.querySelector('#status')?.textContent?.includes('JSON'));
    await tab.evaluate((json) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([json], 'config.json', { type: 'application/json' }));
      document.querySelector('#config')?.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, cancelable: true, bubbles: true }));
    }, config);
    await tab.until(() => document.querySelector('#result')?.textContent?.includes('2 layers') && document.querySelector('#result line-plot path'));
    const waves = await tab.evaluate(() => [...((document.querySelector('#result line-plot') as Drawn).data!.values as number[])]);
    for (const [pair, wave] of waves.entries()) expect((wave * ropeAngle(1, pair, 128, 500000)) / (2 * Math.PI)).toBeCloseTo(1, 5);
    await tab.click('#tensor-examples a');
    await tab.until(() => document.querySelector('#tensors .found :is(canvas, svg path)') && document.querySelector('#status')?.textContent === '');
  });

  on('benchmark.html?preset=long&filter=alibi+attention+small+heap&seed=7', 'measures, and tells the device and the build', async () => {
    await tab.until(() => document.querySelector('#status')?.textContent === '1 case to measure.');
    await tab.click('#run');
    await tab.until(() => /^(Done|It failed|Stopped)/.test(document.querySelector('#status')?.textContent ?? ''));
    expect(await tab.text('#status')).toBe('Done: 1 of 1 cases.');
    expect(await tab.text('#environment')).toContain(`build ${await tab.evaluate(bestBuild)}`);
  }, 'isolated');

  on('embed.html#id=alibi&heads=4&show.length=24&figure=lines', 'one picture', async () => {
    const slopes = Array.from({ length: 4 * 24 }, (_, i) => alibiSlope(Math.floor(i / 24), 4) * ((i % 24) - 23));
    expect(largestDifference((await picture(tab, 'lines')).values, slopes)).toBe(0);
    expect(await tab.evaluate(() => document.querySelectorAll('[data-key]').length)).toBe(1);
  });

  on('glossary.html', 'words, and the other language', async () => {
    expect(await tab.evaluate(() => document.querySelectorAll('dl.glossary dt').length)).toBeGreaterThan(10);
    await tab.click('#language');
    await tab.until(() => document.documentElement.lang === 'zh-Hans' && document.querySelector('html[data-translated]'));
  });

  test('refused SIMD, the site draws the same numbers by the scalar build', async () => {
    const scalar = folders.refused.tab(driver);
    await scalar.open('index.html');
    expect(largestDifference((await picture(scalar, 'rows')).values, sinusoidal(100, 16))).toBeLessThan(2e-7);
    const wasm = await scalar.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => name.endsWith('.wasm')));
    expect(wasm.map((name) => /posenc-(\w+?)-/.exec(name)?.[1])).toEqual(['scalar']);
    expect(await scalar.complaints()).toEqual([]);
  });

  test('a page that was open once opens without the server, and draws the same', async () => {
    const folder = await serveWatched(siteFolder);
    const alone = folder.tab(driver);
    await alone.open('encoding.html#id=rope');
    const before = await picture(alone, 'cos');
    await alone.until(() => document.querySelector('html[data-kept]'));
    await folder.close();
    await alone.reload();
    expect(await picture(alone, 'cos')).toEqual(before);
    await alone.choose('[data-field="layout"] select', 'interleaved');
    await addressHas(alone, 'layout=interleaved');
  });
});
