import type { Driver } from './driver.js';
import { launch } from '../site.js';

export async function chromium(): Promise<Driver> {
  const browser = await launch();
  const page = await browser.newPage({ viewport: { width: 1280, height: 1024 } });
  page.setDefaultTimeout(200_000);
  return {
    async navigate(address) {
      await page.goto(address);
    },
    call: (source, given) => page.evaluate(`(${source})(${JSON.stringify(given ?? null)})`),
    click: (css) => page.click(css),
    async type(css, text) {
      await page.fill(css, '');
      await page.locator(css).pressSequentially(text);
    },
    close: () => browser.close(),
  };
}
