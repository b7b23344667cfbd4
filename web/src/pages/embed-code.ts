// The code that shows one picture of the page in another page.
import { startCopyButton } from '../controls/copy-button.js';
import type { Picture } from '../families/family.js';
import { find, make, setText } from '../lib/dom.js';
import { formatHash } from '../lib/hash.js';

/** Room for the frame around each size of picture, in CSS pixels. */
const heights: Record<Picture['size'], number> = { wide: 560, half: 560, square: 860 };
const width = 720;

const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');

export interface EmbedCode {
  /** Shows the code for these pictures with that state. */
  update(pictures: readonly Picture[], title: string, state: readonly (readonly [string, string])[]): void;
}

export function makeEmbedCode(): EmbedCode {
  const [choice, code] = [find('embed-picture', HTMLSelectElement), find('embed-code', HTMLElement)];
  let [pictures, title, state]: Parameters<EmbedCode['update']> = [[], '', []];
  const show = (): void => {
    const picture = pictures.find(({ key }) => key === choice.value) ?? pictures[0];
    if (!picture) return;
    const address = new URL(`embed.html${formatHash([...state, ['figure', picture.key]])}`, location.href);
    address.search = '';
    const name = escape(`${title}: ${picture.title}`);
    setText(code, `<iframe src="${escape(address.href)}" title="${name}" width="${width}" height="${heights[picture.size]}" loading="lazy" style="border: 0"></iframe>`);
  };
  choice.addEventListener('change', show);
  startCopyButton(find('embed-copy', HTMLButtonElement), () => code.textContent);
  return {
    update(nextPictures, nextTitle, nextState) {
      [pictures, title, state] = [nextPictures, nextTitle, nextState];
      const keys = pictures.map(({ key }) => key).join();
      if (choice.dataset['keys'] !== keys) {
        choice.dataset['keys'] = keys;
        choice.replaceChildren(...pictures.map(({ key, title: textContent }) => make('option', { value: key, textContent })));
      }
      show();
    },
  };
}
