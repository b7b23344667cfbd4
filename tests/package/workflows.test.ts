// The workflows: actions pinned to commits, no more rights than a job needs, and scripts that exist.
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from './support/consumer.js';

const folder = path.join(root, '.github/workflows');
const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> };

describe.each(readdirSync(folder))('%s', (file) => {
  const text = readFileSync(path.join(folder, file), 'utf8');

  test('names every action by its commit, with the version beside it', () => {
    const used = [...text.matchAll(/uses: (.*)$/gm)].map(([, action]) => action);
    expect(used.length).toBeGreaterThan(0);
    for (const action of used) expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  test('may read, and write only where a job says so', () => {
    expect(text).toMatch(/^permissions:\n {2}contents: read$/m);
    expect(text).not.toMatch(/contents: write|secrets\./);
  });

  test('runs scripts of package.json', () => {
    for (const [, name] of text.matchAll(/npm run ([\w:]+)/g)) expect(scripts).toHaveProperty([name ?? '']);
  });
});

test('the release is tested before it is packed, and published with provenance', () => {
  const text = readFileSync(path.join(folder, 'release.yml'), 'utf8');
  expect(text.indexOf('npm run test:all')).toBeLessThan(text.indexOf('npm pack'));
  expect(text).toMatch(/npm publish \.\/posenc-\*\.tgz --provenance/);
  expect(text).toMatch(/publish:\n {4}needs: pack[^]*id-token: write/);
});
