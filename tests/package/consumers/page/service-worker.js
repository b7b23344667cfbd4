import { load } from '/node_modules/posenc/dist/index.js';
import { check } from '/check.mjs';

addEventListener('activate', (event) => event.waitUntil(clients.claim()));
addEventListener('message', ({ ports: [port] }) => {
  check(load).then((variant) => port.postMessage({ variant }), (error) => port.postMessage({ error: String(error) }));
});
