// A folder served to a tab of any engine, watched by a script that stands first in each of its pages.
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { serve } from '../../../../scripts/lib/serve.mjs';
import type { Driver } from './driver.js';

const watcher = readFileSync(fileURLToPath(new URL('watch.js', import.meta.url)), 'utf8');

/** For `first`: an engine without SIMD refuses modules that use it, by the opcode prefix 0xfd or the type 0x7b. */
export const refuseSimd = `{
  const { validate } = WebAssembly;
  WebAssembly.validate = (bytes) => !new Uint8Array(bytes).some((byte) => byte === 0xfd || byte === 0x7b) && validate(bytes);
}`;

/** Of two modules that need a feature each, which the engine takes: the best build that it can run. */
export function bestBuild(): string {
  const module = (operation: number[]): Uint8Array<ArrayBuffer> => {
    const constant = [0xfd, 0x0c, ...Array<number>(16).fill(0)];
    const body = [0, ...constant, ...constant, ...operation, 0x1a, 0x0b];
    return Uint8Array.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 4, 1, 0x60, 0, 0, 3, 2, 1, 0, 0x0a, body.length + 2, 1, body.length, ...body]);
  };
  if (WebAssembly.validate(module([0xfd, 0x80, 0x02]))) return 'relaxed'; // i8x16.relaxed_swizzle
  return WebAssembly.validate(module([0xfd, 0x0e])) ? 'simd' : 'scalar'; // i8x16.swizzle
}

export interface Tab {
  readonly address: string;
  /** Opens a page anew, with nothing remembered of earlier ones. */
  open(path: string): Promise<void>;
  /** Loads the page that is open anew. */
  reload(): Promise<void>;
  evaluate<Result, Given = undefined>(run: (given: Given) => Result | Promise<Result>, given?: Given): Promise<Result>;
  /** Waits until what the function gives is true. */
  until<Given = undefined>(holds: (given: Given) => unknown, given?: Given): Promise<void>;
  click(css: string): Promise<void>;
  type(css: string, text: string): Promise<void>;
  /** Takes a choice of a list. */
  choose(css: string, value: string): Promise<void>;
  text(css: string): Promise<string>;
  /** Errors, anything logged, and requests off the origin, since the page was opened. */
  complaints(): Promise<string[]>;
}

export interface TabOptions {
  readonly headers?: Record<string, string>;
  /** Cross-origin isolated. */
  readonly isolated?: boolean;
  /** More for the script that stands first in each page. */
  readonly first?: string;
}

export interface Folder {
  readonly address: string;
  tab(driver: Driver): Tab;
  close(): Promise<void>;
}

/** Serves a copy of a folder whose pages have the watcher in them. */
export async function serveWatched(folder: string, { headers = {}, isolated = false, first = '' }: TabOptions = {}): Promise<Folder> {
  const copy = mkdtempSync(path.join(tmpdir(), 'posenc-pages-'));
  cpSync(folder, copy, { recursive: true });
  writeFileSync(path.join(copy, 'watch.js'), `${watcher}\n${first}`);
  for (const name of readdirSync(copy).filter((file) => file.endsWith('.html'))) {
    const file = path.join(copy, name);
    const html = readFileSync(file, 'utf8');
    // Behind the character set, which has to stand at the very start.
    writeFileSync(file, html.replace(/<meta charset=[^>]*>|<title>/i, (found) => (found.startsWith('<meta') ? `${found}${tag}` : `${tag}${found}`)));
  }
  const { address, close } = await serve(copy, { headers, isolated });
  return {
    address,
    tab: (driver) => tabOf(driver, address),
    async close() {
      await close();
      rmSync(copy, { recursive: true, force: true });
    },
  };
}

const tag = '<script src="watch.js"></script>';

function tabOf(driver: Driver, address: string): Tab {
  const evaluate: Tab['evaluate'] = (run, given) => driver.call(String(run), given) as never;
  const tab: Tab = {
    address,
    evaluate,
    async open(page) {
      await driver.navigate(`${address}watch.js`); // of the same origin, and another document
      await evaluate(() => [sessionStorage, localStorage].forEach((storage) => storage.clear()));
      await driver.navigate(address + page);
    },
    async reload() {
      await evaluate(() => setTimeout(() => location.reload()));
      await tab.until(() => document.readyState === 'complete' && performance.getEntriesByType('navigation')[0]?.toJSON().type === 'reload');
    },
    async until(holds, given) {
      const end = Date.now() + 120_000;
      for (;;) {
        try {
          if (await driver.call(`async (given) => Boolean(await (${String(holds)})(given))`, given)) return;
        } catch (error) {
          // The page went away under the question.
          if (!/unload|no such frame|context was destroyed|navigat|abort/i.test(String(error))) throw error;
        }
        if (Date.now() > end) throw new Error(`${await evaluate(() => location.href)} waited in vain for ${String(holds)} of ${JSON.stringify(given)}`);
        await new Promise((next) => setTimeout(next, 20));
      }
    },
    click: (css) => driver.click(css),
    type: (css, text) => driver.type(css, text),
    choose: (css, value) =>
      evaluate(
        ([at, chosen]) => {
          const list = document.querySelector<HTMLSelectElement>(at)!;
          list.value = chosen;
          for (const name of ['input', 'change']) list.dispatchEvent(new Event(name, { bubbles: true }));
        },
        [css, value] as const,
      ),
    text: (css) => evaluate((at) => document.querySelector(at)?.textContent ?? '', css),
    complaints: () => evaluate(() => (globalThis as unknown as { watched: () => string[] }).watched()),
  };
  return tab;
}
