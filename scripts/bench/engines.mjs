// The site's benchmark page in each browser of this machine, its report saved for npm run bench:merge:
// npm run bench:engines -- --out FOLDER [--preset standard] [--filter "rope small"] [--rivals javascript,onnxruntime]
// [--only firefox,webkit]. Browsers are those of the tests, with the tests' own drivers.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { firefox, webkit } from '../lib/browsers.mjs';
import { main, step, Stop } from '../lib/log.mjs';
import { site } from '../lib/paths.mjs';
import { serve } from '../lib/serve.mjs';
import { importBundled } from './bundle.mjs';

const drivers = `
  export { chromium } from './chromium.js';
  export { firefox } from './firefox.js';
  export { webkit } from './webkit.js';
`;

/** What starts each browser that is here, by name. */
async function findEngines() {
  const start = await importBundled('drivers', drivers, 'tests/browser/support/engines', { packages: 'external' });
  const [atFirefox, atWebKit] = [firefox(), webkit()];
  return {
    chromium: () => start.chromium(),
    ...(atFirefox ? { firefox: () => start.firefox(atFirefox) } : {}),
    ...(atWebKit ? { webkit: () => start.webkit(atWebKit) } : {}),
  };
}

// Runs in the page. A command may not take as long as a benchmark does, so the page is asked again and again.
function look() {
  const { posencBenchmark: running, ended } = window;
  if (ended) return ended;
  running?.then((report) => { window.ended = { report }; }, ({ message }) => { window.ended = { failed: message }; });
  return { status: document.querySelector('#status')?.textContent ?? '' };
}

async function measure(driver, address) {
  await driver.navigate(address);
  for (;;) {
    const { report, failed, status } = await driver.call(String(look));
    if (failed) throw new Stop(failed);
    if (report) return report;
    process.stderr.write(`\r${status}\u001b[K`);
    await new Promise((next) => setTimeout(next, 2000));
  }
}

await main(async () => {
  const { values: { out, only, ...plan } } = parseArgs({ options: {
    out: { type: 'string' }, only: { type: 'string', default: '' }, preset: { type: 'string', default: 'standard' },
    filter: { type: 'string', default: '' }, rivals: { type: 'string', default: 'scalar,javascript' },
  } });
  if (!out) throw new Stop('--out: which folder do the reports go to?');
  if (!existsSync(site)) throw new Stop('There is no site in web/dist/: npm run build');
  const engines = await findEngines();
  const names = only ? only.split(',') : Object.keys(engines);
  const missing = names.find((name) => !engines[name]);
  if (missing) throw new Stop(`--only: there is no ${missing} here, only ${Object.keys(engines).join(', ')}`);
  mkdirSync(out, { recursive: true });
  // Isolated, so that clocks tell microseconds.
  const { address, close } = await serve(site, { isolated: true });
  try {
    for (const name of names) {
      step(`Measuring in ${name}`);
      const driver = await engines[name]();
      const report = await measure(driver, `${address}benchmark.html?run&${new URLSearchParams(plan)}`).finally(() => driver.close());
      process.stderr.write('\r\u001b[K');
      writeFileSync(path.join(out, `${name}.json`), `${JSON.stringify(report, null, 1)}\n`);
    }
  } finally {
    await close();
  }
});
