// The cases of the site's benchmark page under Node: npm run bench:page [-- --preset standard] [-- --filter "rope small"]
// [-- --seed 1] [-- --rivals scalar,javascript,onnxruntime,tfjs] [-- --variant relaxed] [-- --out report.json]
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { arch, cpus, platform, release, totalmem } from 'node:os';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { main, Stop } from '../lib/log.mjs';
import { nodeFlags } from '../lib/node-flags.mjs';
import { dist } from '../lib/paths.mjs';
import { importBundled } from './bundle.mjs';

const rivalNames = ['scalar', 'javascript', 'onnxruntime', 'tfjs'];
const entry = `
  export { runSession } from './session.js';
  export { planCases, presets, nameOf } from './plan.js';
  export { toJson, toMarkdown } from './report.js';
  export { schemaVersion } from './results.js';
  export { startOrt } from './ort.js';
  export { startTfjs } from './tfjs.js';
`;

/** The page's own modules, bundled for Node with the package as it is built. */
function loadModules() {
  const library = { name: 'library', setup: ({ onResolve }) => onResolve({ filter: /^posenc(\/|$)/ }, ({ path }) => ({
    path: pathToFileURL(`${dist}/${path === 'posenc' ? 'node' : path.split('/')[1]}.js`).href, external: true,
  })) };
  return importBundled('page', entry, 'web/src/bench', { plugins: [library] });
}

const loaders = {
  onnxruntime: ({ startOrt }) => startOrt(() => import('onnxruntime-web')),
  tfjs: ({ startTfjs }) => startTfjs(async () => {
    const [core] = await Promise.all([import('@tensorflow/tfjs-core'), import('@tensorflow/tfjs-backend-wasm')]);
    return core.default ?? core;
  }),
};

const describeHost = () => ({
  title: `Node ${process.versions.node}, ${platform()}`,
  agent: `Node ${process.version}, V8 ${process.versions.v8}`,
  platform: `${platform()} ${release()}`,
  architecture: arch(),
  processor: cpus()[0]?.model ?? 'unknown',
  processors: cpus().length,
  memory: Math.round(totalmem() / 2 ** 30),
  isolated: true,
});

function readOptions() {
  const { values } = parseArgs({ options: {
    preset: { type: 'string', default: 'quick' }, filter: { type: 'string', default: '' }, seed: { type: 'string', default: '1' },
    rivals: { type: 'string', default: 'scalar,javascript' }, variant: { type: 'string' }, out: { type: 'string' },
  } });
  const rivals = values.rivals.split(',').filter(Boolean);
  const strange = rivals.find((name) => !rivalNames.includes(name));
  if (strange) throw new Stop(`--rivals: there is no ${strange}, only ${rivalNames.join(', ')}`);
  const seed = Number(values.seed);
  if (!Number.isInteger(seed) || seed < 0) throw new Stop(`--seed: ${values.seed} is no whole number`);
  return { ...values, rivals, seed };
}

async function measure(modules, { preset: name, filter, seed, rivals, variant }) {
  const preset = modules.presets.find((one) => one.name === name);
  if (!preset) throw new Stop(`--preset: there is no ${name}, only ${modules.presets.map((one) => one.name).join(', ')}`);
  const cases = modules.planCases(preset, filter);
  if (cases.length === 0) throw new Stop('No case has that in its name.');
  const { load } = await import(pathToFileURL(`${dist}/node.js`).href);
  const report = { schema: modules.schemaVersion, date: new Date().toISOString(), plan: { preset: name, filter, seed, rivals }, host: describeHost(), engine: undefined, rows: [], skipped: [], complete: false };
  await modules.runSession({ cases, effort: preset, seed, rivals }, {
    load,
    read: async (build) => new Uint8Array(readFileSync(`${dist}/posenc-${build}.wasm`)).buffer,
    ...(variant ? { variant } : {}),
    rivals: Object.fromEntries(Object.entries(loaders).map(([rival, start]) => [rival, () => start(modules)])),
    tell(news) {
      if (news.kind === 'engine') report.engine = news.engine;
      else if (news.kind === 'begin') process.stderr.write(`\r${news.index + 1} of ${cases.length} ${modules.nameOf(cases[news.index])}\u001b[K`);
      else if (news.kind === 'row') report.rows.push(news.row);
      else if (news.kind === 'skipped') report.skipped.push(news.skipped);
      else if (news.kind === 'end') report.complete = true;
    },
  });
  process.stderr.write('\r\u001b[K');
  return report;
}

await main(async () => {
  const options = readOptions();
  if (!existsSync(`${dist}/node.js`)) throw new Stop('There is no package in dist/: npm run build -- package');
  const flags = nodeFlags(options.variant);
  if (flags.some((flag) => !process.execArgv.includes(flag))) {
    const { status } = spawnSync(process.execPath, [...flags, ...process.argv.slice(1)], { stdio: 'inherit' });
    process.exit(status ?? 1);
  }
  const modules = await loadModules();
  const report = await measure(modules, options);
  console.log(modules.toMarkdown(report));
  for (const { name, why } of report.skipped) console.log(`left out: ${name}: ${why}`);
  if (options.out) writeFileSync(options.out, modules.toJson(report));
  const wrong = report.rows.filter(({ entries }) => entries[0].status !== 'timed');
  if (wrong.length > 0) throw new Stop(`Wrong, and so not timed: ${wrong.map(({ name, entries }) => `${name} (${entries[0].why})`).join(', ')}`);
  process.exit(0); // rivals keep the process alive
});
