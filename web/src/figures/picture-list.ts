// Pictures in the page: elements are kept from one redraw to the next, so that only numbers change.
import { make, setText } from '../lib/dom.js';
import type { Drawing, Picture } from '../families/family.js';
import { GraphDrawing } from './graph-drawing.js';
import { HeatMap } from './heat-map.js';
import { LinePlot } from './line-plot.js';
import { PairCircles } from './pair-circles.js';

/** Gives an element of the drawing's kind its data. */
function setData(element: HTMLElement, drawing: Drawing): void {
  if (element instanceof HeatMap && drawing.figure === 'heat-map') element.data = drawing.data;
  if (element instanceof GraphDrawing && drawing.figure === 'graph-drawing') element.data = drawing.data;
  if (element instanceof LinePlot && drawing.figure === 'line-plot') element.data = drawing.data;
  if (element instanceof PairCircles && drawing.figure === 'pair-circles') element.data = drawing.data;
}

/** A small picture without axes, for the gallery. */
export function makeThumbnail(drawing: Drawing): HTMLElement {
  const element = make(drawing.figure, { attributes: { bare: '' } });
  setData(element, drawing);
  return element;
}

interface Shown {
  figure: HTMLElement;
  drawing: HTMLElement;
  title: HTMLElement;
  caption: HTMLElement;
}

export class PictureList {
  readonly #host: HTMLElement;
  readonly #shown = new Map<string, Shown>();
  /** Called for a picture that plays, to be put beside its title. */
  readonly #extra: (picture: Picture) => Node | undefined;

  readonly #heading: 'h2' | 'h3' | 'h4';

  constructor(host: HTMLElement, extra: (picture: Picture) => Node | undefined = () => undefined, heading: 'h2' | 'h3' | 'h4' = 'h2') {
    this.#host = host;
    this.#extra = extra;
    this.#heading = heading;
  }

  get isEmpty(): boolean {
    return this.#shown.size === 0;
  }

  /** Shows these pictures, in this order. */
  show(pictures: readonly Picture[]): void {
    const keys = pictures.map(({ key, figure }) => `${key} ${figure}`);
    if (keys.join() !== [...this.#shown.keys()].join()) {
      this.#shown.clear();
      for (const [i, picture] of pictures.entries()) this.#shown.set(keys[i]!, this.#make(picture));
      this.#host.replaceChildren(...[...this.#shown.values()].map(({ figure }) => figure));
    }
    for (const [i, picture] of pictures.entries()) {
      const { title, caption, drawing } = this.#shown.get(keys[i]!)!;
      setText(title, picture.title);
      setText(caption, picture.caption);
      caption.hidden = picture.caption === '';
      setData(drawing, picture);
    }
  }

  #make(picture: Picture): Shown {
    const title = make(this.#heading);
    const caption = make('figcaption');
    const drawing = make(picture.figure);
    const extra = this.#extra(picture);
    const head = make('div', { className: 'row' }, title, ...(extra ? [extra] : []));
    const figure = make('figure', { className: `picture picture-${picture.size}` }, head, caption, drawing);
    figure.dataset['key'] = picture.key;
    return { figure, drawing, title, caption };
  }
}
