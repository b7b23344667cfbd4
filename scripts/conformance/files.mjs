// Case files below paths, and the cases in them.
import { readFile, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { Case } from './case.mjs';
import { goldenBounds, relativeBound } from './compare.mjs';
import { toleranceException } from './exceptions.mjs';
import { idsOfGolden } from './cases/index.mjs';

/** Paths of all case files below a path, in order of their names. */
async function caseFiles(root) {
  const info = await stat(root);
  if (info.isFile()) return [root];
  const entries = await readdir(root, { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => entry.isFile() && /\.(safetensors|json)$/.test(entry.name));
  return files.map((entry) => path.join(entry.parentPath ?? entry.path, entry.name)).sort();
}

/** A case of a golden file or of an operator's file. */
function tensorCase(name, { metadata, tensors }) {
  if (metadata.encoding !== undefined) {
    const params = JSON.parse(metadata.params);
    const { encoding } = metadata;
    const boundsOf = (tensor) => goldenBounds(Number(metadata.tolerance), toleranceException(encoding, params, tensor));
    return new Case({ name, ids: [encoding, ...idsOfGolden(encoding)], params, tensors, boundsOf });
  }
  if (metadata.op !== undefined) {
    const tolerance = JSON.parse(metadata.tight_tolerance ?? metadata.tolerance);
    const id = metadata.domain ? `${metadata.domain}.${metadata.op}` : metadata.op;
    return new Case({
      name,
      ids: [id],
      params: JSON.parse(metadata.attributes),
      inputs: JSON.parse(metadata.inputs),
      outputs: JSON.parse(metadata.outputs),
      tensors,
      boundsOf: () => [relativeBound(tolerance)],
    });
  }
  return undefined;
}

/** What entries of such files say of themselves. */
const described = ['name', 'model', 'source', 'note', 'kind', 'max_rel_err_vs_float64'];

/** Cases of a JSON file: inverse frequencies, or models with the encodings they have. */
function jsonCases(content) {
  if (Array.isArray(content.entries)) {
    const entries = content.entries.map(
      (entry) => new Case({ name: entry.name, ids: ['rope-frequencies', 'rope'], params: entry, described }),
    );
    return content.composition_property ? [...entries, ...compositionCases()] : entries;
  }
  if (Array.isArray(content.models)) {
    // Selected by their own id, or where all encodings that they need are.
    const selects = (expect) => (only) => only.has('model-configs') || expect.every((id) => only.has(id));
    return content.models.map(
      (entry) => new Case({ name: entry.model, ids: ['model-configs'], params: entry, described, selects: selects(entry.expect) }),
    );
  }
  return undefined;
}

/** "Rotating at a and then at b equals rotating at a + b", for each of the layouts that the file names. */
function compositionCases() {
  return ['half', 'interleaved', 'sections'].map((layout) => {
    const ids = ['rope-composition', layout === 'sections' ? 'mrope' : 'rope'];
    return new Case({ name: `composition of rotations, ${layout}`, ids, params: { layout } });
  });
}

async function readCases(file) {
  const bytes = await readFile(file);
  const name = path.basename(file).replace(/\.safetensors$/, '');
  if (file.endsWith('.safetensors')) {
    const { readSafetensors } = await import('posenc/formats'); // here, so that a package not built is said in words
    const { metadata, tensors } = readSafetensors(bytes);
    const one = tensorCase(name, { metadata, tensors: new Map(Object.entries(tensors)) });
    return one ? [one] : undefined;
  }
  return jsonCases(JSON.parse(new TextDecoder().decode(bytes)));
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
        const found = await readCases(file);
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
