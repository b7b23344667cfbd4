// Encodings that are told a graph: the number of every node, drawn on it.
import type { Encoding } from 'posenc';
import type { GraphDrawingData } from '../figures/graph-drawing.js';
import { t } from '../lib/language.js';
import type { Picture } from './family.js';
import { columnOf } from './maps.js';

export interface Graph {
  nodes: number;
  edges: readonly number[];
}

interface Told {
  nodes?: number;
  edges?: readonly number[];
  parents?: readonly number[];
}

/** The graph among an encoding's options: edges, or the parent of every node. */
export function graphOf({ options }: Encoding): Graph | undefined {
  const { nodes, edges, parents } = options as Told;
  if (edges) return { nodes: nodes ?? Math.max(-1, ...edges) + 1, edges };
  return parents && { nodes: parents.length, edges: parents.flatMap((parent, node) => (parent < 0 ? [] : [parent, node])) };
}

/** Channel `channel` of rows [nodes, width]; the colours span all channels. */
export function graphData({ nodes, edges }: Graph, rows: Float32Array, width: number, channel: number): GraphDrawingData {
  const largest = rows.reduce((most, value) => Math.max(most, Math.abs(value)), 0) || 1;
  return {
    values: columnOf(rows, channel, width),
    shape: [nodes],
    edges,
    scale: 'signed',
    limits: [-largest, largest],
    about: t('Channel {0} over the graph', channel),
  };
}

export function graphPicture(graph: Graph, rows: Float32Array, width: number, channel: number): Picture {
  return {
    key: 'graph',
    title: t('Channel {0} over the graph', channel),
    caption: t('One number of every node\u2019s vector, in the same colours for all channels. Play goes through all channels.'),
    size: 'wide',
    plays: 'channel',
    figure: 'graph-drawing',
    data: graphData(graph, rows, width, channel),
  };
}
