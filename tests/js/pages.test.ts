// Every encoding has its page in docs/encodings, and the page says all that a reader looks for: what is promised of pages
// is checked against the catalogue, so that an option, a tensor or an operation without a word is found.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type CatalogEncoding, catalog } from 'posenc/catalog';
import { describe, expect, test } from 'vitest';

const folder = fileURLToPath(new URL('../../docs/encodings/', import.meta.url));
const pageOf = (id: string): string => readFileSync(`${folder}${id}.md`, 'utf8');

/** Headings, in this order, with others between them. */
const headings = [/^# \S/, /^## Parameters$/, /^## Beyond the /, /^## Who uses it, and when to choose it$/, /^## Conventions that differ$/, /^## Example$/, /^## Sources?$/];

/** Sections of a page by their headings. */
function sections(page: string): Map<string, string> {
  const parts = page.split(/^(?=#{1,2} )/m);
  return new Map(parts.map((part) => [part.slice(0, part.indexOf('\n')), part.slice(part.indexOf('\n') + 1)]));
}
const section = (page: string, heading: RegExp): string => [...sections(page)].find(([title]) => heading.test(title))?.[1] ?? '';
const words = (text: string): number => text.replaceAll(/\$[^$]*\$|[|`*]/g, ' ').split(/\s+/).filter((word) => /\w/.test(word)).length;

test('there is a page for every encoding, and no other', () => {
  expect(readdirSync(folder).sort()).toEqual(catalog.encodings.map(({ id }) => `${id}.md`).sort());
});

describe.each(catalog.encodings.map((info): [string, CatalogEncoding] => [info.id, info]).filter(([id]) => existsSync(`${folder}${id}.md`)))('%s', (id, info) => {
  const page = pageOf(id);

  test('has its sections, in their order, none of them empty', () => {
    const titles = [...sections(page).keys()];
    let from = 0;
    for (const heading of headings) {
      const at = titles.findIndex((title, index) => index >= from && heading.test(title));
      expect(at, `${String(heading)} in ${titles.join(', ')}`).toBeGreaterThanOrEqual(from);
      from = at + 1;
    }
    for (const [title, text] of sections(page)) expect(words(text), title).toBeGreaterThan(5);
  });

  test('begins with a formula and words for someone who has never seen it', () => {
    const [, text = ''] = [...sections(page)][0] ?? [];
    if (info.formula !== '') expect(text).toMatch(/^\s*\$\$/);
    expect(words(text)).toBeGreaterThan(40);
  });

  test('tells of every option, tensor and operation', () => {
    const said = (name: string): boolean => new RegExp(`\`[^\`]*\\b${name}\\b[^\`]*\``).test(page);
    for (const { name } of info.fields) {
      // Options of a group may stand in a table of their own, without the group's name.
      const there = said(name.replace('.', '\\.')) || said(name.split('.').at(-1) ?? '');
      // Or the page of another encoding has them, and this one leads there.
      const elsewhere = [...page.matchAll(/\]\((\w+)\.md\)/g)].some(([, other]) => pageOf(other ?? '').includes(name.split('.').at(-1) ?? name));
      expect(there || (name.includes('.') && elsewhere), `option ${name}`).toBe(true);
    }
    for (const { name } of info.tensors) {
      // table0, table1 and so on: one word for all.
      expect(said(name) || /[2-9]$/.test(name), `tensor ${name}`).toBe(true);
    }
    for (const { name } of info.operations) expect(said(name), `operation ${name}`).toBe(true);
  });

  test('counts its parameters and says what their gradients are', () => {
    const parameters = section(page, /^## Parameters/) + section(page, /^# /);
    if (info.tensors.length === 0) expect(parameters).toMatch(/[Nn]othing is trained|no parameters|no trained|[Nn]othing to train/);
    else {
      expect(parameters).toMatch(/\d|\$/);
      expect(parameters).toMatch(/parameters|numbers/i);
      expect(page).toMatch(/gradient/);
    }
  });

  test('names its paper, and models that use it', () => {
    expect(section(page, /^## Sources?$/)).toContain(info.url);
    expect(words(section(page, /^## Who uses it/))).toBeGreaterThan(12);
  });

  test('has a snippet that makes it', () => {
    const example = section(page, /^## Example$/);
    expect(example).toMatch(/^```js$/m);
    expect(example).toMatch(new RegExp(`posenc\\.${id}\\(`));
    expect(example).toContain("from 'posenc'");
  });
});
