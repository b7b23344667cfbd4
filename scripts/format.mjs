// Lays out all C++ as .clang-format says: npm run format; with --check it changes nothing and fails on what differs.
import { main, Stop } from './lib/log.mjs';
import { run, which } from './lib/run.mjs';
import { filesUnder } from './lib/stamp.mjs';
import * as versions from './setup/versions.mjs';

await main(async () => {
  const program = which(`clang-format-${versions.clang}`) ?? which('clang-format');
  if (!program) throw new Stop(`No clang-format: it comes in Debian's package clang-format-${versions.clang}.`);
  const files = filesUnder('cpp', 'bindings/cpp', 'tests', 'examples').filter((file) => /\.(cpp|hpp)$/.test(file));
  await run(program, process.argv.includes('--check') ? ['--dry-run', '-Werror', ...files] : ['-i', ...files]);
});
