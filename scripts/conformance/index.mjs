// npm run conformance -- PATH... [--variant simd|relaxed|scalar] [--only id,id]
// Runs the case files below the paths through the built package and prints what differs.
import { spawnSync } from 'node:child_process';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { nodeFlags } from '../lib/node-flags.mjs';
import { findCases } from './files.mjs';
import { runCase, selected, summary } from './run.mjs';

const usage = 'npm run conformance -- PATH... [--variant auto|simd|relaxed|scalar] [--only id,id]';

async function loadPackage(variant) {
  try {
    const { load } = await import('posenc');
    const { fromConfig, describeConfig } = await import('posenc/config');
    return { posenc: await load({ simd: variant }), fromConfig, describeConfig };
  } catch (error) {
    throw new Error(`the package cannot be loaded (npm run build makes it): ${error.message}`, { cause: error });
  }
}

async function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { variant: { type: 'string', default: 'auto' }, only: { type: 'string' } },
  });
  if (positionals.length === 0) throw new Error(usage);
  const flags = nodeFlags(values.variant).filter((flag) => !process.execArgv.includes(flag));
  if (flags.length > 0) return spawnSync(process.execPath, [...flags, ...process.argv.slice(1)], { stdio: 'inherit' }).status ?? 2;
  const api = await loadPackage(values.variant);
  const only = values.only === undefined ? undefined : new Set(values.only.split(',').map((id) => id.trim()));
  const cases = (await findCases(positionals)).filter((one) => selected(one, only));
  const outcomes = cases.map((one) => runCase(one, api));
  for (const { name, failures } of outcomes) {
    for (const failure of failures) console.log(`${name}: ${failure}`);
  }
  console.log(`variant ${api.posenc.variant}`);
  console.log(summary(outcomes));
  return outcomes.some(({ outcome }) => outcome === 'failed') ? 1 : 0;
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error.message);
  process.exitCode = 2;
}
