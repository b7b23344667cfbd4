// Emscripten of Debian 13 as a private copy on Debian 12, whose own is too old. The compiler itself, clang 19,
// is Debian 12's; Binaryen comes from npm, at the version that this Emscripten expects.
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { run } from '../lib/run.mjs';
import { step } from '../lib/log.mjs';
import { at, toolchain } from '../lib/paths.mjs';
import { download, forgetDownloads, unpack } from './debian.mjs';

const copy = path.join(toolchain, 'emscripten-private');
const wrappers = ['emcc', 'em++', 'emar', 'emranlib', 'emnm', 'em-config'];

/** Makes .toolchain/emscripten-private and the headers beside it, from Debian 13's packages. */
export async function preparePrivateCopy() {
  if (!existsSync(copy)) {
    step("Downloading Debian 13's emscripten, xsimd and doctest into .toolchain (240 MB)", '30 s');
    const debs = await download('trixie', ['emscripten', 'libxsimd-dev', 'doctest-dev']);
    const isCompiler = (deb) => path.basename(deb).startsWith('emscripten_');

    step('Unpacking them', '1 min');
    const partial = `${copy}.partial`;
    rmSync(partial, { recursive: true, force: true });
    // Without the builds of libc for LTO and dynamic linking, which are three quarters of its size.
    await unpack(debs.filter(isCompiler), partial, ['--strip-components=4', '--exclude=*/wasm32-emscripten/lto*',
      '--exclude=*/wasm32-emscripten/pic', '--exclude=./usr/share/emscripten/test', './usr/share/emscripten']);
    await unpackHeaders(debs.filter((deb) => !isCompiler(deb)));
    await addBinaryen(partial);
    renameSync(partial, copy);
    forgetDownloads();
  }
  configure();
  linkEmscripten(copy);
}

/** Headers alone, for a machine that has a good emcc but not these. */
export async function preparePrivateHeaders() {
  step("Downloading Debian 13's xsimd and doctest headers into .toolchain", '30 s');
  await unpackHeaders(await download('trixie', ['libxsimd-dev', 'doctest-dev']));
  forgetDownloads();
}

/** Points .toolchain/emscripten, where CMake looks, at an Emscripten folder. */
export function linkEmscripten(folder) {
  const link = path.join(toolchain, 'emscripten');
  if (path.resolve(folder) === link) return;
  mkdirSync(toolchain, { recursive: true });
  rmSync(`${link}.partial`, { force: true });
  symlinkSync(folder, `${link}.partial`);
  renameSync(`${link}.partial`, link);
}

async function unpackHeaders(debs) {
  const include = path.join(toolchain, 'include');
  rmSync(`${include}.partial`, { recursive: true, force: true });
  for (const deb of debs) await unpack([deb], `${include}.partial`, ['--strip-components=3', './usr/include']);
  rmSync(include, { recursive: true, force: true });
  renameSync(`${include}.partial`, include);
}

// Binaryen's tools, and acorn, which Debian's package takes from a folder that only Debian's node looks into.
async function addBinaryen(folder) {
  step('Fetching Binaryen 120 and acorn from npm (95 MB unpacked)', '20 s');
  for (const file of ['package.json', 'package-lock.json']) copyFileSync(at('scripts/setup/binaryen', file), path.join(folder, file));
  await run('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder });
  const tools = path.join(folder, 'node_modules/binaryen/bin');
  mkdirSync(path.join(folder, 'binaryen/bin'), { recursive: true });
  for (const tool of readdirSync(tools).filter((name) => name.startsWith('wasm'))) {
    symlinkSync(path.join('../../node_modules/binaryen/bin', tool), path.join(folder, 'binaryen/bin', tool));
  }
}

// Written at every set-up, since the machine's node may have moved. emcc reads it in its own folder.
function configure() {
  writeFileSync(path.join(copy, '.emscripten'), `from tools.utils import path_from_root
LLVM_ROOT = '/usr/lib/llvm-19/bin'
BINARYEN_ROOT = path_from_root('binaryen')
NODE_JS = ${JSON.stringify(process.execPath)}
FROZEN_CACHE = True
`);
  // Each compiler call starts Python: Debian's own directly, not a version manager's slow stand-in for it.
  for (const name of wrappers) {
    const file = path.join(copy, name);
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace('PYTHON=$(command -v python3 2> /dev/null)', 'PYTHON=/usr/bin/python3'));
  }
}
