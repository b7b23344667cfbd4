import { sources } from './sources.js';
import type { Rule } from './types.js';

/** Graphs, code, sequences of life, and sets. */
export const structureRules: readonly Rule[] = [
  {
    id: 'graph', tasks: ['graph'], points: 9, source: sources.graphTransformer,
    text: 'Eigenvectors of the graph, or random walks, say where a node is without numbering the nodes.',
  },
  {
    id: 'relation', tasks: ['graph'], points: 8, source: sources.graphormer,
    text: 'A learned number for every length of path between two nodes, as in Graphormer.',
  },
  {
    id: 'relation', tasks: ['code'], points: 5, source: sources.graphormer,
    text: 'Relations of the syntax tree become biases; beside an encoding of the order.',
  },
  {
    id: 'graph', tasks: ['code'], points: 2, source: sources.graphTransformer,
    text: 'Places in the syntax tree.',
  },
  { id: 'nope', tasks: ['graph'], points: 1, text: 'Where all structure is in the features.' },
  {
    id: 'nope', tasks: ['set'], points: 10, source: sources.nope,
    text: 'Order means nothing in a set: without positions, and without a causal mask, reordered inputs give reordered outputs.',
  },
  {
    id: 'rope', tasks: ['biology'], points: 3, source: sources.rope,
    text: 'ESM-2 and many models of proteins and DNA use it.',
  },
  {
    id: 't5', tasks: ['biology'], points: 1, source: sources.t5,
    text: 'Near neighbours get numbers of their own.',
  },
  {
    id: 'learned', tasks: ['biology'], points: 1, source: sources.bert,
    text: 'Used by the first protein models, for a fixed length.',
  },
];
