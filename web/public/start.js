// Runs before the first paint, so that neither a chosen theme nor a chosen language flashes: src/lib/theme.ts stores the
// one, this file and src/lib/language.ts the other. An address with ?lang=zh or ?lang=en chooses too.
{
  const root = document.documentElement;
  const read = (key) => {
    try {
      return localStorage.getItem(key);
    } catch {
      return null; // Storage can be switched off; the system's choice holds then.
    }
  };
  const theme = read('posenc-theme');
  if (theme === 'light' || theme === 'dark') root.dataset.theme = theme;
  const asked = new URLSearchParams(location.search).get('lang');
  if (/^zh/i.test(asked ?? read('posenc-language') ?? navigator.language)) {
    root.lang = 'zh-Hans';
    const texts = document.createElement('script');
    texts.type = 'module';
    texts.src = document.currentScript.dataset.zh;
    document.head.append(texts);
  }

  // The link to the other language works before the page's own code has come, and keeps the page's state.
  addEventListener('click', (event) => {
    if (!event.target.closest?.('#language')) return;
    event.preventDefault();
    const other = root.lang.startsWith('zh') ? 'en' : 'zh';
    try {
      localStorage.setItem('posenc-language', other);
    } catch {
      // Switched off: the address says it then, for this page.
    }
    const address = new URL(location.href);
    address.searchParams.set('lang', other);
    location.assign(address);
  });
}
