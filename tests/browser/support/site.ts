// The built site, served and open in Chromium. Every page is watched: what it logs, what fails, what it asks for.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as playwright from 'playwright-core';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { chromium } from '../../../scripts/lib/browsers.mjs';
import { serve } from '../../../scripts/lib/serve.mjs';

export const siteFolder = fileURLToPath(new URL('../../../web/dist/', import.meta.url));
export const packageFolder = fileURLToPath(new URL('../../../dist/', import.meta.url));

/** Milliseconds to wait for a page: a busy machine takes long to load what a quiet one loads at once. */
const patience = 120_000;

const flags = [
  '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync',
];

/** What a page did that it should not have done: errors, anything logged, requests to other origins. */
export interface Watched {
  page: Page;
  complaints: string[];
  /** Addresses of all requests. */
  requests: string[];
}

export interface Site {
  address: string;
  /** A page of its own for the test that runs, closed with it: pages that draw on make the others slow. */
  open(path: string, options?: BrowserContextOptions): Promise<Watched>;
  /** A page that several tests go on with, each taking the complaints of its own. It is closed with the site. */
  keep(path: string, options?: BrowserContextOptions): Promise<Watched>;
  close(): Promise<void>;
}

function watch(page: Page, address: string): Watched {
  const complaints: string[] = [];
  const requests: string[] = [];
  page.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => complaints.push(`uncaught: ${error.message}`));
  page.on('requestfailed', (request) => {
    // What the next page cuts off is no fault.
    if (request.failure()?.errorText !== 'net::ERR_ABORTED') complaints.push(`failed: ${request.url()}`);
  });
  page.on('request', (request) => {
    requests.push(request.url());
    if (!request.url().startsWith(address) && !request.url().startsWith('data:')) complaints.push(`elsewhere: ${request.url()}`);
  });
  return { page, complaints, requests };
}

export function launch(): Promise<Browser> {
  return playwright.chromium.launch({ executablePath: chromium()!, args: flags });
}

/** Serves the built site (or another folder) and starts a browser. */
export async function openSite(folder = siteFolder, headers: Record<string, string> = {}): Promise<Site> {
  if (!existsSync(folder)) throw new Error(`${folder} is not built: npm run build`);
  const { address, close } = await serve(folder, { headers });
  const browser = await launch();
  const start = async (context: BrowserContext, path: string): Promise<Watched> => {
    context.setDefaultTimeout(patience);
    const page = await context.newPage();
    const watched = watch(page, address);
    await page.goto(address + path);
    return watched;
  };
  return {
    address,
    async open(path, options = {}) {
      const context = await browser.newContext(options);
      onTestFinished(() => context.close());
      return start(context, path);
    },
    keep: async (path, options = {}) => start(await browser.newContext(options), path),
    async close() {
      await browser.close();
      await close();
    },
  };
}

/** What a picture shows, as its element tells. */
export interface PictureData {
  values: number[];
  shape: number[];
}

/** Waits until the picture with that key has data, and reads it. */
export async function readPicture(page: Page, key: string): Promise<PictureData> {
  const selector = `[data-key="${key}"] :is(heat-map, line-plot, pair-circles)`;
  await page.waitForFunction((css) => (document.querySelector(css) as { data?: unknown } | null)?.data !== undefined, selector);
  return page.evaluate((css) => {
    const { values, shape } = (document.querySelector(css) as unknown as { data: { values: Float32Array; shape: number[] } }).data;
    return { values: [...values], shape: [...shape] };
  }, selector);
}

/** Waits until the page has redrawn after a change. */
export async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    await Promise.allSettled(document.getAnimations().map(({ finished }) => finished));
  });
}
