// The TypeScript tests run on what the package ships: "posenc" means dist/. POSENC_VARIANT names the build.
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer } from 'vitest/node';
import { nodeFlags } from './scripts/lib/node-flags.mjs';

const dist = (name) => fileURLToPath(new URL(`dist/${name}.js`, import.meta.url));

// On a machine that has never run them Vitest takes short files for quick ones; one of these at the end would run alone.
const slow = ['large', 'heap', 'pages', 'in-page', 'controls'].map((name) => `/${name}.test.ts`);

class SlowFirst extends BaseSequencer {
  async sort(files) {
    const isSlow = ({ moduleId }) => slow.some((end) => moduleId.endsWith(end));
    const sorted = await super.sort(files);
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))];
  }
}

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
    sequence: { sequencer: SlowFirst },
    testTimeout: 240_000,
    hookTimeout: 120_000,
  },
});
