// Before a release: all that names the version names the same one. npm run release:check -- v1.2.3
import { readFileSync } from 'node:fs';
import { main, Stop } from './lib/log.mjs';
import { at } from './lib/paths.mjs';

const found = (file, pattern) => readFileSync(at(file), 'utf8').match(pattern)?.[1];

await main(() => {
  const version = JSON.parse(readFileSync(at('package.json'), 'utf8')).version;
  const tag = process.argv[2] ?? `v${version}`;
  const said = {
    'the tag': tag.replace(/^v/, ''),
    'CMakeLists.txt': found('CMakeLists.txt', /project\(posenc VERSION ([\d.]+)/),
    'CITATION.cff': found('CITATION.cff', /^version: (\S+)$/m),
    'CHANGELOG.md': found('CHANGELOG.md', /^## (\d\S*)/m),
  };
  const others = Object.entries(said).filter(([, one]) => one !== version);
  if (others.length > 0) throw new Stop(`package.json says ${version}, but ${others.map(([name, one]) => `${name} ${one ?? 'nothing'}`).join(', ')}.`);
  console.log(`All name ${version}.`);
});
