import { load } from 'posenc';
import { check } from '../check.mjs';

// In the page with a pool, and in a worker of its own.
const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
globalThis.result = Promise.all([
  check(load, { workers: 2 }),
  new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => (data.error ? reject(new Error(data.error)) : resolve(data.variant));
    worker.onerror = ({ message }) => reject(new Error(message));
  }),
]);
