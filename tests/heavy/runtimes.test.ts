// The package in Node.js 20, 22 and 26, Deno and Bun, webpack and a Next.js server: each a project of
// tests/package/consumers, with the package installed from its tarball.
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { resultOfFolder } from '../package/support/chromium.js';
import { node, pack, root, run } from '../package/support/consumer.js';

// Outside of the checkout, whose own lock file tools would take for the workspace's.
const folder = mkdtempSync(path.join(tmpdir(), 'posenc-heavy-'));
const at = (...names: string[]): string => path.join(folder, ...names);

beforeAll(async () => {
  cpSync(path.join(root, 'tests/package/consumers'), folder, { recursive: true });
  for (const file of ['package.json', 'package-lock.json']) cpSync(path.join(root, 'tests/heavy/tools', file), at(file));
  const quietly = ['--no-audit', '--no-fund', '--ignore-scripts'];
  await run('npm', ['ci', ...quietly, '--prefer-offline'], folder);
  const { file } = await pack();
  await run('npm', ['install', ...quietly, '--no-save', '--prefer-offline', file], folder);
}, 600_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// Where a package for this machine's kind has its program.
const platform = `${process.platform}-${process.arch}`;
const programs: Record<string, string> = {
  'Node.js 20': process.execPath,
  'Node.js 22': at('node_modules', `node22-${platform}`, 'bin/node'),
  'Node.js 26': at('node_modules', `node26-${platform}`, 'bin/node'),
  Deno: at('node_modules/@deno', `${platform}-glibc`, 'deno'),
  Bun: at('node_modules/@oven', `bun-${platform.replace('arm64', 'aarch64')}`, 'bin/bun'),
};
const isOffered = platform === 'linux-x64' || platform === 'linux-arm64';

// Files by address (Emscripten's faults of old): from another folder than the project's, with a space in the path.
test.runIf(isOffered).each(Object.keys(programs))('%s: all entries, from another folder, with a space in the path', async (name) => {
  const program = programs[name] as string;
  expect(existsSync(program), program).toBe(true);
  const project = at('with a space');
  if (!existsSync(project)) {
    cpSync(at('node'), path.join(project, 'node'), { recursive: true });
    cpSync(at('check.mjs'), path.join(project, 'check.mjs'));
  }
  const deno = ['run', '--quiet', '--no-lock', '--allow-read', '--allow-env'];
  const said = await run(program, [...(name === 'Deno' ? deno : []), path.join(project, 'node/main.mjs')], tmpdir());
  expect(said).toMatch(/^posenc (relaxed|simd) simd scalar$/);
});

test('webpack: a build without configuration, with a pool and a worker of its own', async () => {
  const webpack = at('node_modules/webpack/lib/index.js');
  const options = { mode: 'production', context: at('webpack'), entry: './main.js', output: { path: at('webpack/dist') } };
  const script = `require(${JSON.stringify(webpack)})(${JSON.stringify(options)}, (error, stats) => {
    console.log(error ?? stats.toString({ all: false, errors: true, warnings: true }));
  })`;
  // A hint about the size of what it emits, whatever loads it, is no complaint about the package.
  const said = await node(['-e', script], at('webpack'));
  expect(said.replace(/^WARNING in asset size limit:[^]*?(?=^(WARNING|ERROR) in|(?![^]))/gm, '').trim()).toBe('');
  cpSync(at('page/index.html'), at('webpack/dist/index.html'));
  expect(await resultOfFolder(at('webpack/dist'))).toEqual(['relaxed', 'relaxed']);
});

test('Next.js: rendered on the server at build time, and computed at a request, with a pool', async () => {
  const next = at('node_modules/next/dist/bin/next');
  const env = { NEXT_TELEMETRY_DISABLED: '1' };
  renameSync(at('check.mjs'), at('next/check.mjs'));
  await node([next, 'build'], at('next'), env);
  const server = spawn(process.execPath, [next, 'start', '--port', '0', '--hostname', '127.0.0.1'], { cwd: at('next'), env: { ...process.env, ...env } });
  try {
    const address = await new Promise<string>((resolve, reject) => {
      let said = '';
      const hear = (text: Buffer): void => {
        said += String(text);
        const found = /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0];
        if (found) resolve(found);
      };
      server.stdout.on('data', hear);
      server.stderr.on('data', hear);
      server.on('exit', () => reject(new Error(said)));
    });
    expect(await (await fetch(address)).text()).toMatch(/page: (relaxed|simd)/);
    const { row, variant } = (await (await fetch(`${address}/api/rows?dim=4`)).json()) as { row: number[]; variant: string };
    expect(variant).toMatch(/^(relaxed|simd)$/);
    [Math.sin(1), Math.cos(1), Math.sin(0.01), Math.cos(0.01)].forEach((want, i) => expect(row[i]).toBeCloseTo(want, 6));
  } finally {
    server.kill();
  }
}, 600_000);
