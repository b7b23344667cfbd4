// Notes what a page does that it should not do. Notes outlast the page, since a test may go from one to the next.
(() => {
  const kept = 'watched by the tests';
  const notes = () => JSON.parse(sessionStorage.getItem(kept) ?? '[]');
  const note = (text) => sessionStorage.setItem(kept, JSON.stringify([...notes(), text]));
  for (const kind of ['log', 'info', 'warn', 'error', 'debug', 'trace']) {
    const own = console[kind];
    console[kind] = (...values) => {
      note(`${kind}: ${values.map(String).join(' ')}`);
      own.apply(console, values);
    };
  }
  addEventListener('error', ({ target, message }) => note(target === window ? `uncaught: ${message}` : `failed: ${target.src ?? target.href}`), true);
  addEventListener('unhandledrejection', ({ reason }) => note(`uncaught: ${reason}`));
  addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => note(`policy: ${violatedDirective} ${blockedURI}`));
  const elsewhere = (entries) => {
    for (const { name } of entries) if (!/^(data|blob):/.test(name) && !name.startsWith(`${location.origin}/`)) note(`elsewhere: ${name}`);
  };
  const observer = new PerformanceObserver((list) => elsewhere(list.getEntries()));
  observer.observe({ type: 'resource', buffered: true });
  window.watched = () => {
    elsewhere(observer.takeRecords());
    return notes();
  };
})();
