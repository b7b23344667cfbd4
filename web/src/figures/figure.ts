// What the elements of all pictures share: their data, drawn when it is set and when the theme changes; and for those with a
// frame, the frame around the drawing, which a `bare` one (the gallery's) goes without. A picture that is far from the visible
// part of the page is drawn again when it comes near.
import { onThemeChange } from '../lib/theme.js';
import { makeFrame, type Frame } from './frame.js';
import { startPointing, type Pointing } from './pointing.js';

const watch = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) (target as Figure<object>).come(isIntersecting);
}, { rootMargin: '25%' });

export abstract class Figure<Data extends object> extends HTMLElement {
  #data: Data | undefined;
  #isBuilt = false;
  #isNear = true; // until the watch says otherwise: the first drawing gives a picture its size
  #isStale = false;
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
    const forgetTheme = onThemeChange(() => this.redraw());
    const print = (): void => this.catchUp();
    window.addEventListener('beforeprint', print);
    watch.observe(this);
    this.#forget = () => {
      forgetTheme();
      window.removeEventListener('beforeprint', print);
      watch.unobserve(this);
    };
    this.redraw();
  }

  disconnectedCallback(): void {
    this.#forget?.();
    this.#isNear = true;
  }

  /** Near the visible part of the page, or away from it. */
  come(isNear: boolean): void {
    this.#isNear = isNear;
    if (isNear) this.catchUp();
  }

  /** Draws what was left for later. */
  protected catchUp(): void {
    if (this.#isStale && this.#data) this.draw(this.#data);
    this.#isStale = false;
  }

  protected redraw(): void {
    this.#isStale = true;
    if (this.#isNear) this.catchUp();
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

  private drawing(): SVGElement {
    this.catchUp();
    return this.copy();
  }

  protected override build(isBare: boolean): void {
    if (isBare) return this.replaceChildren(this.layers[0]);
    this.frame = makeFrame(this, () => this.redraw(), { drawing: () => this.drawing(), table: () => this.table() });
    this.frame.area.append(...this.layers);
    this.frame.setReadout('');
    startPointing(this.frame.area, this.pointing);
  }
}
