// A pool in Node.js: workers that fail.
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { ComingWorker } from '../../bindings/js/pool/coming.js';
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

test('a worker that could not be made, or told, fails once; what it is told before it is there, it hears in order', async () => {
  const heard: unknown[] = [];
  const real = { postMessage: (message: unknown) => heard.push(message), ref: () => heard.push('ref'), unref: () => heard.push('unref'), terminate: () => heard.push('end'), on: (event: string) => heard.push(event) };
  const late = new ComingWorker(Promise.resolve(real as unknown as Worker));
  late.on('message', () => undefined);
  late.unref();
  late.postMessage(1);
  late.ref();
  late.terminate();
  expect(heard).toEqual([]);
  await new Promise(setImmediate);
  expect(heard).toEqual(['message', 'unref', 1, 'ref', 'end']);

  const reasons: unknown[] = [];
  const never = new ComingWorker(Promise.reject(new Error('none')));
  never.on('error', (reason) => {
    reasons.push(String(reason));
    never.terminate();
  });
  never.postMessage(1);
  await new Promise(setImmediate);
  expect(reasons).toEqual(['Error: none']);
});
