// The JavaScript tests and the conformance cases inside a page of each engine, under the security policy, on the build
// that detection takes there; and the cases once more where the engine refuses SIMD.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Driver } from './support/engines/driver.js';
import { describeEngines } from './support/engines/index.js';
import { bestBuild, type Folder, refuseSimd, serveWatched, type Tab } from './support/engines/tab.js';
import { caseFiles, makeFolder, testFiles } from './support/in-page/folder.js';
import type { inPage } from './support/in-page/run.js';

const policy = "default-src 'none'; img-src data:; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; worker-src 'self'";

type Page = { inPage: typeof inPage };


let folders: { plain: Folder; refused: Folder };
beforeAll(async () => {
  const folder = await makeFolder();
  const headers = { 'Content-Security-Policy': policy };
  folders = { plain: await serveWatched(folder, { headers }), refused: await serveWatched(folder, { headers, first: refuseSimd }) };
});
afterAll(async () => void (await Promise.all(Object.values(folders).map(({ close }) => close()))));

async function ready(folder: Folder, driver: Driver): Promise<Tab> {
  const tab = folder.tab(driver);
  await tab.open('index.html');
  await tab.until(() => 'inPage' in globalThis);
  return tab;
}

describeEngines(({ start }) => {
  let driver: Driver;
  beforeAll(async () => void (driver = await start()), 240_000);
  afterAll(() => driver?.close());

  const cases = async (tab: Tab): Promise<void> => {
    const { passed, failures } = await tab.evaluate((files) => (globalThis as unknown as Page).inPage.runCases(files), caseFiles);
    expect(failures).toEqual([]);
    expect(passed).toBeGreaterThanOrEqual(caseFiles.length);
    expect(await tab.complaints()).toEqual([]);
  };

  test('the variant that detection takes passes the conformance cases', async () => {
    const tab = await ready(folders.plain, driver);
    expect(await tab.evaluate(() => (globalThis as unknown as Page).inPage.detected())).toBe(await tab.evaluate(bestBuild));
    await cases(tab);
  });

  test('refused SIMD, the scalar build passes them', async () => {
    const tab = await ready(folders.refused, driver);
    expect(await tab.evaluate(() => (globalThis as unknown as Page).inPage.detected())).toBe('scalar');
    await cases(tab);
  });

  describe('tests/js', () => {
    test.each(testFiles)('%s', async (file) => {
      const tab = await ready(folders.plain, driver);
      const { passed, failures } = await tab.evaluate((address) => (globalThis as unknown as Page).inPage.runTests(address), `/tests/${file}.js`);
      expect(failures).toEqual([]);
      expect(passed).toBeGreaterThan(0);
      expect(await tab.complaints()).toEqual([]);
    });
  });
});
