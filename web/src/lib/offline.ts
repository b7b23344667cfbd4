// Starts the service worker that keeps the site for later, once the page has drawn what it draws.

/** How long after its loading the page is taken to have all that it needs. */
const settled = 1500;

export function keepForOffline(): void {
  const workers = (navigator as { serviceWorker?: ServiceWorkerContainer }).serviceWorker;
  if (!import.meta.env.PROD || !workers) return;
  workers.addEventListener('message', () => (document.documentElement.dataset['kept'] = ''));
  const start = async (): Promise<void> => {
    try {
      await workers.register('offline.js');
      const { active } = await workers.ready;
      const loaded = performance.getEntriesByType('resource').map(({ name }) => name);
      active?.postMessage([location.href.split('#')[0], ...loaded]);
    } catch {
      // Not allowed here (a file, a frame, a private window): the page does without.
    }
  };
  const soon = (): void => void setTimeout(() => void start(), settled);
  if (document.readyState === 'complete') soon();
  else addEventListener('load', soon);
}
