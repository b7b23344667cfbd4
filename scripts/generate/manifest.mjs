// What the manifest must keep to, beyond what C++ checks: names that would not make sense in JavaScript.

// Names that the options of every encoding have (bindings/js/encoding.ts).
const common = ['name', 'seed', 'weights'];
const identifier = /^[a-z][A-Za-z0-9]*$/;

export function checkManifest(manifest) {
  const ids = manifest.encodings.map(({ id }) => id);
  expectUnique(ids, 'encoding id');
  for (const encoding of manifest.encodings) {
    const members = [...encoding.tensors, ...encoding.operations].map(({ name }) => name);
    expectUnique(members, `tensor or operation of ${encoding.id}`);
    expectUnique(encoding.fields.map(({ name }) => name), `option of ${encoding.id}`);
    for (const name of [encoding.id, ...members, ...encoding.fields.flatMap(({ name }) => name.split('.'))]) {
      if (!identifier.test(name)) throw new Error(`${encoding.id}: "${name}" is no camelCase name`);
    }
    for (const { name } of encoding.fields) {
      if (common.includes(name)) throw new Error(`${encoding.id}: "${name}" is an option of all encodings`);
    }
  }
}

function expectUnique(names, what) {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`${what} "${twice}" stands there twice`);
}
