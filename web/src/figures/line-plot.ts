// <line-plot>: one or more lines over evenly spaced places. The SVG is stretched to its box and strokes keep their
// width, so nothing has to be measured.
import { make, makeSvg, plainCopy, setAttributes } from '../lib/dom.js';
import { formatValue } from '../lib/format.js';
import { t } from '../lib/language.js';
import { cellName, cellTicks, numberTicks, placeOf, type CellAxis, type NumberAxis } from './axis.js';
import { makeFrame, type Frame } from './frame.js';
import { startPointing, type Place } from './pointing.js';
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

const box = 1000;
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

export class LinePlot extends HTMLElement {
  readonly #svg = makeSvg('svg', { viewBox: `0 0 ${box} ${box}`, preserveAspectRatio: 'none', role: 'img' });
  readonly #cursor = make('div', { className: 'point-cursor', hidden: true });
  readonly #marks = make('div', { className: 'plot-marks', attributes: { 'aria-hidden': 'true' } });
  #frame: Frame | undefined;
  #data: LinePlotData | undefined;
  #limits: readonly [number, number] = [0, 1];

  /** What is drawn; setting it redraws. */
  get data(): LinePlotData | undefined {
    return this.#data;
  }

  set data(data: LinePlotData | undefined) {
    if (data === this.#data) return;
    this.#data = data;
    if (this.isConnected) this.#draw();
  }

  connectedCallback(): void {
    if (this.hasAttribute('bare')) {
      this.replaceChildren(this.#svg);
    } else if (!this.#frame) {
      this.#frame = makeFrame(this, () => this.#draw(), { drawing: () => this.#drawing(), table: () => this.#values() });
      this.#frame.area.append(this.#svg, this.#marks, this.#cursor);
      this.#frame.setReadout('');
      startPointing(this.#frame.area, {
        size: () => ({ columns: this.#data?.shape[1] ?? 1, rows: this.#data?.shape[0] ?? 1 }),
        rowAt: (column, y) => this.#nearest(column, 1 - y),
        show: (place) => this.#show(place),
      });
    }
    this.#draw();
  }

  #at(value: number): number {
    return placeOf(this.#data!.y, this.#limits[0], this.#limits[1], value);
  }

  #nearest(column: number, height: number): number {
    const { values, shape: [series, points] } = this.#data!;
    let best = 0;
    let least = Infinity;
    for (let row = 0; row < series; row++) {
      const distance = Math.abs(this.#at(values[row * points + column]!) - height);
      if (distance < least) [best, least] = [row, distance];
    }
    return best;
  }

  /** "x,y" in the SVG's units, for each value. */
  #points(values: ArrayLike<number>): string[] {
    const count = values.length;
    return Array.from(values, (value, i) => `${((box * (i + 0.5)) / count).toFixed(2)},${(box * (1 - this.#at(value))).toFixed(2)}`);
  }

  /** A path through the values, or dots at them; those without a place (infinite, or not above 0 on a log axis) are left out. */
  #path(values: Float32Array | Float64Array, { dots, y }: LinePlotData): string {
    let isDrawing = false;
    return this.#points(values)
      .map((point, i) => {
        const value = values[i]!;
        const hasPlace = Number.isFinite(value) && !(y.log && value <= 0);
        const start = dots || !isDrawing ? 'M' : 'L';
        isDrawing = hasPlace;
        return hasPlace ? `${start}${point}${dots ? 'h0' : ''}` : '';
      })
      .join('');
  }

  #draw(): void {
    const data = this.#data;
    if (!data) return;
    this.#limits = extent(data);
    const [series, points] = data.shape;
    const parts: SVGElement[] = [];
    if (data.band) {
      const outline = [...this.#points(data.band.high), ...this.#points(data.band.low).reverse()];
      parts.push(makeSvg('polygon', { points: outline.join(' '), class: 'band' }));
    }
    for (const { value } of data.marks ?? []) {
      const y = box * (1 - this.#at(value));
      parts.push(makeSvg('line', { x1: 0, x2: box, y1: y, y2: y, class: 'mark' }));
    }
    if (!data.y.log && this.#limits[0] < 0 && this.#limits[1] > 0) {
      const y = box * (1 - this.#at(0));
      parts.push(makeSvg('line', { x1: 0, x2: box, y1: y, y2: y, class: 'zero' }));
    }
    for (let row = 0; row < series; row++) {
      const d = this.#path(data.values.subarray(row * points, (row + 1) * points), data);
      const path = makeSvg('path', { d, class: data.dots ? 'series dots' : 'series' });
      path.style.stroke = data.named ? namedColour(row) : seriesColour(row, series);
      parts.push(path);
    }
    this.#svg.replaceChildren(...parts);
    this.#svg.setAttribute('aria-label', this.#describe(data));
    if (this.#frame) this.#decorate(this.#frame, data);
  }

  #decorate(frame: Frame, data: LinePlotData): void {
    const [series, points] = data.shape;
    frame.setLabels(data.x.label, data.y.label);
    frame.setTicks(
      cellTicks(data.x, points, frame.width < 480 ? 5 : 8),
      numberTicks(data.y, this.#limits[0], this.#limits[1], 6).filter(({ at }) => at >= 0 && at <= 1),
    );
    this.#marks.replaceChildren(
      ...(data.marks ?? []).map(({ value, text }) => {
        const label = make('span', { textContent: text });
        label.style.bottom = `${100 * this.#at(value)}%`;
        return label;
      }),
    );
    if (data.named) frame.setKey(data.names.map((name, row) => [namedColour(row), name]));
    else if (series > 1) frame.setLegend([seriesColour(0, 2), seriesColour(1, 2)], [data.names[0] ?? '', data.names.at(-1) ?? '']);
    else frame.setLegend([], []);
    const shown = Math.min(series, tableColumns);
    frame.setTable({
      columns: [data.x.label, ...data.names.slice(0, shown)],
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
  #drawing(): SVGElement {
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

  #values(): string[][] {
    const data = this.#data;
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
    const data = this.#data;
    if (!data || !this.#frame) return;
    this.#cursor.hidden = !place;
    for (const [row, path] of this.#svg.querySelectorAll('.series').entries()) {
      path.classList.toggle('is-shown', data.shape[0] > 1 && row === place?.row);
    }
    if (!place) return this.#frame.setReadout('');
    const value = data.values[place.row * data.shape[1] + place.column]!;
    this.#cursor.style.left = `${(100 * (place.column + 0.5)) / data.shape[1]}%`;
    this.#cursor.style.bottom = `${100 * this.#at(value)}%`;
    const name = data.shape[0] > 1 ? `${data.names[place.row]}, ` : '';
    this.#frame.setReadout(`${name}${cellName(data.x, place.column)}: ${formatValue(value)}`);
  }
}

customElements.define('line-plot', LinePlot);

declare global {
  interface HTMLElementTagNameMap {
    'line-plot': LinePlot;
  }
}
