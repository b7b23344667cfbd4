// Sets up what building and testing need and is not there yet. `npm start` and `npm test` call it first; by
// itself: npm run setup [-- test]. It runs before any npm package is installed, so it imports Node's own only.
import path from 'node:path';
import { isMain, main, note, step, Stop } from '../lib/log.mjs';
import { install } from './debian.mjs';
import { bin, preparePrivateCmake } from './cmake.mjs';
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
  process.env.PATH = bin + path.delimiter + process.env.PATH;

  let state = await look(purpose);
  if (state.missing.length > 0) {
    const system = describeSystem();
    const canInstall = system.isRoot && ['bookworm', 'trixie'].includes(system.debian);
    if (canInstall) {
      await provide(state.missing, system.debian);
      forgetTrials();
      state = await look(purpose);
    } else if (lacksMore(state)) throw new Stop(advice(purpose, state, system));
    if (lacksMore(state)) throw new Stop(`Set-up ran, but this is still missing:\n${advice(purpose, state, system)}`);
  }
  linkEmscripten(state.emscripten.root);
  await installPackages();
  return { ...state.emscripten, found: state.found };
}

const lacksMore = ({ missing }) => missing.some((need) => !need.optional);

// A machine with a good emcc stays as it is: what else building needs is unpacked in .toolchain. Only without one,
// and for the native compiler and the browsers of the tests, is anything installed into the system.
async function provide(missing, debian) {
  const lacks = (...ids) => missing.some((need) => ids.includes(need.id));
  const lacksCompiler = lacks('emscripten');
  const isUnpacked = (need) => !need.packages[debian]
    || (!lacksCompiler && ['xsimd', 'doctest', 'cmake', 'ninja'].includes(need.id));
  const packagesOf = (needs) => needs.filter((need) => !isUnpacked(need)).flatMap((need) => need.packages[debian]);
  const packages = packagesOf(missing.filter((need) => !need.optional));
  const extras = packagesOf(missing.filter((need) => need.optional));

  note('This is done once; a later start takes seconds.');
  if (packages.length > 0) await install(packages, '2 min');
  if (extras.length > 0) await install(extras, '1 min').catch((error) => note(`${error.message}\nTests that need them are skipped.`));
  if (lacksCompiler && debian === 'bookworm') await preparePrivateCopy();
  else if (missing.some((need) => ['xsimd', 'doctest'].includes(need.id) && isUnpacked(need))) await preparePrivateHeaders();
  if (!lacksCompiler && lacks('cmake', 'ninja')) await preparePrivateCmake();
}

if (isMain(import.meta)) {
  await main(async () => {
    const purpose = process.argv[2] === 'test' ? 'test' : 'start';
    const { found } = await setUp(purpose);
    step(`Ready for npm ${purpose}, with:`);
    for (const [id, place] of Object.entries(found)) note(`${id.padEnd(10)} ${place}`);
  });
}
