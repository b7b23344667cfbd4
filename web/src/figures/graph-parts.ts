// The lines of a graph's drawing, in its own units: edges, and how one node is related to all others.
import { makeSvg } from '../lib/dom.js';
import type { Layout } from './graph-layout.js';

/** The drawing's units. */
export const [width, height] = [1000, 500];

type Point = readonly [x: number, y: number];

export const pointOf = ({ x, y }: Layout, node: number): Point => [width * x[node]!, height * y[node]!];

/** Nodes get smaller where there are many. */
export const radiusOf = (nodes: number): number => Math.max(5, Math.min(30, 120 / Math.sqrt(nodes)));

/** Edges within a layer are bent, past the nodes between. */
function edgeBetween([x1, y1]: Point, [x2, y2]: Point): string {
  const bend = y1 === y2 ? Math.min(60, Math.abs(x1 - x2) / 4) : 0;
  return `M${x1},${y1}Q${(x1 + x2) / 2},${(y1 + y2) / 2 + bend} ${x2},${y2}`;
}

/** The lines of a graph; `edges` has both ends of each, one after the other. */
export function edgeLines(layout: Layout, edges: readonly number[]): SVGElement[] {
  return Array.from({ length: Math.floor(edges.length / 2) }, (_, i) =>
    makeSvg('path', { d: edgeBetween(pointOf(layout, edges[2 * i]!), pointOf(layout, edges[2 * i + 1]!)), class: 'edge' }),
  );
}

/** How far a line between two nodes bows out, as part of its length: it keeps clear of edges and of nodes on its way. */
const bow = 0.16;

/** A line from `from` to `to` that stops at the circle around `to`, bowed upwards. */
export function relationLine(from: Point, to: Point, radius: number): string {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const length = Math.hypot(dx, dy) || 1;
  const side = dx < 0 ? -1 : 1;
  const middle: Point = [(from[0] + to[0]) / 2 + side * bow * dy, (from[1] + to[1]) / 2 - side * bow * dx];
  const last = Math.hypot(to[0] - middle[0], to[1] - middle[1]) || 1;
  const stop = Math.min(radius, length / 2) / last;
  const end: Point = [to[0] + (middle[0] - to[0]) * stop, to[1] + (middle[1] - to[1]) * stop];
  return `M${from.map(Math.round).join()}Q${middle.map(Math.round).join()} ${end.map(Math.round).join()}`;
}

/** Text in the middle of a node. */
export function nodeText([x, y]: Point, radius: number): SVGTextElement {
  return makeSvg('text', { x, y, class: 'node-text', 'text-anchor': 'middle', 'dominant-baseline': 'central', 'font-size': Math.round(radius) });
}
