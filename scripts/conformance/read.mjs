// The cases in a case file, wherever its bytes come from.
import { Case } from './case.mjs';
import { goldenBounds, relativeBound } from './compare.mjs';
import { toleranceException } from './exceptions.mjs';
import { idsOfGolden } from './cases/index.mjs';

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

/** The cases in the bytes of a file; undefined where it is something else. */
export async function readCases(file, bytes) {
  const name = file.replace(/^.*[\\/]/, '').replace(/\.safetensors$/, '');
  if (file.endsWith('.safetensors')) {
    const { readSafetensors } = await import('posenc/formats'); // here, so that a package not built is said in words
    const { metadata, tensors } = readSafetensors(bytes);
    const one = tensorCase(name, { metadata, tensors: new Map(Object.entries(tensors)) });
    return one ? [one] : undefined;
  }
  return jsonCases(JSON.parse(new TextDecoder().decode(bytes)));
}
