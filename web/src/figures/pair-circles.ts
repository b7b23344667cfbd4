// <pair-circles>: a rotary encoding's pairs of channels as clocks: each hand shows how far the pair has been turned
// at one position, with the last few positions behind it.
import { make, makeSvg, plainCopy, setAttributes, setText } from '../lib/dom.js';
import { formatValue } from '../lib/format.js';
import { t } from '../lib/language.js';
import { Figure } from './figure.js';
import { makeSaveButtons, titleOf } from './save.js';
import { colourAt, makeSheet } from './sheet.js';

export interface PairCirclesData {
  /** Row-major [2, pairs]: cosines, then sines, at `position`. */
  values: Float32Array;
  shape: readonly [2, pairs: number];
  /** The tables that `values` are a row of, [positions, pairs] each. */
  cos: Float32Array;
  sin: Float32Array;
  position: number;
}

const trail = 10;
const mostShown = 32;
const perRow = 8;
/** As many clocks fill the place in two rows. */
const few = 8;
const clockSize = 80;

interface Clock {
  pair: number;
  element: HTMLElement;
  hand: SVGLineElement;
  tip: SVGCircleElement;
  dots: SVGCircleElement[];
  turn: HTMLElement;
}

/** At most `most` pairs, evenly spread, the first and the last among them. */
function shownPairs(pairs: number, most: number): number[] {
  const count = Math.min(pairs, most);
  return Array.from({ length: count }, (_, i) => (count === 1 ? 0 : Math.round((i * (pairs - 1)) / (count - 1))));
}

function makeClock(pair: number): Clock {
  const hand = makeSvg('line', { x1: 0, y1: 0, x2: 1, y2: 0, class: 'hand' });
  const tip = makeSvg('circle', { r: 0.11, class: 'tip' });
  const dots = Array.from({ length: trail }, (_, i) => {
    const dot = makeSvg('circle', { r: 0.05, class: 'trail' });
    dot.style.opacity = String(1 - (i + 1) / (trail + 1));
    return dot;
  });
  const face = makeSvg('circle', { r: 1, class: 'face' });
  const start = makeSvg('line', { x1: 0.86, y1: 0, x2: 1, y2: 0, class: 'start' });
  const svg = makeSvg('svg', { viewBox: '-1.2 -1.2 2.4 2.4', 'aria-hidden': 'true' }, face, start, ...dots, hand, tip);
  const turn = make('span', { className: 'turn' });
  const name = make('span', { textContent: t('pair {0}', pair) });
  return { pair, hand, tip, dots, turn, element: make('li', {}, svg, name, turn) };
}

/** The period of a pair in positions, from its angle at position 1. */
export function periodOf(cos: number, sin: number): number {
  const angle = Math.abs(Math.atan2(sin, cos));
  return angle === 0 ? Infinity : (2 * Math.PI) / angle;
}

export class PairCircles extends Figure<PairCirclesData> {
  readonly #list = make('ul');
  #clocks: Clock[] = [];
  #most = mostShown;

  protected override build(isBare: boolean): void {
    if (isBare) this.#most = few;
    const buttons = makeSaveButtons(this, { svg: () => this.#sheet(), table: () => this.table() });
    this.replaceChildren(this.#list, ...(isBare ? [] : [make('div', { className: 'plot-tools' }, buttons)]));
  }

  /** The clocks in rows of eight. */
  #sheet(): SVGSVGElement {
    const drawing = makeSvg('svg');
    for (const [i, { element }] of this.#clocks.entries()) {
      const clock = plainCopy(element.querySelector('svg')!);
      const shown = [...element.querySelectorAll('svg > *')];
      for (const [j, part] of [...clock.children].entries()) {
        const { stroke, strokeWidth, fill } = getComputedStyle(shown[j]!);
        const plain = (colour: string): string => (colour === 'none' ? colour : colourAt(this, colour));
        const opacity = (shown[j] as SVGElement).style.opacity || '1';
        setAttributes(part, { stroke: plain(stroke), 'stroke-width': strokeWidth, fill: plain(fill), opacity });
      }
      const place = { x: (i % perRow) * clockSize, y: Math.floor(i / perRow) * clockSize, width: clockSize, height: clockSize };
      for (const [name, value] of Object.entries(place)) clock.setAttribute(name, String(value));
      drawing.append(clock);
    }
    const size = [perRow * clockSize, Math.ceil(this.#clocks.length / perRow) * clockSize] as const;
    return makeSheet(this, titleOf(this), size, drawing, { x: [], y: [], labels: ['', ''], legend: { colours: [], names: [], lines: false } });
  }

  protected override table(): string[][] {
    const { values, shape } = this.data!;
    const rows = Array.from({ length: shape[1] }, (_, pair) => [String(pair), String(values[pair]), String(values[shape[1] + pair])]);
    return [['pair', 'cos', 'sin'], ...rows];
  }

  protected override draw(data: PairCirclesData): void {
    const pairs = shownPairs(data.shape[1], this.#most);
    if (pairs.join() !== this.#clocks.map(({ pair }) => pair).join()) {
      this.#clocks = pairs.map(makeClock);
      this.#list.replaceChildren(...this.#clocks.map(({ element }) => element));
      this.#list.classList.toggle('is-few', pairs.length <= few);
    }
    for (const clock of this.#clocks) this.#turn(clock, data);
  }

  #turn({ pair, hand, tip, dots, turn }: Clock, { cos, sin, shape, position }: PairCirclesData): void {
    const pairs = shape[1];
    const point = (at: number): [number, number] => {
      const x = cos[at * pairs + pair]!;
      const y = sin[at * pairs + pair]!;
      const length = Math.hypot(x, y) || 1;
      return [x / length, -y / length];
    };
    const [x, y] = point(position);
    hand.setAttribute('x2', String(x));
    hand.setAttribute('y2', String(y));
    tip.setAttribute('cx', String(x));
    tip.setAttribute('cy', String(y));
    for (const [i, dot] of dots.entries()) {
      const before = position - 1 - i;
      dot.toggleAttribute('hidden', before < 0);
      if (before < 0) continue;
      const [dotX, dotY] = point(before);
      dot.setAttribute('cx', String(dotX));
      dot.setAttribute('cy', String(dotY));
    }
    const degrees = (Math.atan2(-y, x) * 180) / Math.PI;
    setText(turn, `${Math.round((degrees + 360) % 360)}\u00b0`);
    const period = cos.length > pairs ? periodOf(cos[pairs + pair]!, sin[pairs + pair]!) : Infinity;
    turn.title = t('period {0} positions', formatValue(period));
  }
}

customElements.define('pair-circles', PairCircles);

declare global {
  interface HTMLElementTagNameMap {
    'pair-circles': PairCircles;
  }
}
