// Sets up what building and testing need and is not there yet. `npm start` and `npm test` call it first; by
// itself: npm run setup [-- test]. It runs before any npm package is installed, so it imports Node's own only.
import path from 'node:path';
import { isMain, main, note, step, Stop } from '../lib/log.mjs';
import { install } from './debian.mjs';
import * as cmake from './cmake.mjs';
import { system as describeSystem } from './detect.mjs';
import { linkEmscripten, preparePrivateCopy, preparePrivateHeaders } from './emscripten.mjs';
import { advice, look } from './needs.mjs';
import { installPackages } from './npm.mjs';
import { forgetTrials } from './trial.mjs';
import * as versions from './versions.mjs';

/** Prepares the machine for 'start' or 'test'; gives the Emscripten that builds are to use: { emcc, root }. */
export async function setUp(purpose) {
  if (!versions.atLeast(process.versions.node, String(versions.node))) {
    throw new Stop(`posenc needs Node.js ${versions.node} or newer; this is ${process.version}.`);
  }
  process.env.PATH = cmake.bin + path.delimiter + process.env.PATH;

  let state = await look(purpose);
  if (state.missing.length > 0) {
    const system = describeSystem();
    const canInstall = system.isRoot && ['bookworm', 'trixie'].includes(system.debian);
    if (!canInstall) throw new Stop(advice(purpose, state, system));
    await provide(new Set(state.missing.map((need) => need.id)), state.missing, system);
    forgetTrials();
    state = await look(purpose);
    if (state.missing.length > 0) throw new Stop(`Set-up ran, but this is still missing:\n${advice(purpose, state, system)}`);
  }
  linkEmscripten(state.emscripten.root);
  await installPackages();
  return state.emscripten;
}

// A machine with a good emcc stays as it is: what else building needs goes into .toolchain. Only without one,
// and for the native compiler and the browser of the tests, is anything installed into the system.
async function provide(ids, missing, system) {
  const has = (...some) => some.some((id) => ids.has(id));
  const isOld = system.debian === 'bookworm'; // its xsimd, doctest and Emscripten are too old
  const onlyPrivate = ['xsimd', 'doctest', ...(has('emscripten') ? [] : ['cmake', 'ninja'])];
  const packages = missing.filter((need) => need.package && !(isOld || !has('emscripten') ? onlyPrivate : []).includes(need.id))
    .map((need) => need.package);
  if (has('emscripten')) packages.push(...(isOld ? ['clang-19', 'lld-19', 'llvm-19', 'python3'] : ['emscripten']));

  note('Set-up runs once; a later start takes seconds.');
  if (packages.length > 0) await install(packages, has('emscripten') ? '2 min' : '1 min');
  if (has('emscripten') && isOld) await preparePrivateCopy();
  else if (has('xsimd', 'doctest') && (isOld || !has('emscripten'))) await preparePrivateHeaders();
  if (has('cmake', 'ninja') && !has('emscripten')) await cmake.preparePrivateCmake();
}

if (isMain(import.meta)) {
  await main(async () => {
    const purpose = process.argv[2] === 'test' ? 'test' : 'start';
    const { emcc } = await setUp(purpose);
    step(`Ready for npm ${purpose}, with ${emcc}`);
  });
}
