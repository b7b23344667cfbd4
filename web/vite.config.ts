// The site: several static pages that work from any folder of any host.
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import type { Catalog } from 'posenc/catalog';
import { longRopeFactors, modelExamples } from './build/examples.js';
import { chineseEntry, pageFiles, pageFrame } from './build/pages.js';
import { tensorFiles } from './build/tensor-files.js';
import { shortTexts } from './build/texts.js';
import { meaningsFrom } from './build/meanings.js';
import { formulas, markdownPages, securityPolicy } from './build/plugins.js';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const library = (name: string): string => at(`../dist/${name}.js`);

/** The catalogue of the built library. */
async function readCatalog(): Promise<Catalog> {
  const module = (await import(new URL('../dist/catalog.js', import.meta.url).href)) as { catalog: Catalog };
  return module.catalog;
}

export default defineConfig({
  root: at('.'),
  base: './',
  appType: 'mpa',
  resolve: {
    alias: [
      { find: /^posenc$/, replacement: library('index') },
      { find: /^posenc\/(\w+)$/, replacement: library('$1') },
    ],
  },
  plugins: [
    pageFrame(async () => (await readCatalog()).version),
    shortTexts(),
    markdownPages(async (id) => meaningsFrom(await readCatalog(), id)),
    formulas(async () => (await readCatalog()).encodings),
    modelExamples(at('../tests/golden/model-configs.json')),
    longRopeFactors(at('../tests/golden/model-configs.json')),
    tensorFiles(),
    securityPolicy(),
  ],
  worker: { format: 'es' },
  server: { fs: { allow: [at('..')] } },
  build: {
    target: 'es2022',
    outDir: 'dist',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: [...pageFiles, chineseEntry.source].map((file) => at(file)),
      output: { entryFileNames: ({ facadeModuleId }) => (facadeModuleId === at(chineseEntry.source) ? chineseEntry.built : 'assets/[name]-[hash].js') },
    },
  },
});
