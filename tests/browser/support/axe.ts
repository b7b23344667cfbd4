// What axe finds broken on a page.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Rules that look at colours: all that another colour scheme can break. */
export const colourRules: readonly string[] = ['color-contrast', 'link-in-text-block'];

/**
 * Rules that axe finds broken, of all or of some. The script comes over the debugger, past the page's security policy,
 * once for a page.
 */
export async function findings(page: Page, rules?: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe);
  // Of what is in order nothing is told, which halves the work; every rule is tried all the same.
  const options = { resultTypes: ['violations'], ...(rules === undefined ? {} : { runOnly: rules }) };
  const { violations } = await page.evaluate((given) => (globalThis as unknown as { axe: { run(options: object): Promise<AxeResults> } }).axe.run(given), options);
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}
