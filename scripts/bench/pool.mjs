// How much a pool of workers gains: npm run bench:pool [-- --workers 2] [--variant simd] [--budget 10000] [--chromium].
// In Node.js, or in a page of Chromium that is isolated, as onnxruntime-web's threads need it and the pool does not.
import { spawnSync } from 'node:child_process';
import { cpus } from 'node:os';
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { pathToFileURL } from 'node:url';
import { chromium } from '../lib/browsers.mjs';
import { main } from '../lib/log.mjs';
import { nodeFlags } from '../lib/node-flags.mjs';
import { at } from '../lib/paths.mjs';
import { serve } from '../lib/serve.mjs';
import { measure } from './pool-run.mjs';

const { values } = parseArgs({ options: {
  workers: { type: 'string', default: '2' }, variant: { type: 'string', default: 'auto' }, budget: { type: 'string', default: '10000' },
  chromium: { type: 'boolean', default: false },
} });
const options = { variant: values.variant, workers: Number(values.workers), budget: Number(values.budget) };
const folders = ['node_modules', 'scripts/bench/rivals/node_modules'].map((folder) => `${folder}/onnxruntime-web/dist/`);
const rivals = folders.find((folder) => existsSync(at(folder)));

async function inNode() {
  const { load } = await import(pathToFileURL(at('dist/node.js')).href);
  const ort = rivals && (await import(pathToFileURL(at(`${rivals}ort.node.min.mjs`)).href));
  if (ort) Object.assign(ort.env.wasm, { numThreads: options.workers });
  return measure({ load, ort, ...options });
}

async function inChromium() {
  const { chromium: playwright } = await import('playwright-core');
  const { address, close } = await serve(at('.'), { isolated: true });
  const browser = await playwright.launch({ executablePath: chromium(), args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const page = await browser.newPage();
    await page.goto(`${address}LICENSE`);
    return await page.evaluate(async ({ root, from, given }) => {
      const { measure: run } = await import(`${root}scripts/bench/pool-run.mjs`);
      const { load } = await import(`${root}dist/index.js`);
      const ort = from && (await import(`${root}${from}ort.wasm.min.mjs`));
      if (ort) Object.assign(ort.env.wasm, { numThreads: given.workers, wasmPaths: `${root}${from}` });
      return run({ load, ort, ...given });
    }, { root: address, from: rivals, given: options });
  } finally {
    await browser.close();
    await close();
  }
}

const flags = nodeFlags(values.variant).filter((flag) => !process.execArgv.includes(flag));
if (flags.length > 0 && !values.chromium) {
  process.exitCode = spawnSync(process.execPath, [...flags, ...process.argv.slice(1)], { stdio: 'inherit' }).status ?? 2;
} else {
  await main(async () => {
    const { variant, isEqual, times } = await (values.chromium ? inChromium() : inNode());
    const [one, pool, ...others] = Object.values(times);
    console.log(`${values.chromium ? 'Chromium' : `Node ${process.version}`}, ${cpus()[0]?.model ?? 'unknown processor'}, ${cpus().length} processors, ${variant}`);
    for (const [name, { least, median }] of Object.entries(times)) console.log(`  ${name.padEnd(32)} ${least.toFixed(2).padStart(8)} ms   median ${median.toFixed(2)}`);
    console.log(`  the pool is ${(one.least / pool.least).toFixed(2)} × one instance (by medians ${(one.median / pool.median).toFixed(2)}), its bits ${isEqual ? 'the same' : 'NOT the same'}`);
    for (const other of others) console.log(`  the pool is ${(other.least / pool.least).toFixed(2)} × onnxruntime-web (by medians ${(other.median / pool.median).toFixed(2)})`);
    if (!isEqual) process.exitCode = 1;
    process.exit();
  });
}
