// The snippets of the docs run. In the guides (docs/*.md) what they log is what the comment beside it says; those of
// encodings may say it in words.
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, expect, test, vi } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
// Beside the package, so that its name resolves.
const folder = await mkdtemp(path.join(root, 'dist', '.docs-'));
afterAll(() => rm(folder, { recursive: true }));

const files = (await readdir(path.join(root, 'docs'), { recursive: true })).filter((name) => name.endsWith('.md')).sort();
const snippets: [string, string][] = [];
const unrun: string[] = [];
for (const file of files) {
  const text = await readFile(path.join(root, 'docs', file), 'utf8');
  const blocks = [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language, code]) => ({ language, code: code ?? '' }));
  const isRun = ({ language, code }: { language: string | undefined; code: string }): boolean => language === 'js' && code.includes('import ');
  blocks.filter(isRun).forEach(({ code }, index) => snippets.push([`${file} ${index + 1}`, code]));
  unrun.push(...blocks.filter((block) => !isRun(block)).map(({ code }) => `${file}: ${code.split('\n')[0] ?? ''}`));
}

test('no snippet stands in the docs that is not run', () => {
  expect(unrun).toEqual([]);
});

/** Numbers and words of what was logged, in order. */
function words(value: unknown): (string | number)[] {
  if (typeof value === 'object' && value !== null && 'length' in value) return Array.from(value as ArrayLike<unknown>).flatMap(words);
  if (typeof value === 'number') return [value];
  return typeof value === 'string' ? value.split(/, */) : [String(value)];
}

/** Those of a comment. */
function wordsOf(comment: string): (string | number)[] {
  return comment
    .replaceAll(/[[\]]/g, '')
    .split(/, */)
    .filter((word) => word !== '')
    .map((word) => (Number.isNaN(Number(word)) ? word.trim() : Number(word)));
}

test.each(snippets)('%s', async (name, code) => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  try {
    const file = path.join(folder, `${name.replaceAll(/\W/g, '-')}.mjs`);
    await writeFile(file, code);
    await import(/* @vite-ignore */ pathToFileURL(file).href);
    const comments = [...code.matchAll(/^ *console\.log\(.*\); *(?:\/\/ (.*))?$/gm)].map(([, comment]) => comment);
    comments.forEach((comment, index) => {
      if (comment === undefined || name.startsWith('encodings')) return;
      const [got, want] = [(log.mock.calls[index] ?? []).flatMap(words), wordsOf(comment)];
      expect(got).toHaveLength(want.length);
      want.forEach((word, at) => {
        if (typeof word === 'number') expect(got[at]).toBeCloseTo(word, 3);
        else expect(got[at]).toBe(word);
      });
    });
  } finally {
    log.mockRestore();
  }
});
