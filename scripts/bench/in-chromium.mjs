// One variant's cases in a page of Chromium: npm run bench -- --page. POSENC_CHROMIUM says where it is if not in /usr/bin.
import { chromium } from 'playwright-core';
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
  // Isolated, so that its clock tells microseconds. The server has no page of its own at this address, which is as well.
  const { address, close } = await serve(root, { isolated: true });
  const executablePath = process.env.POSENC_CHROMIUM ?? '/usr/bin/chromium';
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const page = await browser.newPage();
    await page.exposeFunction('report', report);
    await page.goto(`${address}nothing`);
    await page.evaluate(inPage, { ...options, rival });
    return `Chromium ${browser.version()}`;
  } finally {
    await browser.close();
    await close();
  }
}
