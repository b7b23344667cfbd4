// Numbers of published implementations, through the built package: golden files and lists of this repository, and the
// ONNX and onnxruntime cases of the folder that POSENC_SHARED names.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describeConfig, fromConfig } from 'posenc/config';
import { describe, expect, test } from 'vitest';
import { loadPosenc } from '../support/posenc.js';
import { type Api, findCases, isKernel, runCase } from '../../../scripts/conformance/api.mjs';

const golden = fileURLToPath(new URL('../../golden', import.meta.url));
const shared = process.env['POSENC_SHARED'];

/** Operators that posenc does not have. */
const absent = new Set(['com.microsoft.GatedRelativePositionBias']);

const api: Api = { posenc: await loadPosenc(), describeConfig, fromConfig };

async function run(title: string, folder: string): Promise<void> {
  const cases = await findCases([folder]);
  describe(title, () => {
    test('there are cases', () => expect(cases.length).toBeGreaterThan(0));
    for (const one of cases) {
      // Bare kernels have no place in the JavaScript API: the C++ tests run their files.
      if (isKernel(one) || one.ids.some((id) => absent.has(id))) test.skip(one.name, () => undefined);
      else test(one.name, () => expect(runCase(one, api).failures).toEqual([]));
    }
  });
}

await run('golden files', golden);
for (const name of ['onnx-node-tests', 'ort-cases']) {
  const folder = shared === undefined ? undefined : path.join(shared, name);
  if (folder !== undefined && existsSync(folder)) await run(name, folder);
  else describe(name, () => test.skip('POSENC_SHARED names no folder that holds these cases', () => undefined));
}
