// What every page does first.
import { find } from './dom.js';
import { keepAskedLanguage, translateHtml } from './language.js';
import { keepForOffline } from './offline.js';
import { watchScrollers } from './markup.js';
import { startThemeButton } from './theme.js';

/** Wires the page's head. The skip link moves the focus itself: the address holds the page's state. */
export function startPage(): void {
  translateHtml();
  keepForOffline();
  keepAskedLanguage();
  startThemeButton(find('theme', HTMLButtonElement));
  watchScrollers(document.body);
  document.querySelector('.skip')?.addEventListener('click', (event) => {
    event.preventDefault();
    find('main', HTMLElement).focus();
  });
}
