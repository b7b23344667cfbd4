// The site: static pages in web/dist, made by Vite from web/ and the built package.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { run } from '../lib/run.mjs';
import { step } from '../lib/log.mjs';
import { at, site } from '../lib/paths.mjs';
import { filesUnder, fingerprint, once } from '../lib/stamp.mjs';

export async function buildSite() {
  if (!existsSync(at('web/vite.config.ts'))) return;
  const files = filesUnder('web', 'docs', 'scripts/bench', 'README.md', 'tests/golden/model-configs.json', 'package-lock.json', 'build/stamps/wasm', 'build/stamps/package');
  await once('site', fingerprint({ files }), [path.join(site, 'index.html')], async () => {
    step('Building the site (web/dist/)', '10 s');
    await run('node', [at('node_modules/vite/bin/vite.js'), 'build', '--config', 'web/vite.config.ts', '--logLevel', 'warn'], { env: { NODE_ENV: 'production' } });
  });
}
