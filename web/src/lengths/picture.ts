// The picture that the patches are laid over: ours, or one that the visitor opens. It stays in the page.
import type { Backdrop } from '../figures/backdrop.js';
import { make } from '../lib/dom.js';
import { t } from '../lib/language.js';

const side = 768;

/** The middle square of an image. */
function squareOf(image: CanvasImageSource, width: number, height: number): HTMLCanvasElement {
  const canvas = make('canvas', { width: side, height: side });
  const least = Math.min(width, height);
  canvas.getContext('2d')?.drawImage(image, (width - least) / 2, (height - least) / 2, least, least, 0, 0, side, side);
  return canvas;
}

async function ours(): Promise<Backdrop> {
  const image = make('img', { src: 'picture.svg' });
  await image.decode();
  return { image: squareOf(image, image.naturalWidth, image.naturalHeight), name: 'ours' };
}

async function read(file: File): Promise<Backdrop> {
  const image = await createImageBitmap(file);
  const name = `${file.name} ${file.size} ${file.lastModified}`;
  return { image: squareOf(image, image.width, image.height), name };
}

export interface PictureSource {
  /** Absent until it has been loaded. */
  readonly backdrop: Backdrop | undefined;
  /** A button that opens another. */
  button(): HTMLElement;
}

/** Loads our picture, takes the visitor's, opened or dropped anywhere; `changed` is called after each, `failed` where a file is no picture. */
export function makePictureSource(changed: () => void, failed: (message: string) => void): PictureSource {
  let backdrop: Backdrop | undefined;
  const take = async (loading: Promise<Backdrop>): Promise<void> => {
    backdrop = await loading;
    changed();
  };
  const open = (file: File | undefined): void => {
    if (file) take(read(file)).catch(() => failed(t('{0} is no picture that this browser can read.', file.name)));
  };
  document.addEventListener('dragover', (event) => event.preventDefault());
  document.addEventListener('drop', (event) => {
    event.preventDefault();
    open(event.dataTransfer?.files[0]);
  });
  take(ours()).catch(() => {}); // Without it the maps are drawn alone.
  return {
    get backdrop() {
      return backdrop;
    },
    button() {
      const input = make('input', { type: 'file', accept: 'image/*', hidden: true, attributes: { 'aria-label': t('Picture') } });
      const button = make('button', { type: 'button', textContent: t('Open a picture') });
      button.title = t('or drop one anywhere; it stays in your browser');
      button.addEventListener('click', () => input.click());
      input.addEventListener('change', () => open(input.files?.[0]));
      return make('span', {}, button, input);
    },
  };
}
