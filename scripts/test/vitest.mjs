// The TypeScript tests, run by Vitest from one folder; vitest.config.mjs has the rest.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { at, build } from '../lib/paths.mjs';
import { attempt } from '../lib/run.mjs';

/** Runs the tests of a folder with some environment variables and gives their counts. */
export async function runVitest(folder, env = {}) {
  const report = path.join(build, 'vitest.json');
  mkdirSync(build, { recursive: true });
  rmSync(report, { force: true });
  const { code, output } = await attempt(process.execPath, [at('node_modules/vitest/vitest.mjs'), 'run', folder,
    '--reporter=dot', '--reporter=json', `--outputFile.json=${report}`], { env: { ...env, NO_COLOR: '1' } });
  if (!existsSync(report)) return { code, output };
  const { numPassedTests: passed, numFailedTests: failed, numPendingTests: pending, numTodoTests: todo } = JSON.parse(readFileSync(report, 'utf8'));
  return { code, output, passed, failed, skipped: pending + todo };
}
