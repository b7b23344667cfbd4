// What docs/accuracy.md promises holds on this build, and the page lists all that is measured.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Posenc } from 'posenc';
import { beforeAll, expect, test } from 'vitest';
import { cases } from '../../scripts/accuracy/cases.mjs';
import { loadPosenc } from './support/posenc.js';

let posenc: Posenc;
beforeAll(async () => {
  posenc = await loadPosenc();
});
const page = readFileSync(fileURLToPath(new URL('../../docs/accuracy.md', import.meta.url)), 'utf8');

test.each(cases.map((one) => [one.name, one] as const))('%s', (_, { bound, slack = 0, measure }) => {
  expect(measure(posenc)).toBeLessThanOrEqual(bound + slack);
});

test('the page has a row for each, in order, and what it says was measured is within the bound', () => {
  const rows = [...page.matchAll(/^\| (.+) \| `(.+)` \| (\S+) \| (\S+) \| (\S+) \| (\S+) \|$/gm)];
  expect(rows.map(([, name, header, bound]) => [name, header, Number(bound)])).toEqual(cases.map(({ name, header, bound }) => [name, header, bound]));
  for (const [, name, , bound, ...measured] of rows) {
    for (const value of measured) expect(Number(value), name).toBeLessThanOrEqual(Number(bound) * 1.01);
  }
});
