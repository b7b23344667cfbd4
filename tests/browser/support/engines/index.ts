// The engines that the tests run in, each where this machine has it.
import { describe } from 'vitest';
import * as browsers from '../../../../scripts/lib/browsers.mjs';
import { chromium } from './chromium.js';
import type { Driver } from './driver.js';
import { firefox } from './firefox.js';
import { webkit } from './webkit.js';

export interface Engine {
  readonly name: 'chromium' | 'firefox' | 'webkit';
  /** Starts it; undefined where the machine has none. */
  readonly start: (() => Promise<Driver>) | undefined;
}

const [atFirefox, atWebKit] = [browsers.firefox(), browsers.webkit()];

export const engines: readonly Engine[] = [
  { name: 'chromium', start: chromium },
  { name: 'firefox', start: atFirefox === undefined ? undefined : () => firefox(atFirefox) },
  { name: 'webkit', start: atWebKit === undefined ? undefined : () => webkit(atWebKit) },
];

/** The same tests in each engine. Where one is missing they count as skipped, and their title says what brings it. */
export function describeEngines(tests: (engine: Required<Engine> & { start: () => Promise<Driver> }) => void): void {
  for (const { name, start } of engines) {
    const there = start !== undefined;
    const title = there ? name : `${name} is not on this machine: npm run setup -- test brings it where it can`;
    describe.skipIf(!there)(title, () => tests({ name, start: start ?? (() => Promise.reject(new Error(title))) }));
  }
}
