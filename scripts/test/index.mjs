// npm test: sets up and builds what is missing, then runs every suite. The last line has the total:
// "N passed, N failed", with ", N skipped" where there are any. npm test -- --only native,wasm,... runs some groups;
// npm run test:all runs also those that take long or install much.
import { parseArgs } from 'node:util';
import { buildAll } from '../build/index.mjs';
import { main, note, step, Stop } from '../lib/log.mjs';
import { setUp } from '../setup/index.mjs';
import { groups, long, suites } from './suites.mjs';

await main(async () => {
  const { values } = parseArgs({ options: { only: { type: 'string' }, all: { type: 'boolean' } } });
  const only = values.only?.split(',') ?? groups.filter((group) => values.all || !long.includes(group));
  const unknown = only.find((group) => !groups.includes(group));
  if (unknown) throw new Stop(`--only ${unknown}: it is one or more of ${groups.join(',')}`);

  const emscripten = await setUp('test');
  const total = { passed: 0, failed: 0, skipped: 0 };
  const add = (counts) => { for (const key of Object.keys(total)) total[key] += counts[key] ?? 0; };

  // The native tests need none of it, so a broken build of the package does not hide what they say.
  const chosen = suites(emscripten).filter(({ group }) => only.includes(group));
  let isBuilt = false;
  for (const suite of chosen) {
    if (!['native', 'fuzz'].includes(suite.group) && !isBuilt) {
      const built = await outcome(() => buildAll(emscripten).then(() => ({ code: 0, passed: 0, failed: 0 })));
      if (built.failed > 0) report('Build', built);
      add(built);
      isBuilt = true;
    }
    step(suite.name, suite.about);
    const result = await outcome(suite.run);
    report(suite.name, result);
    add(result);
  }

  if (total.failed > 0 || total.passed === 0) process.exitCode = 1;
  console.log(`${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ''}`);
});

// A suite that ends badly without a failed test (it did not build, it crashed, it found no test) is one failure.
async function outcome(run) {
  let result;
  try {
    result = await run();
  } catch (error) {
    result = { code: 1, output: error instanceof Stop ? error.message : error.stack };
  }
  const { code, output, passed = 0, failed = 0, skipped = 0 } = result;
  const isCrash = failed === 0 && (code !== 0 || result.passed === undefined);
  return { output, passed, failed: failed + (isCrash ? 1 : 0), skipped };
}

function report(name, { output, passed, failed, skipped }) {
  if (failed > 0) console.log(output);
  note(`${name}: ${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
}
