// The npm packages of the lock file, installed again only when it changes.
import { existsSync, readFileSync } from 'node:fs';
import { run } from '../lib/run.mjs';
import { step } from '../lib/log.mjs';
import { at } from '../lib/paths.mjs';
import { fingerprint, writeWhole } from '../lib/stamp.mjs';

// Kept in node_modules itself, which `npm ci` empties first: an interrupted install leaves no stamp.
const stamp = at('node_modules/.posenc-installed');

export async function installPackages() {
  const key = fingerprint({ files: ['package-lock.json'], texts: [process.platform, process.arch, process.versions.modules] });
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === key) return;
  step('Installing npm packages', '30 s');
  await run('npm', ['ci', '--no-audit', '--no-fund']);
  writeWhole(stamp, key);
}
