// CMake and Ninja as a private copy: on a Debian machine that has a good emcc of its own, `npm start` leaves
// the system as it is and still gets what it needs to build.
import { chmodSync, existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { step } from '../lib/log.mjs';
import { toolchain } from '../lib/paths.mjs';
import { writeWhole } from '../lib/stamp.mjs';
import { downloadWithNeeds, forgetDownloads, unpack } from './debian.mjs';

const copy = path.join(toolchain, 'cmake');
export const bin = path.join(toolchain, 'bin');

/** Makes .toolchain/bin/cmake and .toolchain/bin/ninja. */
export async function preparePrivateCmake() {
  if (!existsSync(copy)) {
    step('Downloading cmake and ninja into .toolchain (15 MB)', '20 s');
    const debs = await downloadWithNeeds('cmake', ['cmake', 'ninja-build']);
    rmSync(`${copy}.partial`, { recursive: true, force: true });
    await unpack(debs, `${copy}.partial`);
    renameSync(`${copy}.partial`, copy);
    forgetDownloads();
  }
  // The libraries that came along are found by name only here, so each tool is started by a small script.
  const folders = readdirSync(path.join(copy, 'usr/lib')).filter((name) => /-linux-/.test(name));
  const libraries = folders.map((name) => path.join(copy, 'usr/lib', name)).join(':');
  for (const tool of ['cmake', 'ninja']) {
    const program = path.join(copy, 'usr/bin', tool);
    if (!existsSync(program)) continue;
    writeWhole(path.join(bin, tool), `#!/bin/sh\nLD_LIBRARY_PATH="${libraries}" exec "${program}" "$@"\n`);
    chmodSync(path.join(bin, tool), 0o755);
  }
}
