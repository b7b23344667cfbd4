// <graph-drawing>: the nodes and edges of a graph, each node with the colour of a number.
import { colours, gradient, type ColourScale } from '../lib/colour.js';
import { make, makeSvg, plainCopy, setAttributes } from '../lib/dom.js';
import { formatValue } from '../lib/format.js';
import { t } from '../lib/language.js';
import { onThemeChange } from '../lib/theme.js';
import { makeFrame, type Frame } from './frame.js';
import { layOut, type Layout } from './graph-layout.js';
import { startPointing, type Place } from './pointing.js';
import { colourAt } from './sheet.js';

export interface GraphDrawingData {
  /** One number per node. */
  values: Float32Array;
  shape: readonly [nodes: number];
  /** Both ends of every edge, one after the other. */
  edges: readonly number[];
  scale: ColourScale;
  /** What the ends of the colour map stand for. */
  limits: readonly [low: number, high: number];
  about: string;
}

const [width, height] = [1000, 500];

/** Nodes get smaller where there are many. */
const radiusOf = (nodes: number): number => Math.max(5, Math.min(30, 120 / Math.sqrt(nodes)));

export class GraphDrawing extends HTMLElement {
  readonly #svg = makeSvg('svg', { viewBox: `0 0 ${width} ${height}`, role: 'img' });
  readonly #cursor = make('div', { className: 'point-cursor', hidden: true });
  #frame: Frame | undefined;
  #data: GraphDrawingData | undefined;
  #layout: Layout = { x: new Float64Array(), y: new Float64Array() };
  #drawnEdges = '';
  #nodes: SVGCircleElement[] = [];
  #forget: (() => void) | undefined;

  /** What is drawn; setting it redraws. */
  get data(): GraphDrawingData | undefined {
    return this.#data;
  }

  set data(data: GraphDrawingData | undefined) {
    if (data === this.#data) return;
    this.#data = data;
    if (this.isConnected) this.#draw();
  }

  connectedCallback(): void {
    if (this.hasAttribute('bare')) {
      this.replaceChildren(this.#svg);
    } else if (!this.#frame) {
      this.#frame = makeFrame(this, () => {}, { drawing: () => this.#drawing(), table: () => this.#values() });
      this.#frame.area.append(this.#svg, this.#cursor);
      this.#frame.setReadout('');
      startPointing(this.#frame.area, {
        size: () => ({ columns: this.#data?.shape[0] ?? 1, rows: 1 }),
        placeAt: (x, y) => ({ column: this.#nearest(x, y), row: 0 }),
        show: (place) => this.#show(place),
      });
    }
    this.#forget = onThemeChange(() => this.#draw());
    this.#draw();
  }

  disconnectedCallback(): void {
    this.#forget?.();
  }

  #nearest(x: number, y: number): number {
    const far = (node: number): number => Math.hypot(2 * (this.#layout.x[node]! - x), this.#layout.y[node]! - y);
    return Array.from(this.#layout.x.keys()).reduce((best, node) => (far(node) < far(best) ? node : best), 0);
  }

  #draw(): void {
    const data = this.#data;
    if (!data) return;
    const edges = `${data.shape[0]}: ${data.edges.join()}`;
    if (edges !== this.#drawnEdges) this.#build(data);
    this.#drawnEdges = edges;
    const fills = colours(data.values, data.scale, ...data.limits);
    for (const [i, node] of this.#nodes.entries()) node.setAttribute('fill', fills[i]!);
    this.#svg.setAttribute('aria-label', this.#describe(data));
    if (this.#frame) this.#decorate(this.#frame, data);
  }

  #build({ shape: [nodes], edges }: GraphDrawingData): void {
    this.#layout = layOut(nodes, edges);
    const at = (node: number): [number, number] => [width * this.#layout.x[node]!, height * this.#layout.y[node]!];
    const lines: SVGElement[] = [];
    for (let i = 0; i + 1 < edges.length; i += 2) {
      const [[x1, y1], [x2, y2]] = [at(edges[i]!), at(edges[i + 1]!)];
      // Edges within a layer are bent, past the nodes between.
      const bend = y1 === y2 ? Math.min(60, Math.abs(x1 - x2) / 4) : 0;
      lines.push(makeSvg('path', { d: `M${x1},${y1}Q${(x1 + x2) / 2},${(y1 + y2) / 2 + bend} ${x2},${y2}`, class: 'edge' }));
    }
    this.#nodes = Array.from({ length: nodes }, (_, node) => {
      const [cx, cy] = at(node);
      return makeSvg('circle', { cx, cy, r: radiusOf(nodes), class: 'node' });
    });
    this.#svg.replaceChildren(...lines, ...this.#nodes);
  }

  #decorate(frame: Frame, { values, scale, limits: [low, high] }: GraphDrawingData): void {
    frame.setLegend(gradient(scale, 24), [low, (low + high) / 2, high].map(formatValue));
    frame.setTable({
      columns: [t('node'), t('value')],
      rows: () => Array.from(values, (value, node) => [`${t('node')} ${node}`, formatValue(value)]),
      note: t('All values.'),
    });
    this.#show(undefined);
  }

  #drawing(): SVGElement {
    const copy = plainCopy(this.#svg);
    for (const [i, element] of [...copy.children].entries()) {
      const { stroke, strokeWidth, fill } = getComputedStyle(this.#svg.children[i]!);
      setAttributes(element, { stroke: colourAt(this, stroke), 'stroke-width': strokeWidth, fill: fill === 'none' ? fill : colourAt(this, fill) });
    }
    return copy;
  }

  #values(): string[][] {
    return [[t('node'), t('value')], ...Array.from(this.#data?.values ?? [], (value, node) => [String(node), String(value)])];
  }

  #describe({ about, values, edges }: GraphDrawingData): string {
    return t('{0}: a graph of {1} nodes and {2} edges, values from {3} to {4}.', about, values.length, edges.length / 2, formatValue(Math.min(...values)), formatValue(Math.max(...values)));
  }

  #show(place: Place | undefined): void {
    const data = this.#data;
    if (!data || !this.#frame) return;
    this.#cursor.hidden = !place;
    if (!place) return this.#frame.setReadout('');
    this.#cursor.style.left = `${100 * this.#layout.x[place.column]!}%`;
    this.#cursor.style.bottom = `${100 * (1 - this.#layout.y[place.column]!)}%`;
    this.#frame.setReadout(`${t('node')} ${place.column}: ${formatValue(data.values[place.column]!)}`);
  }
}

customElements.define('graph-drawing', GraphDrawing);

declare global {
  interface HTMLElementTagNameMap {
    'graph-drawing': GraphDrawing;
  }
}
