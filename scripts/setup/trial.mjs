// Trials: whether a compiler can do what the project needs is found by letting it, since version numbers do not
// tell (Emscripten 3.1.69 with an old Binaryen compiles, and then cannot link relaxed SIMD). Each result is
// kept in .toolchain until the compiler changes.
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { attempt } from '../lib/run.mjs';
import { step } from '../lib/log.mjs';
import { toolchain } from '../lib/paths.mjs';
import { fingerprint, writeWhole } from '../lib/stamp.mjs';

const records = path.join(toolchain, 'trials');

const wasmSource = `
#include <emscripten/bind.h>
#include <wasm_simd128.h>
#include <cstdint>
#include <expected>
static std::int64_t sum(float x, std::int64_t n) {
  const v128_t v = wasm_f32x4_splat(x);
  const std::expected<float, int> r = wasm_f32x4_extract_lane(wasm_f32x4_relaxed_madd(v, v, v), 0);
  return n + static_cast<std::int64_t>(*r);
}
EMSCRIPTEN_BINDINGS(trial) { emscripten::function("sum", &sum); }
`;
const wasmFlags = ['-std=c++23', '-O3', '-msimd128', '-mrelaxed-simd', '-fno-exceptions', '-lembind', '-sWASM_BIGINT',
  '-sMODULARIZE', '-sEXPORT_ES6', '-sALLOW_MEMORY_GROWTH', '-sENVIRONMENT=web,worker'];

const nativeSource = `
#include <expected>
#include <span>
int main() { return std::expected<int, int>(0).value(); }
`;
const nativeFlags = ['-std=c++23', '-fsanitize=address,undefined'];

/** Does this emcc link an optimised embind module with relaxed SIMD? */
export function emccWorks(emcc) {
  return trial(emcc, 'Trying a link with emcc', '10 s', wasmSource, [...wasmFlags, '-o', 'trial.mjs']);
}

/** Does this native compiler build C++23 with sanitizers? */
export function nativeCompilerWorks(compiler) {
  return trial(compiler, 'Trying the native compiler', '3 s', nativeSource, [...nativeFlags, '-o', 'trial']);
}

const fuzzSource = `
#include <fuzzer/FuzzedDataProvider.h>
#include <expected>
extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  return std::expected<int, int>(FuzzedDataProvider(data, size).ConsumeBool() ? 0 : 0).value();
}
`;

/** Does this clang link libFuzzer and sanitizers? */
export function fuzzerWorks(compiler) {
  return trial(compiler, 'Trying libFuzzer', '3 s', fuzzSource, ['-std=c++23', '-fsanitize=fuzzer,address,undefined', '-o', 'trial']);
}

// Gives undefined when the trial succeeds, else the last line of what the compiler said.
async function trial(compiler, title, about, source, flags) {
  const record = path.join(records, fingerprint({ texts: [identity(compiler), source, ...flags] }).slice(0, 16));
  if (existsSync(record)) return readFileSync(record, 'utf8') || undefined;

  step(`${title} (${compiler})`, about);
  const folder = mkdtempSync(path.join(tmpdir(), 'posenc-trial-'));
  writeFileSync(path.join(folder, 'trial.cpp'), source);
  const { code, output } = await attempt(compiler, ['trial.cpp', ...flags], { cwd: folder });
  rmSync(folder, { recursive: true });

  const complaint = code === 0 ? '' : output.trim().split('\n').at(-1) || `status ${code}`;
  try {
    writeWhole(record, complaint);
  } catch {
    // A checkout that we may not write to: the trial is made again next time.
  }
  return complaint || undefined;
}

/** Forgets all results, after set-up has changed a compiler. */
export const forgetTrials = () => rmSync(records, { recursive: true, force: true });

/** What tells this very compiler from another one at the same place; emcc also runs in node. */
export function identity(compiler) {
  const real = realpathSync(compiler);
  const { mtimeMs, size } = statSync(real);
  const version = path.join(path.dirname(real), 'emscripten-version.txt');
  return [real, mtimeMs, size, existsSync(version) ? readFileSync(version, 'utf8') : '', process.execPath].join(' ');
}
