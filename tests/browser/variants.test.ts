// The package in a browser, under the security policy: each build by detection and by option, from a module and a worker.
import { mkdtempSync, cpSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { largestDifference, sinusoidal } from './support/formulas.js';
import { openSite, packageFolder, type Site } from './support/site.js';

const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; worker-src 'self'";
const variants = ['relaxed', 'simd', 'scalar'] as const;

let site: Site;
beforeAll(async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'posenc-page-'));
  cpSync(packageFolder, path.join(folder, 'posenc'), { recursive: true });
  writeFileSync(path.join(folder, 'index.html'), '<!doctype html><title>package</title><link rel="icon" href="data:,"><script type="module" src="page.js"></script>');
  writeFileSync(path.join(folder, 'page.js'), "import { load } from './posenc/index.js';\nglobalThis.load = load;");
  writeFileSync(
    path.join(folder, 'worker.js'),
    "import { load } from './posenc/index.js';\nconst posenc = await load();\npostMessage([...posenc.sinusoidal({ dim: 16 }).encode(100).data]);",
  );
  site = await openSite(folder, { 'Content-Security-Policy': policy.replace("default-src 'none'", "default-src 'none'; img-src data:") });
});
afterAll(() => site.close());

type Load = (options?: { simd?: string }) => Promise<{
  variant: string;
  sinusoidal(options: { dim: number }): { encode(count: number): { data: Float32Array } };
}>;

async function use(options: { simd?: string }, refuse: readonly string[] = []) {
  const { page, complaints, requests } = await site.open('');
  await page.waitForFunction(() => 'load' in globalThis);
  const result = await page.evaluate(
    async ({ options: chosen, refuse: refused }) => {
      // An engine that lacks a feature refuses modules that use it: both kinds of SIMD carry their opcode prefix 0xfd.
      const { validate } = WebAssembly;
      if (refused.length > 0) {
        WebAssembly.validate = (bytes) => {
          const code = [...new Uint8Array(bytes as ArrayBuffer)];
          const relaxed = code.some((byte, i) => byte === 0xfd && code[i + 2] === 0x02 && code[i + 1]! >= 0x80);
          const simd = code.includes(0xfd) || code.includes(0x7b);
          if (refused.includes('relaxed') && relaxed) return false;
          if (refused.includes('simd') && simd) return false;
          return validate(bytes);
        };
      }
      const posenc = await (globalThis as unknown as { load: Load }).load(chosen);
      return { variant: posenc.variant, rows: [...posenc.sinusoidal({ dim: 16 }).encode(100).data] };
    },
    { options, refuse },
  );
  expect(largestDifference(result.rows, sinusoidal(100, 16))).toBeLessThan(2e-7);
  expect(complaints).toEqual([]);
  return { variant: result.variant, wasm: requests.filter((address) => address.endsWith('.wasm')).map((address) => path.basename(address)) };
}

test.each(variants)('%s by option loads that file alone', async (simd) => {
  expect(await use({ simd })).toEqual({ variant: simd, wasm: [`posenc-${simd}.wasm`] });
});

test('detection takes the fastest that the engine accepts', async () => {
  expect(await use({})).toEqual({ variant: 'relaxed', wasm: ['posenc-relaxed.wasm'] });
  expect(await use({ simd: 'auto' }, ['relaxed'])).toEqual({ variant: 'simd', wasm: ['posenc-simd.wasm'] });
  expect(await use({ simd: 'auto' }, ['relaxed', 'simd'])).toEqual({ variant: 'scalar', wasm: ['posenc-scalar.wasm'] });
});

test('a module worker', async () => {
  const { page, complaints } = await site.open('');
  const rows = await page.evaluate(
    () =>
      new Promise<number[]>((resolve, reject) => {
        const worker = new Worker('worker.js', { type: 'module' });
        worker.onmessage = ({ data }) => resolve(data as number[]);
        worker.onerror = (event) => reject(new Error(event.message));
      }),
  );
  expect(largestDifference(rows, sinusoidal(100, 16))).toBeLessThan(2e-7);
  expect(complaints).toEqual([]);
});
