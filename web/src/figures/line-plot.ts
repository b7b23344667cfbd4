// <line-plot>: one or more lines over evenly spaced places. The SVG is stretched to its box and strokes keep their
// width, so nothing has to be measured.
import { make, makeSvg, plainCopy, setAttributes, setParts, type SvgPart } from '../lib/dom.js';
import { formatValue } from '../lib/format.js';
import { t } from '../lib/language.js';
import { cellName, cellTicks, numberTicks, placeOf, type CellAxis, type NumberAxis } from './axis.js';
import { FramedFigure } from './figure.js';
import type { Frame } from './frame.js';
import type { Place } from './pointing.js';
import { colourAt } from './sheet.js';

export interface LinePlotData {
  /** Row-major [series, points]. */
  values: Float32Array | Float64Array;
  shape: readonly [series: number, points: number];
  /** One per series: "head 0". */
  names: readonly string[];
  x: CellAxis;
  y: NumberAxis;
  /** The ends of the y axis; by default those of the data. */
  limits?: readonly [low: number, high: number];
  /** The range around the first line, [points] each. */
  band?: { low: ArrayLike<number>; high: ArrayLike<number> };
  /** Horizontal lines with a name. */
  marks?: readonly { value: number; text: string }[];
  /** Every line's name in the legend, in place of the first and the last. */
  named?: boolean;
  /** Points in place of a line: for a quantity between whose places nothing lies. */
  dots?: boolean;
  about: string;
}

/** Places are whole numbers of these: quick to write, and finer than any screen. */
const box = 10000;
const tableColumns = 32;

/** The colour of series i of n, from the accent towards its warm opposite. */
function seriesColour(i: number, count: number): string {
  const share = count > 1 ? (100 * i) / (count - 1) : 0;
  return `color-mix(in oklab, var(--accent), var(--series-end) ${share.toFixed(1)}%)`;
}

/** The colour of one of a few lines that have nothing in common. */
const namedColour = (i: number): string => `var(--line-${i % 4})`;

function extent(data: LinePlotData): readonly [number, number] {
  if (data.limits) return data.limits;
  const { band, marks = [] } = data;
  let low = Infinity;
  let high = -Infinity;
  for (const values of [data.values, marks.map(({ value }) => value), band?.low ?? [], band?.high ?? []]) {
    for (let i = 0; i < values.length; i++) {
      const value = values[i]!;
      if (!Number.isFinite(value) || (data.y.log && value <= 0)) continue;
      if (value < low) low = value;
      if (value > high) high = value;
    }
  }
  if (low > high) return data.y.log ? [0.1, 10] : [-1, 1];
  if (data.y.log) return [low / 1.5, high * 1.5];
  const margin = (high - low || Math.abs(high) || 1) * 0.04;
  return [low - margin, high + margin];
}

export class LinePlot extends FramedFigure<LinePlotData> {
  readonly #svg = makeSvg('svg', { viewBox: `0 0 ${box} ${box}`, preserveAspectRatio: 'none', role: 'img' });
  readonly #cursor = make('div', { className: 'point-cursor', hidden: true });
  readonly #marks = make('div', { className: 'plot-marks', attributes: { 'aria-hidden': 'true' } });
  #series: SVGElement[] = [];
  #limits: readonly [number, number] = [0, 1];
  protected override readonly layers = [this.#svg, this.#marks, this.#cursor] as const;
  protected override readonly pointing = {
    size: () => ({ columns: this.data?.shape[1] ?? 1, rows: this.data?.shape[0] ?? 1 }),
    rowAt: (column: number, y: number) => this.#nearest(column, 1 - y),
    show: (place: Place | undefined) => this.#show(place),
  };

  #at(value: number): number {
    return placeOf(this.data!.y, this.#limits[0], this.#limits[1], value);
  }

  #nearest(column: number, height: number): number {
    const { values, shape: [series, points] } = this.data!;
    let best = 0;
    let least = Infinity;
    for (let row = 0; row < series; row++) {
      const distance = Math.abs(this.#at(values[row * points + column]!) - height);
      if (distance < least) [best, least] = [row, distance];
    }
    return best;
  }

  /** How far down the box a value stands. */
  #down(value: number): number {
    return Math.round(box * (1 - this.#at(value)));
  }

  /** "x,y" for each value. */
  #points(values: ArrayLike<number>): string[] {
    const step = box / values.length;
    return Array.from(values, (value, i) => `${Math.round(step * (i + 0.5))},${this.#down(value)}`);
  }

  /** A path through the values, or dots at them; those without a place (infinite, or not above 0 on a log axis) are left out. */
  #path(values: Float32Array | Float64Array, { dots, y }: LinePlotData): string {
    const step = box / values.length;
    let path = '';
    let isDrawing = false;
    for (let i = 0; i < values.length; i++) {
      const value = values[i]!;
      const hasPlace = Number.isFinite(value) && !(y.log && value <= 0);
      if (hasPlace) path += `${dots || !isDrawing ? 'M' : 'L'}${Math.round(step * (i + 0.5))},${this.#down(value)}${dots ? 'h0' : ''}`;
      isDrawing = hasPlace;
    }
    return path;
  }

  /** What lies below the lines. */
  #ground({ band, marks = [], y: { log } }: LinePlotData): SvgPart[] {
    const across = (value: number, name: string): SvgPart => {
      const y = this.#down(value);
      return { tag: 'line', attributes: { x1: 0, x2: box, y1: y, y2: y, class: name } };
    };
    const outline = band && [...this.#points(band.high), ...this.#points(band.low).reverse()].join(' ');
    return [
      ...(outline ? [{ tag: 'polygon', attributes: { points: outline, class: 'band' } } as const] : []),
      ...marks.map(({ value }) => across(value, 'mark')),
      ...(!log && this.#limits[0] < 0 && this.#limits[1] > 0 ? [across(0, 'zero')] : []),
    ];
  }

  protected override draw(data: LinePlotData): void {
    this.#limits = extent(data);
    const [series, points] = data.shape;
    const ground = this.#ground(data);
    const lines = Array.from({ length: series }, (_, row): SvgPart => {
      const d = this.#path(data.values.subarray(row * points, (row + 1) * points), data);
      return { tag: 'path', attributes: { d, class: data.dots ? 'series dots' : 'series' } };
    });
    this.#series = setParts(this.#svg, [...ground, ...lines]).slice(ground.length);
    for (const [row, path] of this.#series.entries()) {
      path.style.stroke = data.named ? namedColour(row) : seriesColour(row, series);
      // Dots that stand close together do not grow into a line.
      path.style.strokeWidth = data.dots && this.frame ? `${Math.min(6, Math.max(2, (0.8 * this.frame.width) / points))}` : '';
    }
    this.#svg.setAttribute('aria-label', this.#describe(data));
    if (this.frame) this.#decorate(this.frame, data);
  }

  /** Names of the marks: where the lines are farther away, and of several the lowest below its line. */
  #name({ marks = [], values, shape: [series, points] }: LinePlotData): HTMLElement[] {
    const lowest = Math.min(...marks.map(({ value }) => value));
    const room = (mark: number, column: number): number =>
      Math.min(...Array.from({ length: series }, (_, row) => Math.abs(this.#at(values[row * points + column]!) - this.#at(mark))));
    return marks.map(({ value, text }) => {
      const label = make('span', { textContent: text });
      label.classList.toggle('is-left', room(value, 0) > room(value, points - 1));
      label.classList.toggle('is-below', marks.length > 1 && value === lowest);
      label.style.bottom = `${100 * this.#at(value)}%`;
      return label;
    });
  }

  #decorate(frame: Frame, data: LinePlotData): void {
    const [series, points] = data.shape;
    frame.setLabels(data.x.label, data.y.label);
    frame.setTicks(
      cellTicks(data.x, points, frame.width < 480 ? 5 : 8),
      numberTicks(data.y, this.#limits[0], this.#limits[1], 6).filter(({ at }) => at >= 0 && at <= 1),
    );
    this.#marks.replaceChildren(...this.#name(data));
    if (data.named) frame.setKey(data.names.map((name, row) => [namedColour(row), name]));
    else if (series > 1) frame.setLegend([seriesColour(0, 2), seriesColour(1, 2)], [data.names[0] ?? '', data.names.at(-1) ?? '']);
    else frame.setLegend([], []);
    const shown = Math.min(series, tableColumns);
    frame.setTable({
      columns: () => [data.x.label, ...data.names.slice(0, shown)],
      rows: () =>
        Array.from({ length: points }, (_, i) => [
          cellName(data.x, i),
          ...Array.from({ length: shown }, (_, row) => formatValue(data.values[row * points + i]!)),
        ]),
      note: shown < series ? t('The first {0} of {1} lines.', shown, series) : t('All values.'),
    });
    this.#show(undefined);
  }

  /** The lines with their colours and widths written out. */
  protected override copy(): SVGElement {
    const copy = plainCopy(this.#svg);
    const shown = [...this.#svg.children];
    for (const [i, element] of [...copy.children].entries()) {
      const { stroke, strokeWidth, strokeDasharray, fill, strokeLinecap } = getComputedStyle(shown[i]!);
      const plain = (colour: string): string => (colour === 'none' ? colour : colourAt(this, colour));
      setAttributes(element, {
        ...{ stroke: plain(stroke), fill: plain(fill), 'stroke-width': strokeWidth, 'stroke-dasharray': strokeDasharray },
        ...{ 'stroke-linecap': strokeLinecap, 'vector-effect': 'non-scaling-stroke' },
      });
    }
    return copy;
  }

  protected override table(): string[][] {
    const { data } = this;
    if (!data) return [];
    const { values, shape: [series, points], names, x } = data;
    const rows = Array.from({ length: points }, (_, i) => [cellName(x, i), ...Array.from({ length: series }, (_line, row) => String(values[row * points + i]))]);
    return [[x.label, ...names], ...rows];
  }

  #describe({ about, values, shape: [series, points], x, y }: LinePlotData): string {
    const [first, last] = [formatValue(values[0]!), formatValue(values[points - 1]!)];
    if (series === 1) return t('{0}: a line of {1} points, {2} by {3}, from {4} to {5}.', about, points, y.label, x.label, first, last);
    return t('{0}: {1} lines of {2} points, {3} by {4}.', about, series, points, y.label, x.label);
  }

  #show(place: Place | undefined): void {
    const { data, frame } = this;
    if (!data || !frame) return;
    this.#cursor.hidden = !place;
    for (const [row, path] of this.#series.entries()) {
      path.classList.toggle('is-shown', data.shape[0] > 1 && row === place?.row);
    }
    if (!place) return frame.setReadout('');
    const value = data.values[place.row * data.shape[1] + place.column]!;
    this.#cursor.style.left = `${(100 * (place.column + 0.5)) / data.shape[1]}%`;
    this.#cursor.style.bottom = `${100 * this.#at(value)}%`;
    const name = data.shape[0] > 1 ? `${data.names[place.row]}, ` : '';
    frame.setReadout(`${name}${cellName(data.x, place.column)}: ${formatValue(value)}`);
  }
}

customElements.define('line-plot', LinePlot);

declare global {
  interface HTMLElementTagNameMap {
    'line-plot': LinePlot;
  }
}
