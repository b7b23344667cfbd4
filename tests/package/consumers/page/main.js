import { load } from '/node_modules/posenc/dist/index.js';
import { load as loadInline } from '/node_modules/posenc/dist/inline.js';
import { check } from '/check.mjs';

const fromWorker = (worker) => new Promise((resolve, reject) => {
  worker.onmessage = ({ data }) => (data.error ? reject(new Error(data.error)) : resolve(data.variant));
  worker.onerror = ({ message }) => reject(new Error(message));
});

async function fromServiceWorker() {
  const registration = await navigator.serviceWorker.register('service-worker.js', { type: 'module' });
  await navigator.serviceWorker.ready;
  const channel = new MessageChannel();
  registration.active.postMessage('check', [channel.port2]);
  return fromWorker(channel.port1);
}

globalThis.result = Promise.all([
  check(load, { workers: 2 }),
  check(loadInline, { workers: 1 }),
  check(loadInline, { workers: 1, worker: () => new Worker('own-worker.js', { type: 'module' }) }),
  fromWorker(new Worker('worker.js', { type: 'module' })),
  fromServiceWorker(),
]);
