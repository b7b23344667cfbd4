// <heat-map>: a matrix as coloured cells. One canvas pixel is one cell, and CSS stretches the canvas, so that a redraw
// costs the number of cells whatever the picture's size, and the box never changes with the numbers.
import { gradient, paint, type ColourScale } from '../lib/colour.js';
import { make, makeSvg } from '../lib/dom.js';
import { formatValue } from '../lib/format.js';
import { t } from '../lib/language.js';
import { onThemeChange } from '../lib/theme.js';
import { cellName, cellTicks, type CellAxis } from './axis.js';
import { makeFrame, type Frame } from './frame.js';
import { startPointing, type Place } from './pointing.js';

export interface HeatMapData {
  /** Row-major [rows, columns]. */
  values: Float32Array;
  shape: readonly [rows: number, columns: number];
  rows: CellAxis;
  columns: CellAxis;
  /** `x`: rows run to the right and columns upwards, as tables of positions are drawn; `y`: as matrices are. */
  rowsAlong: 'x' | 'y';
  scale: ColourScale;
  /** What the ends of the colour map stand for; by default the largest size on both sides (signed), 0 to it (share). */
  limits?: readonly [low: number, high: number];
  /** What it shows, for those who do not see it: "Rows of the encoding". */
  about: string;
}

const tableRows = 64;
const tableColumns = 32;

function limitsOf({ values, scale, limits }: HeatMapData): readonly [number, number] {
  if (limits) return limits;
  let largest = 0;
  for (const value of values) {
    if (Math.abs(value) > largest && Number.isFinite(value)) largest = Math.abs(value);
  }
  largest ||= 1;
  return scale === 'signed' ? [-largest, largest] : [0, largest];
}

/** Values in the order of the picture's pixels, from the top left. */
function arrange({ values, shape: [rows, columns], rowsAlong }: HeatMapData): ArrayLike<number> {
  if (rowsAlong === 'y') return values;
  const picture = new Float32Array(values.length);
  for (let column = 0; column < columns; column++) {
    const start = (columns - 1 - column) * rows;
    for (let row = 0; row < rows; row++) picture[start + row] = values[row * columns + column]!;
  }
  return picture;
}

export class HeatMap extends HTMLElement {
  readonly #canvas = make('canvas', { attributes: { role: 'img' } });
  readonly #cursor = make('div', { className: 'cell-cursor', hidden: true });
  #frame: Frame | undefined;
  #data: HeatMapData | undefined;
  #forget: (() => void) | undefined;

  /** What is drawn; setting it redraws. */
  get data(): HeatMapData | undefined {
    return this.#data;
  }

  set data(data: HeatMapData | undefined) {
    if (data === this.#data) return;
    this.#data = data;
    if (this.isConnected) this.#draw();
  }

  connectedCallback(): void {
    const plain = this.hasAttribute('bare');
    if (!this.#frame && !plain) {
      this.#frame = makeFrame(this, () => this.#draw(), { drawing: () => this.#drawing(), table: () => this.#values() });
      this.#frame.area.append(this.#canvas, this.#cursor);
      this.#frame.setReadout('');
      startPointing(this.#frame.area, { size: () => this.#size(), show: (place) => this.#show(place) });
    } else if (plain) {
      this.replaceChildren(this.#canvas);
    }
    this.#forget = onThemeChange(() => this.#draw());
    this.#draw();
  }

  disconnectedCallback(): void {
    this.#forget?.();
  }

  #size(): { columns: number; rows: number } {
    const [rows, columns] = this.#data?.shape ?? [1, 1];
    return this.#data?.rowsAlong === 'x' ? { columns: rows, rows: columns } : { columns, rows };
  }

  #draw(): void {
    const data = this.#data;
    if (!data) return;
    const { columns: width, rows: height } = this.#size();
    if (this.#canvas.width !== width) this.#canvas.width = width;
    if (this.#canvas.height !== height) this.#canvas.height = height;
    const context = this.#canvas.getContext('2d');
    if (!context) return;
    const [low, high] = limitsOf(data);
    const image = context.createImageData(width, height);
    paint(arrange(data), data.scale, low, high, new Uint32Array(image.data.buffer));
    context.putImageData(image, 0, 0);
    if (this.#frame) this.#canvas.classList.toggle('is-dense', width > this.#frame.width);
    this.#canvas.setAttribute('aria-label', this.#describe(data));
    if (this.#frame) this.#decorate(this.#frame, data, low, high);
  }

  #decorate(frame: Frame, data: HeatMapData, low: number, high: number): void {
    const [rows, columns] = data.shape;
    const most = frame.width < 480 ? 5 : 10;
    if (data.rowsAlong === 'x') {
      frame.setLabels(data.rows.label, data.columns.label);
      frame.setTicks(cellTicks(data.rows, rows, most), cellTicks(data.columns, columns, 8));
    } else {
      frame.setLabels(data.columns.label, data.rows.label);
      const down = cellTicks(data.rows, rows, 8).map(({ at, text }) => ({ at: 1 - at, text }));
      frame.setTicks(cellTicks(data.columns, columns, Math.min(8, most)), down);
    }
    frame.setLegend(gradient(data.scale, 24), [low, (low + high) / 2, high].map(formatValue));
    frame.setTable(this.#table(data));
    this.#show(undefined);
  }

  /** The cells as an image within a drawing. */
  #drawing(): SVGElement {
    const { width, height } = this.#canvas;
    const image = makeSvg('image', { href: this.#canvas.toDataURL(), width, height, preserveAspectRatio: 'none', 'image-rendering': 'pixelated' });
    return makeSvg('svg', { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: 'none' }, image);
  }

  #values(): string[][] {
    const data = this.#data;
    if (!data) return [];
    const { values, shape: [rows, columns], rows: rowAxis, columns: columnAxis } = data;
    const names = Array.from({ length: columns }, (_, column) => cellName(columnAxis, column));
    const cells = Array.from({ length: rows }, (_, row) => [cellName(rowAxis, row), ...Array.from(values.subarray(row * columns, (row + 1) * columns), String)]);
    return [[rowAxis.label, ...names], ...cells];
  }

  #describe({ about, values, shape: [rows, columns], rows: rowAxis, columns: columnAxis }: HeatMapData): string {
    let low = Infinity;
    let high = -Infinity;
    for (const value of values) {
      if (value < low) low = value;
      if (value > high) high = value;
    }
    const text = '{0}: heat map of {1} by {2} values ({3} by {4}), from {5} to {6}.';
    return t(text, about, rows, columns, rowAxis.label, columnAxis.label, formatValue(low), formatValue(high));
  }

  #table({ values, shape: [rows, columns], rows: rowAxis, columns: columnAxis }: HeatMapData) {
    const shownRows = Math.min(rows, tableRows);
    const shownColumns = Math.min(columns, tableColumns);
    const part = shownRows < rows || shownColumns < columns;
    return {
      columns: [rowAxis.label, ...Array.from({ length: shownColumns }, (_, i) => cellName(columnAxis, i))],
      rows: () =>
        Array.from({ length: shownRows }, (_, row) => [
          cellName(rowAxis, row),
          ...Array.from({ length: shownColumns }, (_, column) => formatValue(values[row * columns + column]!)),
        ]),
      note: part ? t('The first {0} of {1} rows and {2} of {3} columns.', shownRows, rows, shownColumns, columns) : t('All values.'),
    };
  }

  #show(place: Place | undefined): void {
    const data = this.#data;
    if (!data || !this.#frame) return;
    this.#cursor.hidden = !place;
    if (!place) return this.#frame.setReadout('');
    const { columns: width, rows: height } = this.#size();
    const upright = data.rowsAlong === 'x';
    const row = upright ? place.column : place.row;
    const column = upright ? height - 1 - place.row : place.column;
    const value = data.values[row * data.shape[1] + column];
    this.#cursor.style.left = `${(100 * place.column) / width}%`;
    this.#cursor.style.top = `${(100 * place.row) / height}%`;
    this.#cursor.style.width = `${100 / width}%`;
    this.#cursor.style.height = `${100 / height}%`;
    if (value === undefined) return this.#frame.setReadout('');
    this.#frame.setReadout(`${cellName(data.rows, row)}, ${cellName(data.columns, column)}: ${formatValue(value)}`);
  }
}

customElements.define('heat-map', HeatMap);

declare global {
  interface HTMLElementTagNameMap {
    'heat-map': HeatMap;
  }
}
