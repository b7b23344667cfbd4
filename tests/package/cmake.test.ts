// The C++ library installed by CMake, moved elsewhere, and used by examples/cpp: no file of the checkout may be needed.
import { cpSync, existsSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { root, run } from './support/consumer.js';

const library = path.join(root, 'build/native-release');
const folder = mkdtempSync(path.join(tmpdir(), 'posenc installed '));
const prefix = path.join(folder, 'prefix');
const project = path.join(folder, 'project');

beforeAll(async () => {
  if (!existsSync(path.join(library, 'build.ninja'))) await run('cmake', ['--preset', 'native-release'], root);
  await run('cmake', ['--build', library, '--target', 'posenc'], root);
  await run('cmake', ['--install', library, '--prefix', path.join(folder, 'at first')], root);
  renameSync(path.join(folder, 'at first'), prefix);
  cpSync(path.join(root, 'examples/cpp'), project, { recursive: true });
}, 300_000);
afterAll(() => rmSync(folder, { recursive: true }));

const within = (folderOf: string, ending: string): string[] =>
  readdirSync(path.join(prefix, folderOf), { recursive: true }).map(String).filter((name) => name.endsWith(ending)).sort();
const text = (...names: string[]): string => readFileSync(path.join(prefix, ...names), 'utf8');

test('the example builds against it and gives what the formulas say', async () => {
  const build = path.join(folder, 'build');
  await run('cmake', ['-S', project, '-B', build, `-DCMAKE_PREFIX_PATH=${prefix}`], folder);
  await run('cmake', ['--build', build], folder);
  const [sines, attention, refused] = (await run(path.join(build, 'example'), [], folder)).split('\n');
  const row = [Math.sin(1), Math.cos(1), Math.sin(0.01), Math.cos(0.01)].map((x) => x.toFixed(6));
  expect(sines).toBe(`sinusoidal(1) = ${row.join(' ')}`);
  expect(attention).toMatch(/^attention: first token 0\.000000, last -?0\.\d{6}$/); // it sees itself alone: sin(0)
  expect(refused).toBe('refused: numBuckets');
});

test('all headers that are installed compile together, and need no xsimd', async () => {
  const headers = within('include', '.hpp');
  expect(headers).toEqual(expect.arrayContaining(['posenc/encodings.hpp', 'posenc/attention/attention.hpp', 'posenc/layer/layer.hpp']));
  for (const header of headers) expect(text('include', header), header).not.toMatch(/xsimd[:/]|kernels\/(simd|exp|angles_sincos)\.hpp"/);
  const all = path.join(folder, 'all.cpp');
  writeFileSync(all, headers.map((header) => `#include "${header}"\n`).join(''));
  const compiler = /CMAKE_CXX_COMPILER:\w+=(.*)/.exec(readFileSync(path.join(library, 'CMakeCache.txt'), 'utf8'))?.[1] ?? '';
  await run(compiler, ['-std=c++23', '-fsyntax-only', '-Wall', '-Wextra', '-Werror', '-I', path.join(prefix, 'include'), all], folder);
});

test('what find_package reads names no folder of the machine, and the version of the package', () => {
  const config = within('lib', '.cmake');
  expect(config.length).toBeGreaterThanOrEqual(3);
  for (const file of config) expect(text('lib', file), file).not.toContain(root);
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string };
  expect(text('lib', config.find((name) => name.endsWith('-config-version.cmake')) ?? '')).toContain(`PACKAGE_VERSION "${version}"`);
});
