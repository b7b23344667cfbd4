// When a page of the built site is first painted, and how much it moves while it fills: npm run bench:paint [-- PAGE ...].
// Each load has a browser profile of its own, so nothing is cached. What the server says of a page that is not
// there stands first: what that line takes is the machine's, not the site's. Medians.
import * as playwright from 'playwright-core';
import { chromium } from '../lib/browsers.mjs';
import { main } from '../lib/log.mjs';
import { site } from '../lib/paths.mjs';
import { serve } from '../lib/serve.mjs';

const loads = 5;
const settled = 1500;
const all = ['not-there', 'index.html', 'encoding.html#id=rope', 'compare.html', 'lengths.html', 'choose.html', 'inspect.html', 'benchmark.html', 'glossary.html'];
const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];

/** Collects layout shifts from the start on. */
function watchShifts() {
  globalThis.moved = 0;
  const add = (list) => list.getEntries().forEach(({ value }) => (globalThis.moved += value));
  new PerformanceObserver(add).observe({ type: 'layout-shift', buffered: true });
}

/** [milliseconds to the first paint of content, sum of shifts] */
async function load(browser, address, locale) {
  const context = await browser.newContext({ locale });
  const page = await context.newPage();
  await page.addInitScript(watchShifts);
  await page.goto(address);
  await page.waitForTimeout(settled);
  const found = await page.evaluate(() => [performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN, globalThis.moved]);
  await context.close();
  return found;
}

await main(async () => {
  const pages = process.argv.length > 2 ? process.argv.slice(2) : all;
  const { address, close } = await serve(site);
  const browser = await playwright.chromium.launch({ executablePath: chromium(), args: ['--no-sandbox', '--disable-gpu'] });
  console.log('milliseconds to the first paint, and what moved after it');
  for (const page of pages) {
    for (const locale of ['en-US', 'zh-CN']) {
      const found = [];
      for (let i = 0; i < loads; i++) found.push(await load(browser, address + page, locale));
      const [paint, moved] = [0, 1].map((part) => median(found.map((one) => one[part])));
      console.log(`${page.padEnd(24)} ${locale}  ${paint.toFixed(0).padStart(6)}  ${moved.toFixed(3)}`);
    }
  }
  await browser.close();
  await close();
});
