// Buttons that save a picture: as an image, as a drawing, or the numbers behind it.
import { make } from '../lib/dom.js';
import { t } from '../lib/language.js';
import { saveFile } from '../lib/save-file.js';

/** How a picture is written down. */
export interface Savable {
  svg: () => SVGSVGElement;
  /** All values, the names of the columns first. */
  table: () => readonly (readonly string[])[];
}

const sharpness = 2;

/** A cell of a CSV file; a true minus sign is for readers, not for programs. */
const cell = (text: string): string => {
  const plain = text.replace(/^\u2212/, '-').replace('e\u2212', 'e-');
  return /[",\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
};

export const toCsv = (rows: readonly (readonly string[])[]): string => `${rows.map((row) => row.map(cell).join(',')).join('\n')}\n`;

async function toPng(svg: SVGSVGElement): Promise<Blob> {
  const [width, height] = [svg.width.baseVal.value, svg.height.baseVal.value];
  const image = new Image(width, height);
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg.outerHTML)}`;
  await image.decode();
  const canvas = make('canvas', { width: width * sharpness, height: height * sharpness });
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no image')))));
}

/** The picture's name in its page, as a file's name. */
const fileName = (host: Element): string => `posenc-${host.closest<HTMLElement>('[data-key]')?.dataset['key'] ?? 'picture'}`;

/** The title above the picture. */
export const titleOf = (host: Element): string => host.closest('[data-key]')?.querySelector('h2, h3, h4')?.textContent ?? '';

export function makeSaveButtons(host: Element, picture: Savable): HTMLElement {
  const ways: Readonly<Record<string, () => Promise<void> | void>> = {
    PNG: async () => saveFile(`${fileName(host)}.png`, await toPng(picture.svg())),
    SVG: () => saveFile(`${fileName(host)}.svg`, new Blob([picture.svg().outerHTML], { type: 'image/svg+xml' })),
    CSV: () => saveFile(`${fileName(host)}.csv`, new Blob([toCsv(picture.table())], { type: 'text/csv' })),
  };
  const buttons = Object.entries(ways).map(([name, save]) => {
    const button = make('button', { type: 'button', className: 'quiet', textContent: name, title: t('Save as {0}', name) });
    button.addEventListener('click', () => void save());
    return button;
  });
  return make('div', { className: 'save', attributes: { role: 'group', 'aria-label': t('Save this picture') } }, ...buttons);
}
