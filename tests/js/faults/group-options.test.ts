// A group of options that is given as something else is refused for what it is: the name is known, the value is not a group.
import type { Posenc } from 'posenc';
import { expect, test } from 'vitest';

import { errorOf, loadPosenc } from '../support/posenc.js';

const posenc = await loadPosenc();
const make = (id: keyof Posenc, options: object): unknown => (posenc[id] as unknown as (options: object) => unknown)(options);

test.each<[keyof Posenc, string, object, unknown, string]>([
  ['rope', 'scaling', { headDim: 4 }, 'yarn', '"yarn"'],
  ['rope', 'scaling', { headDim: 4 }, null, 'null'],
  ['rope', 'scaling', { headDim: 4 }, [], 'a list'],
  ['swin', 'window', { heads: 2 }, 7, '7'],
  ['swin', 'window', { heads: 2 }, [7, 7], 'a list'],
  ['attention', 'window', { heads: 1, headDim: 4 }, 5, '5'],
  ['attention', 'window', { heads: 1, headDim: 4 }, true, 'true'],
])('%s with a %s that is none', (id, name, options, value, received) => {
  const error = errorOf(() => make(id, { ...options, [name]: value }));
  expect([error.code, error.parameter, error.received]).toEqual(['invalidType', name, received]);
  expect(error.allowed).toContain(`${name}.`);
});
