// Keeps what was loaded, so that pages that were open once open without a network too. The network comes first: a new
// version of the site is seen at once.
const kept = 'posenc';

addEventListener('install', () => skipWaiting());
addEventListener('activate', (event) => event.waitUntil(clients.claim()));

const isOurs = ({ method, url }) => method === 'GET' && url.startsWith(registration.scope);

async function fetchAndKeep(request) {
  const answer = await fetch(request);
  if (answer.ok) await (await caches.open(kept)).put(request, answer.clone());
  return answer;
}

/** Pages are looked up without what follows the ?, which only chooses a language. */
const find = (request) => caches.match(request, { ignoreSearch: request.mode === 'navigate', ignoreVary: true });

addEventListener('fetch', (event) => {
  if (!isOurs(event.request)) return;
  event.respondWith(fetchAndKeep(event.request).catch(async (error) => (await find(event.request)) ?? Promise.reject(error)));
});

// What the first page had loaded before there was a service worker.
addEventListener('message', (event) => {
  const requests = event.data.filter((address) => address.startsWith(registration.scope)).map((address) => new Request(address));
  event.waitUntil(Promise.allSettled(requests.map(fetchAndKeep)).then(() => event.source.postMessage('kept')));
});
