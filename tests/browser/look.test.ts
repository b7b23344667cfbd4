// All pages: security policy, weight, no other origin, narrow and wide, light and dark, keyboard, and axe.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Page } from 'playwright-core';
import { colourRules, findings } from './support/axe.js';
import { openSite, settle, siteFolder, type Site, type Watched } from './support/site.js';

const largestPage = 300_000;

const pages = [
  ['index.html', '.card:last-child .card-picture > *'],
  ['encoding.html#id=sinusoidal', '#notes > *'],
  ['encoding.html#id=rope', '#notes > *'],
  ['encoding.html#id=alibi', '#notes > *'],
  ['encoding.html#id=nope', '#notes > *'],
  ['compare.html', '#more [data-key="difference"] canvas'],
  ['lengths.html', '#more [data-key="alibi"] path'],
  ['choose.html', '#result > li'],
  ['benchmark.html', '#environment dt'],
  ['glossary.html', 'dl.glossary'],
  ['embed.html#id=alibi&figure=lines', '#picture path'],
  ['inspect.html#file=image-grid', '#tensors .slider-row'],
  ['inspect.html#model=meta-llama/Llama-3.1-8B', '#result line-plot svg path'],
] as const;

let site: Site;
beforeAll(async () => void (site = await openSite()));
afterAll(() => site.close());

const widths = [320, 1280, 3840];

/** What is wider than its place: the page, and controls in a panel, whose overflow the page does not tell. */
function tooWide(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    const panels = [...document.querySelectorAll('.panel, .intake, .filters')].flatMap((panel) => {
      const right = panel.getBoundingClientRect().left + panel.clientWidth + 1;
      return [...panel.querySelectorAll('input, select, button, label, textarea, p')]
        .filter((element) => element.getBoundingClientRect().right > right)
        .map((element) => `${element.tagName} ${element.id} in .${panel.className}`);
    });
    return scrollWidth > clientWidth ? [`page ${scrollWidth} in ${clientWidth}`, ...panels] : panels;
  });
}

describe.each(pages.map(([path, ready], i) => [path, ready, i % 2 === 0] as const))('%s', (path, ready, isLightFirst) => {
  // Each second page begins dark; in the other scheme the same page has other colours.
  const schemes = isLightFirst ? (['light', 'dark'] as const) : (['dark', 'light'] as const);
  let opened: Watched;
  beforeAll(async () => {
    opened = await site.keep(path, { colorScheme: schemes[0], viewport: { width: 1280, height: 800 } });
    await opened.page.waitForSelector(ready);
  });
  afterAll(() => opened.page.context().close());

  test('within the weight, under the policy, nothing logged', async () => {
    const { page, complaints, requests } = opened;
    const policy = await page.getAttribute('meta[http-equiv="Content-Security-Policy"]', 'content');
    expect(policy).toContain("script-src 'self' 'wasm-unsafe-eval'");
    let weight = 0;
    for (const address of new Set(requests)) {
      if (address.startsWith(site.address)) weight += gzipSync(Buffer.from(await (await fetch(address)).arrayBuffer())).length;
    }
    expect(weight).toBeLessThan(largestPage);
    expect(complaints).toEqual([]);
  });

  test('nothing sticks out or is cut off, from narrow to 4K', async () => {
    const { page } = opened;
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 });
      expect(await tooWide(page), `${width} px`).toEqual([]);
    }
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  test.each(schemes)('%s: clean by axe', async (colorScheme) => {
    const { page, complaints } = opened;
    await page.emulateMedia({ colorScheme });
    await settle(page);
    // One table of values stands for all of them: axe takes seconds for each.
    await page.evaluate(() => document.querySelector('details')?.setAttribute('open', ''));
    expect(await findings(page, colorScheme === schemes[0] ? undefined : colourRules)).toEqual([]);
    expect(complaints).toEqual([]);
  });
});

test('pictures of a row stand on common lines, fill their places, and one left over has its words beside it', async () => {
  const { page } = await site.open('encoding.html#id=rope', { viewport: { width: 1280, height: 900 } });
  await page.waitForSelector('#more [data-key="pattern"] canvas');
  const places = await page.evaluate(() =>
    Object.fromEntries(
      [...document.querySelectorAll<HTMLElement>('#more [data-key]')].map((picture) => {
        const [caption, area] = ['figcaption', '.plot-area'].map((part) => picture.querySelector(part)!.getBoundingClientRect());
        const box = picture.getBoundingClientRect();
        return [picture.dataset['key'] ?? '', { top: area!.top, bottom: area!.bottom, right: area!.right, end: box.right, words: caption!.left }];
      }),
    ),
  );
  const [similarity, periods, pattern] = ['similarity', 'periods', 'pattern'].map((key) => places[key]!);
  expect(similarity!.top).toBeCloseTo(periods!.top, 0);
  expect(similarity!.bottom).toBeCloseTo(periods!.bottom, 0);
  for (const { right, end } of Object.values(places)) expect(right).toBeLessThanOrEqual(end + 1);
  expect(pattern!.words).toBeGreaterThan(pattern!.right);
});

test('a flat picture beside a square one grows to its height', async () => {
  const { page } = await site.open('encoding.html#id=sinusoidal', { viewport: { width: 1280, height: 900 } });
  await page.waitForSelector('#more [data-key="pattern"] canvas');
  const boxes = await page.$$eval('#more .plot-area', (areas) => areas.map((area) => area.getBoundingClientRect()).map(({ top, width, height }) => [top, width, height]));
  const [[top, width, height], [squareTop, squareWidth, squareHeight]] = boxes as [number[], number[]];
  expect(squareHeight).toBeCloseTo(squareWidth!, 0);
  expect(height! / squareHeight!).toBeGreaterThan(0.9);
  expect(top).toBeCloseTo(squareTop!, 0);
  expect(width! / squareWidth!).toBeGreaterThan(0.9);
  expect(width! / squareWidth!).toBeLessThan(1.1);
});

test('on 4K the page takes most of the width, and cells have sharp edges', async () => {
  const { page } = await site.open('index.html', { viewport: { width: 3840, height: 2160 } });
  await page.waitForSelector('.card:last-child .card-picture > *');
  await settle(page);
  expect((await page.locator('main').boundingBox())!.width).toBeGreaterThan(0.68 * 3840);
  expect((await page.getAttribute('#hero canvas', 'class')) ?? '').not.toContain('is-dense');
});

test('clocks of a small picture fit in it', async () => {
  const { page } = await site.open('index.html');
  const picture = page.locator('[data-id="ropeNd"] .card-picture');
  await picture.locator('li').first().waitFor();
  const bottom = await picture.evaluate((box) => Math.max(...[...box.querySelectorAll('svg')].map((clock) => clock.getBoundingClientRect().bottom)) - box.getBoundingClientRect().bottom);
  expect(bottom).toBeLessThanOrEqual(1);
});

test('works below a sub-path, the service worker too', async () => {
  const root = mkdtempSync(path.join(tmpdir(), 'posenc-site-'));
  mkdirSync(path.join(root, 'sub'));
  symlinkSync(siteFolder, path.join(root, 'sub', 'path'));
  const below = await openSite(root);
  onTestFinished(() => below.close().then(() => rmSync(root, { recursive: true })));
  const { page, complaints, requests } = await below.open('sub/path/index.html');
  await page.waitForSelector('.card:last-child .card-picture > *');
  await page.click('.card a');
  await page.waitForSelector('#lead [data-key]');
  await page.waitForSelector('html[data-kept]');
  expect(new URL(page.url()).pathname).toBe('/sub/path/encoding.html');
  expect(requests.filter((address) => !address.startsWith(`${below.address}sub/path/`) && !address.startsWith('data:'))).toEqual([]);
  expect(complaints).toEqual([]);
});

test('the theme button changes the colours of page and pictures, and the choice lasts', async () => {
  const { page } = await site.open('index.html', { colorScheme: 'light' });
  await page.waitForSelector('.card:last-child .card-picture > *');
  const look = (): Promise<string[]> =>
    page.evaluate(() => [
      getComputedStyle(document.body).backgroundColor,
      document.querySelector('canvas')!.getContext('2d')!.getImageData(40, 3, 1, 1).data.join(),
    ]);
  const [paper, cell] = await look();
  await page.click('#theme');
  const [darkPaper, darkCell] = await look();
  expect(darkPaper).not.toBe(paper);
  expect(darkCell).not.toBe(cell);
  await page.reload();
  await page.waitForSelector('.card:last-child .card-picture > *');
  expect((await look())[0]).toBe(darkPaper);
});

test('the keyboard reaches everything in order, with a visible focus', async () => {
  const { page } = await site.open('encoding.html#id=sinusoidal');
  await page.waitForSelector('#lead [data-key]');
  const stops: string[] = [];
  for (let i = 0; i < 20; i++) {
    await page.keyboard.press('Tab');
    stops.push(
      await page.evaluate(() => {
        const focused = document.activeElement as HTMLElement;
        const visible = getComputedStyle(focused).outlineStyle !== 'none' || focused.classList.contains('skip');
        return `${focused.id || focused.className || focused.textContent}${visible ? '' : ' (no outline)'}`;
      }),
    );
  }
  expect(stops.slice(0, 6)).toEqual(['skip', 'wordmark', 'Encodings', 'Compare', 'Lengths', 'Choose']);
  expect(stops).toContain('plot-area');
  expect(stops).toContain('option-dim');
  expect(stops.filter((stop) => stop.endsWith('(no outline)'))).toEqual([]);
});

test('moving one setting draws anew only what depends on it', async () => {
  const { page } = await site.open('encoding.html#id=rope');
  await page.waitForSelector('#more [data-key="pattern"] canvas');
  const drawn = await page.evaluate(async () => {
    const figures = [...document.querySelectorAll<HTMLElement & { data: unknown }>('[data-key] :is(heat-map, line-plot, pair-circles)')];
    const nameOf = (figure: Element): string => figure.closest<HTMLElement>('[data-key]')?.dataset['key'] ?? '';
    const move = async (name: string): Promise<string[]> => {
      const before = figures.map(({ data }) => data);
      const slider = document.querySelector<HTMLInputElement>(`[data-field="${name}"] input[type="range"]`)!;
      slider.value = String(slider.valueAsNumber + Number(slider.step));
      slider.dispatchEvent(new Event('input', { bubbles: true }));
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      return figures.filter(({ data }, i) => data !== before[i]).map(nameOf);
    };
    return { position: await move('position'), length: await move('length'), base: await move('base') };
  });
  expect(drawn.position).toEqual(['circles']);
  expect(drawn.length.sort()).toEqual(['circles', 'cos', 'pattern', 'similarity', 'sin']);
  expect(drawn.base.sort()).toEqual(['circles', 'cos', 'pattern', 'periods', 'similarity', 'sin']);
});
