// A button that copies text and says so for a moment, without changing its width.
import { t } from '../lib/language.js';

const shownFor = 1500;

export function startCopyButton(button: HTMLButtonElement, text: () => string | Promise<string>): void {
  const label = button.textContent;
  button.setAttribute('aria-live', 'polite');
  button.addEventListener('click', () => {
    const say = (message: string): void => {
      button.textContent = message;
      setTimeout(() => (button.textContent = label), shownFor);
    };
    const copy = async (): Promise<void> => navigator.clipboard.writeText(await text());
    copy().then(
      () => say(t('Copied')),
      () => say(t('Refused')),
    );
  });
}
