// Case files below paths.
import { readFile, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { Case } from './case.mjs';
import { readCases } from './read.mjs';

/** Paths of all case files below a path, in order of their names. */
async function caseFiles(root) {
  const info = await stat(root);
  if (info.isFile()) return [root];
  const entries = await readdir(root, { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => entry.isFile() && /\.(safetensors|json)$/.test(entry.name));
  return files.map((entry) => path.join(entry.parentPath ?? entry.path, entry.name)).sort();
}

/**
 * All cases below some paths. A file that cannot be read as a case is a case that fails, unless it was found in a
 * folder and is some other JSON file.
 * @param {string[]} roots
 * @returns {Promise<Case[]>}
 */
export async function findCases(roots) {
  const cases = [];
  for (const root of roots) {
    for (const file of await caseFiles(root)) {
      try {
        const found = await readCases(file, await readFile(file));
        for (const one of found ?? []) one.file = file;
        if (found) cases.push(...found);
        else if (file.endsWith('.safetensors') || file === root) throw new Error('not the format of a case file');
      } catch (error) {
        const unreadable = new Case({ name: path.basename(file), ids: ['unreadable'] });
        unreadable.file = file;
        unreadable.fail(error.message);
        cases.push(unreadable);
      }
    }
  }
  return cases;
}
