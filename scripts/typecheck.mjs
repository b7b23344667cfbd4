// Types of the package, its tests and the site: npm run typecheck
import { existsSync } from 'node:fs';
import { main, step } from './lib/log.mjs';
import { at } from './lib/paths.mjs';
import { run } from './lib/run.mjs';

await main(async () => {
  for (const project of ['tsconfig.json', 'web/tsconfig.json'].filter((file) => existsSync(at(file)))) {
    step(`Checking ${project}`);
    await run('node', [at('node_modules/typescript/bin/tsc'), '-p', project, '--noEmit']);
  }
});
