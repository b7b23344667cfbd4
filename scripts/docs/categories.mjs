// What TypeDoc is given beside typedoc.json: the categories of the entry `posenc`, which exports some 250 things. A thing
// belongs where its file does, and what is generated to the family of its encoding.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Comment, CommentTag, Converter, ReflectionKind } from 'typedoc';
import { at } from '../lib/paths.mjs';

// The first that fits the file's name, without its ending.
const files = [
  [/^attention|^cache|^mask|^relations$/, 'Attention'],
  [/^layer/, 'Attention layer'],
  [/^types$|^pool/, 'Pool'],
  [/^tensor|^shape|^half|^inputs|^weights|^operations|^positions/, 'Tensors and positions'],
  [/^(load|detect|posenc|errors|index|core)$/, 'Loading, errors'],
  [/^(encoding|encodings|input|rotary|bias|relative|none)$/, 'Encodings: families'],
];

/** @param {import('typedoc').Application} app */
export function load(app) {
  const familyOf = encodings();
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, (context) => {
    const entry = context.project.getChildByName('index');
    for (const reflection of entry?.children ?? []) {
      if (reflection.kindOf(ReflectionKind.Reference)) continue;
      const file = context.getSymbolFromReflection(reflection)?.declarations?.[0]?.getSourceFile().fileName ?? '';
      const category = categoryOf(reflection.name, path.basename(file, '.ts'), familyOf);
      reflection.comment ??= new Comment();
      reflection.comment.blockTags.push(new CommentTag('@category', [{ kind: 'text', text: category }]));
    }
  });
}

function categoryOf(name, file, familyOf) {
  if (file === 'options' || file === 'encodings') {
    if (name.startsWith('AttentionLayer')) return 'Attention layer';
    if (name.startsWith('Attention') || name.startsWith('KvCache')) return 'Attention';
    // The longest name that this one begins with: RopeNd's before Rope's.
    const [, family] = familyOf.filter(([type]) => name.startsWith(type)).sort(([a], [b]) => b.length - a.length)[0] ?? [];
    if (family !== undefined) return `Encodings: ${family}`;
  }
  return files.find(([pattern]) => pattern.test(file))?.[1] ?? 'Other';
}

/** [type's name, family] of each encoding. */
function encodings() {
  const text = readFileSync(at('bindings/js/generated/encodings.ts'), 'utf8');
  return [...text.matchAll(/^ {4}id: '(\w+)',\n {4}family: '(\w+)'/gm)].map(([, id, family]) => [id[0].toUpperCase() + id.slice(1), family]);
}
