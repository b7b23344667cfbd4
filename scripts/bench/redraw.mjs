// How long a page of the built site works on one redraw: npm run bench:redraw [-- ID ...], an encoding's page or `lengths`.
// Time of the main thread's processor, not of the wall, as the mean over redraws: script, style and layout of everything that a
// slider moves.
import * as playwright from 'playwright-core';
import { chromium } from '../lib/browsers.mjs';
import { catalog } from '../../dist/catalog.js';
import { main } from '../lib/log.mjs';
import { site } from '../lib/paths.mjs';
import { serve } from '../lib/serve.mjs';

const redraws = 60;

/** Moves a slider back and forth, a step each frame. */
function moveSlider({ selector, count }) {
  const slider = document.querySelector(selector);
  if (!slider) return undefined;
  const start = slider.valueAsNumber;
  const step = Number(slider.step) || 1;
  const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  return (async () => {
    for (let i = 0; i < count; i++) {
      slider.value = String(start + (i % 2 ? 0 : step));
      slider.dispatchEvent(new Event('input', { bubbles: true }));
      await frame();
    }
    return true;
  })();
}

async function processorTime(session) {
  const { metrics } = await session.send('Performance.getMetrics');
  return (name) => metrics.find((metric) => metric.name === name)?.value ?? 0;
}

await main(async () => {
  const chosen = process.argv.slice(2);
  const ids = chosen.length > 0 ? chosen : [...catalog.encodings.map(({ id }) => id), 'lengths'];
  const { address, close } = await serve(site);
  const browser = await playwright.chromium.launch({ executablePath: chromium(), args: ['--no-sandbox', '--disable-gpu'] });
  console.log('milliseconds a redraw, by the slider that moves: all (script, style, layout)');
  for (const id of ids) {
    const page = await browser.newPage();
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    await page.goto(address + (id === 'lengths' ? 'lengths.html' : `encoding.html#id=${id}`));
    await page.waitForSelector('#lead [data-key], #lead p');
    const parts = [];
    for (const box of ['#options', '#settings']) {
      const names = await page.$$eval(`${box} .field:not([hidden]):has(input[type="range"])`, (rows) => rows.map((row) => row.dataset.field));
      for (const name of names) {
        const selector = `${box} [data-field="${name}"] input[type="range"]`;
        await page.evaluate(moveSlider, { selector, count: 10 });
        const before = await processorTime(session);
        await page.evaluate(moveSlider, { selector, count: redraws });
        const after = await processorTime(session);
        const spent = (metric) => ((1000 * (after(metric) - before(metric))) / redraws).toFixed(1);
        parts.push(`${name} ${spent('TaskDuration')} (${['Script', 'RecalcStyle', 'Layout'].map((part) => spent(`${part}Duration`)).join(', ')})`);
      }
    }
    console.log(`${id.padEnd(14)} ${parts.join('  ')}`);
    await page.close();
  }
  await browser.close();
  await close();
});
