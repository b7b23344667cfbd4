// The TypeScript tests run on what the package ships: "posenc" means dist/. POSENC_VARIANT names the build.
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { nodeFlags } from './scripts/lib/node-flags.mjs';

const dist = (name) => fileURLToPath(new URL(`dist/${name}.js`, import.meta.url));

export default defineConfig({
  resolve: {
    alias: [
      { find: /^posenc$/, replacement: dist('node') },
      { find: /^posenc\/([\w-]+)$/, replacement: dist('$1') },
    ],
  },
  test: {
    include: ['tests/**/*.test.ts'],
    pool: 'forks',
    execArgv: nodeFlags(process.env.POSENC_VARIANT),
    maxWorkers: 2,
    testTimeout: 240_000,
    hookTimeout: 120_000,
  },
});
