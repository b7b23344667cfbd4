// What the elements of all pictures share: their data, drawn when it is set and when the theme changes; and for those with a
// frame, the frame around the drawing, which a `bare` one (the gallery's) goes without.
import { onThemeChange } from '../lib/theme.js';
import { makeFrame, type Frame } from './frame.js';
import { startPointing, type Pointing } from './pointing.js';

export abstract class Figure<Data extends object> extends HTMLElement {
  #data: Data | undefined;
  #isBuilt = false;
  #forget: (() => void) | undefined;

  /** What is drawn; setting it redraws. */
  get data(): Data | undefined {
    return this.#data;
  }

  set data(data: Data | undefined) {
    if (data === this.#data) return;
    this.#data = data;
    if (this.isConnected) this.redraw();
  }

  connectedCallback(): void {
    if (!this.#isBuilt) this.build(this.hasAttribute('bare'));
    this.#isBuilt = true;
    this.#forget = onThemeChange(() => this.redraw());
    this.redraw();
  }

  disconnectedCallback(): void {
    this.#forget?.();
  }

  protected redraw(): void {
    if (this.#data) this.draw(this.#data);
  }

  /** Puts in what stays whatever is drawn. */
  protected abstract build(isBare: boolean): void;
  protected abstract draw(data: Data): void;
  /** All values, the names of the columns first. */
  protected abstract table(): string[][];
}

export abstract class FramedFigure<Data extends object> extends Figure<Data> {
  /** None around a bare picture. */
  protected frame: Frame | undefined;
  /** The drawing, and what lies over it. */
  protected abstract readonly layers: readonly [drawing: Element, ...over: Element[]];
  protected abstract readonly pointing: Pointing;

  /** The drawing as it can be kept, its colours written out. */
  protected abstract copy(): SVGElement;

  protected override build(isBare: boolean): void {
    if (isBare) return this.replaceChildren(this.layers[0]);
    this.frame = makeFrame(this, () => this.redraw(), { drawing: () => this.copy(), table: () => this.table() });
    this.frame.area.append(...this.layers);
    this.frame.setReadout('');
    startPointing(this.frame.area, this.pointing);
  }
}
