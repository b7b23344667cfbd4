// A button that steps a setting on until it is pressed again, slower for those who asked for less motion.
import { make } from '../lib/dom.js';
import { t } from '../lib/language.js';

const pace = 90;
const calmPace = 700;

export function makePlayer(step: () => void): HTMLButtonElement {
  const button = make('button', { type: 'button', className: 'play', textContent: t('Play') });
  let timer: ReturnType<typeof setInterval> | undefined;
  button.addEventListener('click', () => {
    if (timer !== undefined) {
      clearInterval(timer);
      timer = undefined;
    } else {
      const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
      timer = setInterval(() => {
        if (!button.isConnected) clearInterval(timer);
        else if (!document.hidden) step();
      }, calm ? calmPace : pace);
    }
    button.textContent = timer === undefined ? t('Play') : t('Pause');
  });
  return button;
}
