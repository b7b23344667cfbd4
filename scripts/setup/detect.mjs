// What this machine has already. Looks only; changes nothing but the record of trials.
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { ask, which } from '../lib/run.mjs';
import { toolchain } from '../lib/paths.mjs';
import { emccWorks, fuzzerWorks, nativeCompilerWorks } from './trial.mjs';
import * as versions from './versions.mjs';

/** The distribution: its id, its version's name, and whether we may install packages. */
export function system() {
  const release = existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : '';
  const field = (name) => release.match(new RegExp(`^${name}="?([^"\n]*)`, 'm'))?.[1];
  return {
    name: field('PRETTY_NAME') ?? process.platform,
    debian: field('ID') === 'debian' ? field('VERSION_CODENAME') : undefined,
    isRoot: process.getuid?.() === 0,
  };
}

/** A working Emscripten: { emcc, root }, the one on PATH before the project's own; else { complaint }. */
export async function emscripten() {
  const onPath = which('emcc');
  const own = path.join(toolchain, 'emscripten', 'emcc');
  let complaint;
  for (const emcc of [onPath, existsSync(own) ? own : undefined]) {
    if (!emcc) continue;
    const problem = await emccWorks(emcc);
    const root = problem ? undefined : emscriptenRoot(emcc);
    if (root) return { emcc, root, isOwn: emcc === own };
    complaint ??= `${emcc} failed a trial link: ${problem ?? 'its folder was not found (em-config is missing)'}`;
  }
  return { complaint };
}

// The folder with Emscripten's CMake files.
function emscriptenRoot(emcc) {
  const config = path.join(path.dirname(emcc), 'em-config');
  const candidates = [ask(config, ['EMSCRIPTEN_ROOT']), path.dirname(realpathSync(emcc)), path.dirname(emcc)];
  return candidates.find((folder) => folder && existsSync(path.join(folder, 'cmake/Modules/Platform/Emscripten.cmake')));
}

const includeFolders = [path.join(toolchain, 'include'), '/usr/include', '/usr/local/include', '/opt/homebrew/include',
  ...(process.env.CMAKE_PREFIX_PATH ?? '').split(':').filter(Boolean).map((prefix) => path.join(prefix, 'include'))];

// The folder whose NAME/FILE says, by #defines, version `oldest` or newer. cmake/dependencies.cmake looks in the same places.
function headers(file, prefix, oldest) {
  return includeFolders.find((folder) => {
    const full = path.join(folder, file);
    if (!existsSync(full)) return false;
    const text = readFileSync(full, 'utf8');
    const part = (name) => text.match(new RegExp(`^#define ${prefix}_VERSION_${name} (\\d+)`, 'm'))?.[1];
    return versions.atLeast([part('MAJOR'), part('MINOR'), part('PATCH')].join('.'), oldest);
  });
}

export const xsimd = () => headers('xsimd/config/xsimd_config.hpp', 'XSIMD', versions.xsimd);
export const doctest = () => headers('doctest/doctest.h', 'DOCTEST', versions.doctest);

export function cmake() {
  const file = which('cmake');
  const version = file && ask(file, ['--version'])?.match(/version (\d+\.\d+\.\d+)/)?.[1];
  return version && versions.atLeast(version, versions.cmake) ? file : undefined;
}

export const ninja = () => which('ninja');

/** A native C++ compiler that CMake would take by itself. */
export async function nativeCompiler() {
  const compiler = process.env.CXX ? which(process.env.CXX) : (which('c++') ?? which('g++') ?? which('clang++'));
  return compiler && !(await nativeCompilerWorks(compiler)) ? compiler : undefined;
}

/** The clang that the preset "native-debug" names, where it brings libFuzzer. */
export async function fuzzer() {
  const compiler = which(`clang++-${versions.clang}`);
  return compiler && !(await fuzzerWorks(compiler)) ? compiler : undefined;
}
