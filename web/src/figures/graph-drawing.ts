// <graph-drawing>: the nodes and edges of a graph, each node with the colour of a number; or how one of them is related to
// all others, as lines with names that have the numbers' colours.
import { colours, gradient, type ColourScale } from '../lib/colour.js';
import { make, makeSvg, plainCopy, setAttributes } from '../lib/dom.js';
import { formatRound, formatValue } from '../lib/format.js';
import { t } from '../lib/language.js';
import { FramedFigure } from './figure.js';
import type { Frame } from './frame.js';
import { layOut, type Layout } from './graph-layout.js';
import { edgeLines, height, nodeText, pointOf, radiusOf, relationLine, width } from './graph-parts.js';
import type { Place } from './pointing.js';
import { colourAt } from './sheet.js';

/** How one node is related to every node: by what is called that, and with the node's number. */
export interface Relations {
  from: number;
  names: readonly string[];
}

export interface GraphDrawingData {
  /** One number per node. */
  values: Float32Array;
  shape: readonly [nodes: number];
  /** Both ends of every edge, one after the other. */
  edges: readonly number[];
  relations?: Relations;
  scale: ColourScale;
  /** What the ends of the colour map stand for. */
  limits: readonly [low: number, high: number];
  about: string;
}

/** Dark or light, whichever can be read on a colour "rgb(r g b)". */
function inkOn(fill: string): string {
  const [red = 0, green = 0, blue = 0] = (fill.match(/\d+/g) ?? []).map(Number);
  return 0.3 * red + 0.59 * green + 0.11 * blue > 140 ? '#111' : '#fff';
}

export class GraphDrawing extends FramedFigure<GraphDrawingData> {
  readonly #svg = makeSvg('svg', { viewBox: `0 0 ${width} ${height}`, role: 'img' });
  readonly #cursor = make('div', { className: 'point-cursor', hidden: true });
  #layout: Layout = { x: new Float64Array(), y: new Float64Array() };
  #built = '';
  #nodes: SVGCircleElement[] = [];
  #lines: SVGPathElement[] = [];
  #texts: SVGTextElement[] = [];
  protected override readonly layers = [this.#svg, this.#cursor] as const;
  protected override readonly pointing = {
    size: () => ({ columns: this.data?.shape[0] ?? 1, rows: 1 }),
    placeAt: (x: number, y: number) => ({ column: this.#nearest(x, y), row: 0 }),
    show: (place: Place | undefined) => this.#show(place),
  };

  #nearest(x: number, y: number): number {
    const far = (node: number): number => Math.hypot(2 * (this.#layout.x[node]! - x), this.#layout.y[node]! - y);
    return Array.from(this.#layout.x.keys()).reduce((best, node) => (far(node) < far(best) ? node : best), 0);
  }

  protected override draw(data: GraphDrawingData): void {
    const key = `${data.shape[0]} ${data.relations !== undefined}: ${data.edges.join()}`;
    if (key !== this.#built) this.#buildNodes(data);
    this.#built = key;
    const fills = colours(data.values, data.scale, ...data.limits);
    for (const [i, node] of this.#nodes.entries()) node.setAttribute('fill', fills[i]!);
    if (data.relations) this.#relate(data.relations, fills);
    this.#svg.setAttribute('aria-label', this.#describe(data));
    if (this.frame) this.#decorate(this.frame, data);
  }

  #buildNodes({ shape: [nodes], edges, relations }: GraphDrawingData): void {
    this.#layout = layOut(nodes, edges);
    const all = Array.from({ length: nodes }, (_, node) => node);
    const points = all.map((node) => pointOf(this.#layout, node));
    const radius = radiusOf(nodes);
    this.#nodes = points.map(([cx, cy]) => makeSvg('circle', { cx, cy, r: radius, class: 'node' }));
    this.#lines = relations ? all.map(() => makeSvg('path', { class: 'relation' })) : [];
    this.#texts = relations ? points.map((point) => nodeText(point, radius)) : [];
    this.#svg.replaceChildren(...edgeLines(this.#layout, edges), ...this.#lines, ...this.#nodes, ...this.#texts);
  }

  /** Lines from one node to all others, named in the nodes that they lead to. */
  #relate({ from, names }: Relations, fills: readonly string[]): void {
    const start = pointOf(this.#layout, from);
    for (const [node, line] of this.#lines.entries()) {
      line.setAttribute('d', node === from ? '' : relationLine(start, pointOf(this.#layout, node), radiusOf(names.length)));
      line.setAttribute('stroke', fills[node]!);
      this.#nodes[node]!.classList.toggle('is-from', node === from);
      this.#texts[node]!.textContent = names[node]!;
      this.#texts[node]!.setAttribute('fill', inkOn(fills[node]!));
    }
  }

  #decorate(frame: Frame, { values, relations, scale, limits: [low, high] }: GraphDrawingData): void {
    frame.setLegend(gradient(scale, 24), [low, (low + high) / 2, high].map(formatRound));
    frame.setTable({
      columns: () => [t('node'), ...(relations ? [t('relation')] : []), t('value')],
      rows: () => Array.from(values, (value, node) => [`${t('node')} ${node}`, ...(relations ? [relations.names[node]!] : []), formatValue(value)]),
      note: t('All values.'),
    });
    this.#show(undefined);
  }

  protected override copy(): SVGElement {
    const copy = plainCopy(this.#svg);
    const shown = [...this.#svg.children];
    for (const [i, element] of [...copy.children].entries()) {
      const { stroke, strokeWidth, fill } = getComputedStyle(shown[i]!);
      const plain = (colour: string): string => (colour === 'none' ? colour : colourAt(this, colour));
      setAttributes(element, { stroke: plain(stroke), 'stroke-width': strokeWidth, fill: plain(fill) });
      if (shown[i] instanceof SVGTextElement) element.textContent = shown[i].textContent;
    }
    return copy;
  }

  protected override table(): string[][] {
    const { values, relations } = this.data ?? {};
    const named = (node: number): string[] => (relations ? [relations.names[node]!] : []);
    const rows = Array.from(values ?? [], (value, node) => [String(node), ...named(node), String(value)]);
    return [[t('node'), ...(relations ? [t('relation')] : []), t('value')], ...rows];
  }

  #describe({ about, values, edges, relations }: GraphDrawingData): string {
    const [low, high] = [formatValue(Math.min(...values)), formatValue(Math.max(...values))];
    if (!relations) return t('{0}: a graph of {1} nodes and {2} edges, values from {3} to {4}.', about, values.length, edges.length / 2, low, high);
    return t('{0}: lines from node {1} to each of {2} nodes, named by the relation, values from {3} to {4}.', about, relations.from, values.length, low, high);
  }

  #show(place: Place | undefined): void {
    const { data, frame } = this;
    if (!data || !frame) return;
    this.#cursor.hidden = !place;
    for (const [node, line] of this.#lines.entries()) line.classList.toggle('is-shown', node === place?.column);
    if (!place) return frame.setReadout('');
    const node = place.column;
    this.#cursor.style.left = `${100 * this.#layout.x[node]!}%`;
    this.#cursor.style.bottom = `${100 * (1 - this.#layout.y[node]!)}%`;
    const name = data.relations ? `, ${t('relation')} ${data.relations.names[node]}` : '';
    frame.setReadout(`${t('node')} ${node}${name}: ${formatValue(data.values[node]!)}`);
  }
}

customElements.define('graph-drawing', GraphDrawing);

declare global {
  interface HTMLElementTagNameMap {
    'graph-drawing': GraphDrawing;
  }
}
