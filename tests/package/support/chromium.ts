// A page served under the strict policy and open in Chromium.
import { expect } from 'vitest';
import { launch } from '../../browser/support/site.js';
import { serve } from '../../../scripts/lib/serve.mjs';

export const policy = "default-src 'self'; img-src data:; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'";

/** What `globalThis.result` of a page comes to. */
export async function resultOf(address: string): Promise<unknown> {
  const browser = await launch();
  try {
    const page = await browser.newPage();
    const complaints: string[] = [];
    page.on('pageerror', ({ message }) => complaints.push(message));
    page.on('console', (message) => {
      if (['warning', 'error'].includes(message.type())) complaints.push(message.text());
    });
    await page.goto(address);
    await page.waitForFunction(() => 'result' in globalThis).catch((error: unknown) => complaints.push(String(error)));
    const result = await page.evaluate(() => (globalThis as unknown as { result: unknown }).result).catch((error: unknown) => complaints.push(String(error)));
    expect(complaints).toEqual([]);
    return result;
  } finally {
    await browser.close();
  }
}

/** The same for a folder, served as a static host does: no isolation, the strict policy. */
export async function resultOfFolder(folder: string, path = ''): Promise<unknown> {
  const { address, close } = await serve(folder, { headers: { 'Content-Security-Policy': policy } });
  try {
    return await resultOf(address + path);
  } finally {
    await close();
  }
}
