// A picture under the cells of a heat map, with lines between the cells.
import { make, makeSvg } from '../lib/dom.js';

export interface Backdrop {
  /** Square, or cut to its middle square by who gives it. */
  image: CanvasImageSource;
  /** Another image has another name. */
  name: string;
}

/** Enough for any place in the page. */
const side = 768;

/** Elements that go below and above the cells' canvas. */
export interface BackdropLayers {
  below: HTMLCanvasElement;
  lines: HTMLDivElement;
  show(backdrop: Backdrop, columns: number, rows: number): void;
  /** The image within a drawing of these sides. */
  drawing(width: number, height: number): SVGElement;
}

export function makeBackdrop(): BackdropLayers {
  const below = make('canvas', { className: 'backdrop', attributes: { 'aria-hidden': 'true' } });
  const lines = make('div', { className: 'cell-lines' });
  let shown: string | undefined;
  return {
    below,
    lines,
    show(backdrop, columns, rows) {
      lines.style.setProperty('--columns', String(columns));
      lines.style.setProperty('--rows', String(rows));
      if (backdrop.name === shown) return;
      shown = backdrop.name;
      [below.width, below.height] = [side, side];
      below.getContext('2d')?.drawImage(backdrop.image, 0, 0, side, side);
    },
    drawing: (width, height) => makeSvg('image', { href: below.toDataURL(), width, height, preserveAspectRatio: 'none' }),
  };
}
