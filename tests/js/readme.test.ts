// The snippets of README.md do what they say: each is taken out and run.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, describe, expect, test, vi } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const readme = await readFile(path.join(root, 'README.md'), 'utf8');
// Inside the package, so that its own name resolves.
const folder = await mkdtemp(path.join(root, 'dist', '.readme-'));
afterAll(() => rm(folder, { recursive: true }));

function blocks(language: string): string[] {
  return [...readme.matchAll(/^```(\w+)\n(.*?)^```$/gms)]
    .filter(([, name]) => name === language)
    .map(([, , text]) => text ?? '');
}

/** Runs a module and gives what it logged. */
async function run(name: string, source: string): Promise<unknown[][]> {
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  try {
    const file = path.join(folder, name);
    await writeFile(file, source);
    await import(/* @vite-ignore */ pathToFileURL(file).href);
    return [...log.mock.calls];
  } finally {
    log.mockRestore();
  }
}

describe('README', () => {
  const [first, training, config] = blocks('js');

  test('the first lines give what their comment says', async () => {
    expect(await run('first.mjs', first ?? '')).toEqual([[[8, 16, 64]]]);
  });

  test('training and decoding', async () => {
    expect(await run('training.mjs', training ?? '')).toEqual([[[2, 5, 4], ['alibi.slopes']], [3]]);
  });

  test('a config.json becomes encodings', async () => {
    expect(await run('config.mjs', config ?? '')).toEqual([['half', 8, []]]);
  });

  test('there are no others', () => {
    expect(blocks('js')).toHaveLength(3);
    expect(blocks('html')).toHaveLength(1);
  });

  test('the page shows its rows', async () => {
    const [html = ''] = blocks('html');
    const script = /<script type="module">(.*)<\/script>/s.exec(html)?.[1] ?? '';
    expect(script).toContain("from './node_modules/posenc/dist/index.js'");
    // The same lines with the entry for Node.js, and a page that only has a body.
    const page = { body: { textContent: '' } };
    vi.stubGlobal('document', page);
    await run('page.mjs', script.replace("'./node_modules/posenc/dist/index.js'", "'posenc'"));
    vi.unstubAllGlobals();
    expect(page.body.textContent).toMatch(/^4096 × 512, built for (relaxed|simd|scalar)$/);
  });

  test('the table lists every encoding', async () => {
    const { catalog } = await import('posenc/catalog');
    for (const { id } of catalog.encodings) expect(readme).toContain(`[\`${id}\`](docs/encodings/${id}.md)`);
  });
});
