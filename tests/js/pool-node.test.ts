// A pool in Node.js: workers that fail.
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { errorOf, loadPosenc, random } from './support/posenc.js';

const posenc = await loadPosenc();
const headDim = 8;

test('a worker that does not start is an error of every call', async () => {
  const attention = posenc.attention({ heads: 2, headDim });
  const x = random([2, 4, headDim], 1);
  const broken = posenc.pool({ workers: 1, worker: () => new Worker('throw new Error("no")', { eval: true }) });
  await expect(broken.forward(attention, x, x, x)).rejects.toMatchObject({ code: 'workerFailed', parameter: 'workers' });
  await expect(broken.forward(attention, x, x, x)).rejects.toMatchObject({ code: 'workerFailed' });
  broken.dispose();
  expect(errorOf(() => posenc.pool({ worker: () => { throw new Error('none'); } })).code).toBe('workerFailed');
  attention.dispose();
});
