// Light or dark: the system's choice until the visitor makes one, which public/start.js applies before the first paint.
import { t } from './language.js';

export type Theme = 'light' | 'dark';

const key = 'posenc-theme';
const system = matchMedia('(prefers-color-scheme: dark)');
const listeners = new Set<() => void>();

export function currentTheme(): Theme {
  const chosen = document.documentElement.dataset['theme'];
  if (chosen === 'light' || chosen === 'dark') return chosen;
  return system.matches ? 'dark' : 'light';
}

/** Calls `listener` after the theme has changed; the result ends that. */
export function onThemeChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function notify(): void {
  for (const listener of listeners) listener();
}

function choose(theme: Theme): void {
  document.documentElement.dataset['theme'] = theme;
  try {
    localStorage.setItem(key, theme);
  } catch {
    // Storage can be switched off; the choice then lasts as long as the page.
  }
  notify();
}

/** Makes the button in the page's head switch the theme. */
export function startThemeButton(button: HTMLButtonElement): void {
  const show = (): void => {
    button.title = currentTheme() === 'dark' ? t('Switch to light colours') : t('Switch to dark colours');
    button.setAttribute('aria-label', button.title);
  };
  button.addEventListener('click', () => choose(currentTheme() === 'dark' ? 'light' : 'dark'));
  onThemeChange(show);
  system.addEventListener('change', notify);
  show();
}
