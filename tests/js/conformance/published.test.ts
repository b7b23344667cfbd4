// Numbers of published implementations, through the built package: golden files and lists of this repository, and the
// ONNX and onnxruntime cases of the folder that POSENC_SHARED names.
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describeConfig, fromConfig } from 'posenc/config';
import { describe, expect, test } from 'vitest';
import { loadPosenc } from '../support/posenc.js';
import { type Api, findCases, runCase } from '../../../scripts/conformance/api.mjs';

const golden = fileURLToPath(new URL('../../golden', import.meta.url));
const shared = process.env['POSENC_SHARED'];

const api: Api = { posenc: await loadPosenc(), describeConfig, fromConfig };

/** Files whose every case was run and compared. */
const consumed = new Set<string>();

async function run(title: string, folder: string): Promise<void> {
  const cases = await findCases([folder]);
  describe(title, () => {
    for (const one of cases) {
      test(one.name, () => {
        expect(runCase(one, api).failures).toEqual([]);
        if (one.file !== undefined) consumed.add(one.file);
      });
    }
    // A file that nothing here reads, whatever it is called, is one that nobody would notice.
    test('every file was read by a test', async () => {
      const files = (await readdir(folder, { recursive: true, withFileTypes: true }))
        .filter((entry) => entry.isFile() && !/^readme\.md$/i.test(entry.name))
        .map((entry) => path.join(entry.parentPath, entry.name));
      expect(files.length).toBeGreaterThan(0);
      expect(files.filter((file) => !consumed.has(file))).toEqual([]);
    });
  });
}

await run('golden files', golden);
for (const name of ['onnx-node-tests', 'ort-cases']) {
  const folder = shared === undefined ? undefined : path.join(shared, name);
  if (folder !== undefined && existsSync(folder)) await run(name, folder);
  else describe(name, () => test.skip('POSENC_SHARED names no folder that holds these cases', () => undefined));
}
