// Doing work once. A stamp is a small file that holds a hash of all that a piece of work depends on; it is
// written when the work is done, so work that was interrupted, or whose inputs changed, is done again.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build, root } from './paths.mjs';

/** All files under the given files and folders (paths from the project's root), sorted; missing ones are skipped. */
export function filesUnder(...names) {
  const found = [];
  const visit = (name) => {
    const full = path.join(root, name);
    if (!existsSync(full)) return;
    if (!statSync(full).isDirectory()) return void found.push(name);
    for (const entry of readdirSync(full).sort()) {
      if (entry !== 'node_modules' && entry !== 'dist') visit(path.join(name, entry));
    }
  };
  names.forEach(visit);
  return found;
}

/** A hash of texts and of the names and contents of files. */
export function fingerprint({ files = [], texts = [] }) {
  const hash = createHash('sha256');
  for (const text of texts) hash.update(`${text}\0`);
  for (const file of files) hash.update(`${file}\0`).update(readFileSync(path.join(root, file))).update('\0');
  return hash.digest('hex');
}

/** Writes a file so that it is there in full or not at all. */
export function writeWhole(file, content) {
  mkdirSync(path.dirname(file), { recursive: true });
  const partial = `${file}.partial-${process.pid}`;
  writeFileSync(partial, content);
  renameSync(partial, file);
}

/** Runs `work` unless it was done with this very key and what it made, `makes`, is still there. */
export async function once(name, key, makes, work) {
  const file = path.join(build, 'stamps', name);
  const done = existsSync(file) && readFileSync(file, 'utf8') === key && makes.every((made) => existsSync(made));
  if (done) return false;
  await work();
  writeWhole(file, key);
  return true;
}
