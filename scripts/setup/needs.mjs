// What a purpose needs, what of it is missing here, and the words for it.
import * as detect from './detect.mjs';
import * as versions from './versions.mjs';

// Each need: how it is looked for, which purposes have it, what it is called, and Debian's package of it.
const needs = [
  { id: 'emscripten', for: ['start', 'test'], find: async (state) => state.emscripten.root,
    text: `Emscripten ${versions.emscripten} or newer, with an emcc on PATH that links -O3 -mrelaxed-simd with embind` },
  { id: 'xsimd', for: ['start', 'test'], find: detect.xsimd, package: 'libxsimd-dev',
    text: `xsimd ${versions.xsimd} or newer: its headers as /usr/include/xsimd or .toolchain/include/xsimd` },
  { id: 'cmake', for: ['start', 'test'], find: detect.cmake, package: 'cmake', text: `CMake ${versions.cmake} or newer` },
  { id: 'ninja', for: ['start', 'test'], find: detect.ninja, package: 'ninja-build', text: 'Ninja' },
  { id: 'doctest', for: ['test'], find: detect.doctest, package: 'doctest-dev',
    text: `doctest ${versions.doctest} or newer: its header as /usr/include/doctest/doctest.h or .toolchain/include/doctest/doctest.h` },
  { id: 'compiler', for: ['test'], find: detect.nativeCompiler, package: 'g++',
    text: 'a native C++23 compiler with sanitizers: g++ 12 or newer, or clang 19 or newer' },
  { id: 'chromium', for: ['test'], find: detect.chromium, package: 'chromium',
    text: 'Chromium, on PATH as chromium or named by POSENC_CHROMIUM' },
];

/** Looks at the machine: { emscripten, missing }, where missing are the needs of this purpose that it lacks. */
export async function look(purpose) {
  const state = { emscripten: await detect.emscripten(), missing: [] };
  for (const need of needs.filter((one) => one.for.includes(purpose))) {
    if (!(await need.find(state))) state.missing.push(need);
  }
  return state;
}

/** What to tell a person whose machine lacks something that set-up may not install. */
export function advice(purpose, { emscripten, missing }, system) {
  const lines = [
    `npm ${purpose} needs what this machine (${system.name}) does not have:`,
    ...missing.map((need) => `  - ${need.text}`),
    ...(emscripten.complaint ? [`    ${emscripten.complaint}`] : []),
    '',
    'Nothing was installed. ' + (system.debian ? 'Set-up installs it by itself when it runs as root.'
      : 'Set-up installs it by itself only on Debian 12 and 13, as root.'),
  ];
  const isMissing = (id) => missing.some((need) => need.id === id);
  const packages = missing.map((need) => need.package).filter(Boolean);
  if (system.debian === 'trixie') {
    if (isMissing('emscripten')) packages.unshift('emscripten');
    lines.push('By hand, as root:', `  apt-get install --no-install-recommends ${packages.join(' ')}`);
  } else if (system.debian === 'bookworm') {
    // Its own xsimd, doctest and Emscripten are too old: those come as a private copy, which root has to start.
    lines.push('By hand, as root:', '  npm run setup' + (purpose === 'test' ? ' -- test' : ''));
  } else {
    lines.push('By hand: Emscripten from emsdk, the others from your system or from their projects\' releases; then run this again.');
  }
  return lines.join('\n');
}
