// One variant's cases in a page of Chromium: npm run bench -- --page. POSENC_CHROMIUM says where it is if not on PATH.
import * as playwright from 'playwright-core';
import { chromium } from '../lib/browsers.mjs';
import { root } from '../lib/paths.mjs';
import { serve } from '../lib/serve.mjs';

const rival = 'node_modules/onnxruntime-web/dist/ort.wasm.min.mjs';

// Runs in the page.
async function inPage({ rival, ...options }) {
  const { load } = await import('/dist/index.js');
  const { measureCases } = await import('/scripts/bench/measure.mjs');
  const { rivalsWith } = await import('/scripts/bench/ort.mjs');
  const rivals = rivalsWith(await import(`/${rival}`));
  await measureCases({ ...options, load, rivals }, (result) => window.report(result));
}

/** Calls report(result) for each case; gives the browser's name. */
export async function measureInPage(options, report) {
  return inBrowser(async (browser, address) => {
    const page = await browser.newPage();
    await page.exposeFunction('report', report);
    await page.goto(address);
    await page.evaluate(inPage, { ...options, rival });
    return `Chromium ${browser.version()}`;
  });
}

// Runs in the page: from import to the first result, or an import of nothing.
async function loadOnce(variant) {
  const start = performance.now();
  if (variant === undefined) {
    await import('/scripts/bench/nothing.mjs');
    return performance.now() - start;
  }
  const { load } = await import('/dist/index.js');
  const { data } = (await load({ simd: variant })).sinusoidal({ dim: 64 }).encode(16);
  const time = performance.now() - start;
  if (Math.abs(data[64] - Math.sin(1)) > 1e-6) throw new Error('a wrong first result');
  return time;
}

/** Times of loading a variant and of importing a file with nothing in it, by turns, each in a page that has no cache. */
export async function loadTimes(variant, count) {
  return inBrowser(async (browser, address) => {
    const times = { posenc: [], nothing: [] };
    for (let i = 0; i < 2 * count; i++) {
      const context = await browser.newContext();
      const page = await context.newPage();
      await page.goto(address);
      const isLoad = i % 2 === 1;
      times[isLoad ? 'posenc' : 'nothing'].push(await page.evaluate(loadOnce, isLoad ? variant : undefined));
      await context.close();
    }
    return times;
  });
}

async function inBrowser(work) {
  // Isolated, so that its clock tells microseconds. The server has no page of its own at this address, which is as well.
  const { address, close } = await serve(root, { isolated: true });
  const browser = await playwright.chromium.launch({ executablePath: chromium(), args: ['--no-sandbox', '--disable-gpu'] });
  try {
    return await work(browser, `${address}nothing`);
  } finally {
    await browser.close();
    await close();
  }
}
