// <heat-map>: a matrix as coloured cells. One canvas pixel is one cell, and CSS stretches the canvas, so that a redraw
// costs the number of cells whatever the picture's size, and the box never changes with the numbers.
import { gradient, paint, type ColourScale } from '../lib/colour.js';
import { make, makeSvg } from '../lib/dom.js';
import { formatRound, formatValue } from '../lib/format.js';
import { t } from '../lib/language.js';
import { cellName, cellTicks, type CellAxis } from './axis.js';
import { makeBackdrop, type Backdrop, type BackdropLayers } from './backdrop.js';
import { FramedFigure } from './figure.js';
import type { Frame } from './frame.js';
import type { Place } from './pointing.js';

export interface HeatMapData {
  /** Row-major [rows, columns]. */
  values: Float32Array;
  shape: readonly [rows: number, columns: number];
  rows: CellAxis;
  columns: CellAxis;
  /** `x`: rows run to the right and columns upwards, as tables of positions are drawn; `y`: as matrices are. */
  rowsAlong: 'x' | 'y';
  scale: ColourScale;
  /** Only differences between values count, as of what is added to scores before a softmax. */
  level?: boolean;
  /** What the ends of the colour map stand for; by default the largest size on both sides (signed), 0 to it (share), or the
   * smallest to the largest where shares, or values of which only differences count, are close together and far from 0. */
  limits?: readonly [low: number, high: number];
  /** A picture to see through the cells, with lines between them. */
  backdrop?: Backdrop;
  /** A cell that the values are about. */
  marked?: readonly [row: number, column: number];
  /** Called with a cell that is clicked. */
  pick?: (row: number, column: number) => void;
  /** What it shows, for those who do not see it: "Rows of the encoding". */
  about: string;
}

const tableRows = 64;
const tableColumns = 32;

type Range = readonly [low: number, high: number];

/** The smallest and the largest finite value; none where there is no such value. */
function rangeOf(values: Float32Array): Range | undefined {
  let [low, high] = [Infinity, -Infinity];
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (value < low && value !== -Infinity) low = value;
    if (value > high && value !== Infinity) high = value;
  }
  return low <= high ? [low, high] : undefined;
}

/** Shares that are all alike but for rounding stay of one colour; those that differ by more may fill the map. */
const [nearest, noise] = [0.5, 0.01];

/** The colour map and what its ends stand for. */
function colouringOf({ scale, limits, level = scale === 'share' }: HeatMapData, [low, high]: Range): { scale: ColourScale; low: number; high: number } {
  if (limits) return { scale, low: limits[0], high: limits[1] };
  const largest = Math.max(-low, high) || 1;
  const [least, most] = high < 0 ? [-high, -low] : [low, high];
  if (level && least > nearest * most && most - least > noise * most) return { scale: 'share', low, high };
  return { scale, low: scale === 'signed' ? -largest : 0, high: largest };
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

export class HeatMap extends FramedFigure<HeatMapData> {
  readonly #canvas = make('canvas', { attributes: { role: 'img' } });
  readonly #context = this.#canvas.getContext('2d');
  readonly #mark = make('div', { className: 'cell-mark', hidden: true });
  readonly #cursor = make('div', { className: 'cell-cursor', hidden: true });
  #backdrop: BackdropLayers | undefined;
  #image: ImageData | undefined;
  protected override readonly layers = [this.#canvas, this.#mark, this.#cursor] as const;
  protected override readonly pointing = {
    size: () => this.#size(),
    show: (place: Place | undefined) => this.#show(place),
    choose: (place: Place) => this.data?.pick?.(...this.#cellAt(place, this.data)),
  };

  #size(): { columns: number; rows: number } {
    const [rows, columns] = this.data?.shape ?? [1, 1];
    return this.data?.rowsAlong === 'x' ? { columns: rows, rows: columns } : { columns, rows };
  }

  /** Room for the picture's pixels, kept while its size is the same. */
  #pixels(width: number, height: number, context: CanvasRenderingContext2D): ImageData {
    if (this.#canvas.width !== width) this.#canvas.width = width;
    if (this.#canvas.height !== height) this.#canvas.height = height;
    if (this.#image?.width !== width || this.#image.height !== height) this.#image = context.createImageData(width, height);
    return this.#image;
  }

  protected override draw(data: HeatMapData): void {
    const { columns: width, rows: height } = this.#size();
    if (!this.#context) return;
    const range = rangeOf(data.values);
    const { scale, low, high } = colouringOf(data, range ?? [0, 0]);
    const image = this.#pixels(width, height, this.#context);
    paint(arrange(data), scale, low, high, new Uint32Array(image.data.buffer));
    this.#context.putImageData(image, 0, 0);
    if (this.frame && this.frame.width > 0) this.#canvas.classList.toggle('is-dense', width > this.frame.width);
    if (data.backdrop) this.#lay(data.backdrop, width, height);
    this.#mark.hidden = !data.marked;
    if (data.marked) this.#cover(this.#mark, this.#placeOf(data.marked, data));
    this.#canvas.classList.toggle('is-over', data.backdrop !== undefined);
    this.#canvas.setAttribute('aria-label', this.#describe(data, range ?? [NaN, NaN]));
    if (this.frame) this.#decorate(this.frame, data, { scale, low, high });
  }

  /** Puts a picture below the cells, and lines above them. */
  #lay(backdrop: Backdrop, columns: number, rows: number): void {
    if (!this.#backdrop) {
      this.#backdrop = makeBackdrop();
      this.#canvas.before(this.#backdrop.below);
      this.#canvas.after(this.#backdrop.lines);
    }
    this.#backdrop.show(backdrop, columns, rows);
  }

  #decorate(frame: Frame, data: HeatMapData, { scale, low, high }: ReturnType<typeof colouringOf>): void {
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
    frame.setLegend(gradient(scale, 24), [low, (low + high) / 2, high].map(formatRound));
    frame.setTable(this.#shownTable(data));
    this.#show(undefined);
  }

  /** The cells as an image within a drawing. */
  protected override copy(): SVGElement {
    const { width, height } = this.#canvas;
    const image = makeSvg('image', { href: this.#canvas.toDataURL(), width, height, preserveAspectRatio: 'none', 'image-rendering': 'pixelated' });
    const below = this.#backdrop ? [this.#backdrop.drawing(width, height)] : [];
    if (below.length > 0) image.setAttribute('opacity', getComputedStyle(this.#canvas).opacity);
    return makeSvg('svg', { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: 'none' }, ...below, image);
  }

  protected override table(): string[][] {
    const { data } = this;
    if (!data) return [];
    const { values, shape: [rows, columns], rows: rowAxis, columns: columnAxis } = data;
    const names = Array.from({ length: columns }, (_, column) => cellName(columnAxis, column));
    const cells = Array.from({ length: rows }, (_, row) => [cellName(rowAxis, row), ...Array.from(values.subarray(row * columns, (row + 1) * columns), String)]);
    return [[rowAxis.label, ...names], ...cells];
  }

  #describe({ about, shape: [rows, columns], rows: rowAxis, columns: columnAxis }: HeatMapData, [low, high]: Range): string {
    const text = '{0}: heat map of {1} by {2} values ({3} by {4}), from {5} to {6}.';
    return t(text, about, rows, columns, rowAxis.label, columnAxis.label, formatValue(low), formatValue(high));
  }

  #shownTable({ values, shape: [rows, columns], rows: rowAxis, columns: columnAxis }: HeatMapData) {
    const shownRows = Math.min(rows, tableRows);
    const shownColumns = Math.min(columns, tableColumns);
    const part = shownRows < rows || shownColumns < columns;
    return {
      columns: () => [rowAxis.label, ...Array.from({ length: shownColumns }, (_, i) => cellName(columnAxis, i))],
      rows: () =>
        Array.from({ length: shownRows }, (_, row) => [
          cellName(rowAxis, row),
          ...Array.from({ length: shownColumns }, (_, column) => formatValue(values[row * columns + column]!)),
        ]),
      note: part ? t('The first {0} of {1} rows and {2} of {3} columns.', shownRows, rows, shownColumns, columns) : t('All values.'),
    };
  }

  /** Row and column of the values at a place of the picture. */
  #cellAt({ row, column }: Place, { rowsAlong, shape }: HeatMapData): [row: number, column: number] {
    return rowsAlong === 'x' ? [column, shape[1] - 1 - row] : [row, column];
  }

  /** The place in the picture of a row and column of the values. */
  #placeOf([row, column]: readonly [number, number], { rowsAlong, shape }: HeatMapData): Place {
    return rowsAlong === 'x' ? { row: shape[1] - 1 - column, column: row } : { row, column };
  }

  /** Lays an element over a cell. */
  #cover(element: HTMLElement, { row, column }: Place): void {
    const { columns, rows } = this.#size();
    element.style.left = `${(100 * column) / columns}%`;
    element.style.top = `${(100 * row) / rows}%`;
    element.style.width = `${100 / columns}%`;
    element.style.height = `${100 / rows}%`;
  }

  #show(place: Place | undefined): void {
    const { data, frame } = this;
    if (!data || !frame) return;
    this.#cursor.hidden = !place;
    if (!place) return frame.setReadout('');
    const [row, column] = this.#cellAt(place, data);
    const value = data.values[row * data.shape[1] + column];
    this.#cover(this.#cursor, place);
    if (value === undefined) return frame.setReadout('');
    frame.setReadout(`${cellName(data.rows, row)}, ${cellName(data.columns, column)}: ${formatValue(value)}`);
  }
}

customElements.define('heat-map', HeatMap);

declare global {
  interface HTMLElementTagNameMap {
    'heat-map': HeatMap;
  }
}
