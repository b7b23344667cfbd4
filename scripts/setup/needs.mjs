// What a purpose needs, what of it is missing here, and the words for it.
import * as browsers from '../lib/browsers.mjs';
import * as detect from './detect.mjs';
import * as versions from './versions.mjs';

// Each need: which purposes have it, how it is found, its words, and the packages that bring it on each Debian.
// Where a Debian has none, what it ships is too old, and set-up unpacks Debian 13's in .toolchain. What is optional is
// installed where that is possible; elsewhere tests go without it and say so.
const both = (names) => ({ bookworm: [names].flat(), trixie: [names].flat() });
const needs = [
  {
    id: 'emscripten', for: ['start', 'test'], find: (state) => state.emscripten.emcc,
    packages: { bookworm: ['clang-19', 'lld-19', 'llvm-19', 'python3'], trixie: ['emscripten'] },
    text: `Emscripten ${versions.emscripten} or newer: an emcc on PATH that links -O3 -mrelaxed-simd with embind`,
  },
  {
    id: 'xsimd', for: ['start', 'test'], find: detect.xsimd, packages: { trixie: ['libxsimd-dev'] },
    text: `xsimd ${versions.xsimd} or newer: its headers as /usr/include/xsimd or .toolchain/include/xsimd`,
  },
  {
    id: 'cmake', for: ['start', 'test'], find: detect.cmake, packages: both('cmake'),
    text: `CMake ${versions.cmake} or newer`,
  },
  { id: 'ninja', for: ['start', 'test'], find: detect.ninja, packages: both('ninja-build'), text: 'Ninja' },
  {
    // CMake looks for it whatever is built.
    id: 'doctest', for: ['start', 'test'], find: detect.doctest, packages: { trixie: ['doctest-dev'] },
    text: `doctest ${versions.doctest} or newer: its header as /usr/include/doctest/doctest.h or .toolchain/include/doctest/doctest.h`,
  },
  {
    id: 'compiler', for: ['test'], find: detect.nativeCompiler, packages: both('g++'),
    text: 'a native C++23 compiler with sanitizers: g++ 12 or newer, or clang 19 or newer',
  },
  {
    id: 'fuzzer', for: ['test'], find: detect.fuzzer, packages: both(['clang-19', 'libclang-rt-19-dev']),
    text: `clang ${versions.clang} as clang++-${versions.clang}, with its libFuzzer and sanitizers`,
  },
  {
    id: 'chromium', for: ['test'], find: browsers.chromium, packages: both('chromium'),
    text: 'Chromium: on PATH as chromium, or named by POSENC_CHROMIUM',
  },
  {
    id: 'firefox', for: ['test'], optional: true, find: browsers.firefox, packages: both('firefox-esr'),
    text: 'Firefox: on PATH as firefox-esr or firefox, or named by POSENC_FIREFOX',
  },
  {
    id: 'webkit', for: ['test'], optional: true, find: () => browsers.webkit()?.browser,
    packages: both(['webkit2gtk-driver', 'xvfb']),
    text: "WebKitGTK: WebKitWebDriver and Xvfb on PATH, and its MiniBrowser",
  },
];

/** Looks at the machine for a purpose: { emscripten, found: { id: path }, missing: [need] }. */
export async function look(purpose) {
  const state = { emscripten: await detect.emscripten(), found: {}, missing: [] };
  for (const need of needs.filter((one) => one.for.includes(purpose))) {
    const place = await need.find(state);
    if (place) state.found[need.id] = place;
    else state.missing.push(need);
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
  if (system.debian === 'trixie') {
    const packages = missing.flatMap((need) => need.packages.trixie);
    lines.push('By hand, as root:', `  apt-get install --no-install-recommends ${packages.join(' ')}`);
  } else if (system.debian === 'bookworm') {
    // Its own Emscripten and headers are too old, so packages alone do not do.
    const packages = missing.flatMap((need) => need.packages.bookworm ?? []);
    if (packages.length > 0) lines.push('By hand, as root:', `  apt-get install --no-install-recommends ${packages.join(' ')}`);
    lines.push('As root, for what Debian 12 has only too old (or put an emcc of your own on PATH and the headers in .toolchain/include):',
      '  npm run setup' + (purpose === 'test' ? ' -- test' : ''));
  } else {
    lines.push('By hand: Emscripten from emsdk, the others from your system or from their projects\' releases; then run this again.');
  }
  return lines.join('\n');
}
