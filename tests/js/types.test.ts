// The declarations that the package ships, as a strict project without this one's settings sees them.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { expect, test } from 'vitest';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

test('declarations accept what is right and refuse what is wrong', () => {
  const compile = (): string =>
    execFileSync(process.execPath, [at('../../node_modules/typescript/bin/tsc'), '-p', at('types/tsconfig.json')], { encoding: 'utf8', stdio: 'pipe' });
  expect(compile).not.toThrow();
});
