// Runs before the first paint, so that a chosen theme does not flash: src/lib/theme.ts stores the choice.
try {
  const theme = localStorage.getItem('posenc-theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // Storage can be switched off; the system's theme holds then.
}
