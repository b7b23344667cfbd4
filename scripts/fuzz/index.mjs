// Fuzzing of the C++ library: npm run fuzz [-- --seconds 600 --only attention,encoding]. Builds tests/fuzz with clang's
// sanitizers and runs each program for a while, beginning with the committed inputs and those that earlier runs kept in
// build/fuzz. An input that breaks something is kept there too; copied to tests/fuzz/corpus it becomes a test.
// --keep writes inputs that reach most of what is known back to tests/fuzz/corpus.
import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { cmakeBuild } from '../build/wasm.mjs';
import { isMain, main, note, step, Stop } from '../lib/log.mjs';
import { at, build } from '../lib/paths.mjs';
import { attempt, run } from '../lib/run.mjs';
import { setUp } from '../setup/index.mjs';

const programs = () => readdirSync(at('tests/fuzz')).filter((file) => file.endsWith('_fuzz.cpp')).map((file) => file.slice(0, -'_fuzz.cpp'.length));
const folderOf = (name, kind) => path.join(build, 'fuzz', kind, name);
const corpusOf = (name) => at('tests/fuzz/corpus', name);
const programOf = (name) => path.join(build, 'native-debug', `posenc_fuzz_${name}`);

/** Runs all programs (or those of `only`), two at a time, `seconds` each; gives { code, output, passed, failed }. */
export async function fuzz({ seconds, only }) {
  const names = programs().filter((name) => only === undefined || only.includes(name));
  if (names.length === 0) throw new Stop(`--only takes some of ${programs().join(', ')}`);
  await cmakeBuild('native-debug', names.map((name) => `posenc_fuzz_${name}`));
  const results = [];
  const waiting = [...names];
  await Promise.all([0, 1].map(async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) results.push(await runOne(name, seconds));
  }));
  const failures = results.filter(({ code }) => code !== 0);
  return {
    code: failures.length === 0 ? 0 : 1,
    output: failures.map(({ name, output }) => `${name}\n${output.split('\n').slice(-80).join('\n')}`).join('\n'),
    passed: results.length - failures.length,
    failed: failures.length,
    results,
  };
}

async function runOne(name, seconds) {
  const [found, broken] = [folderOf(name, 'found'), folderOf(name, 'broken')];
  for (const folder of [found, broken]) mkdirSync(folder, { recursive: true });
  const { code, output } = await attempt(programOf(name), [found, ...[corpusOf(name)].filter(existsSync), `-max_total_time=${seconds}`, '-seed=1', '-timeout=20',
    '-max_len=2048', '-print_final_stats=1', `-artifact_prefix=${broken}/`]);
  const runs = Number(/number_of_executed_units: (\d+)/.exec(output)?.[1] ?? 0);
  const reached = Number([...output.matchAll(/cov: (\d+)/g)].at(-1)?.[1] ?? 0);
  return { name, code, output, runs, reached };
}

// The longest of those that between them reach all: enough to begin from, few enough to commit.
async function keep(name) {
  const fewer = folderOf(name, 'fewer');
  rmSync(fewer, { recursive: true, force: true });
  mkdirSync(fewer, { recursive: true });
  await run(programOf(name), ['-merge=1', fewer, ...[corpusOf(name), folderOf(name, 'found')].filter(existsSync)]);
  const sizeOf = (file) => statSync(path.join(fewer, file)).size;
  rmSync(corpusOf(name), { recursive: true, force: true });
  mkdirSync(corpusOf(name), { recursive: true });
  for (const file of readdirSync(fewer).sort((a, b) => sizeOf(b) - sizeOf(a)).slice(0, 48)) {
    copyFileSync(path.join(fewer, file), path.join(corpusOf(name), file));
  }
}

if (isMain(import.meta)) {
  await main(async () => {
    const { values } = parseArgs({ options: { seconds: { type: 'string', default: '300' }, only: { type: 'string' }, keep: { type: 'boolean' } } });
    await setUp('test');
    step(`Fuzzing, ${values.seconds} s for each program`);
    const { results, output, failed } = await fuzz({ seconds: Number(values.seconds), only: values.only?.split(',') });
    for (const { name, runs, reached, code } of results) note(`${name}: ${runs} inputs, ${reached} edges${code === 0 ? '' : ', BROKEN'}`);
    if (failed > 0) {
      console.log(output);
      process.exitCode = 1;
    } else if (values.keep) {
      for (const { name } of results) await keep(name);
    }
  });
}
