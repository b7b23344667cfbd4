// An example for encodings that read how two tokens are related instead of where they stand: a binary tree.

import type { GraphDrawingData } from '../figures/graph-drawing.js';
import type { HeatMapData } from '../figures/heat-map.js';
import { t } from '../lib/language.js';
import type { Picture } from './family.js';

const comment = '// Tokens as the nodes of a binary tree, related by the number of steps between them.';

/** Steps between two nodes of a tree in which node n hangs at node (n - 1) / 2, rounded down. */
function stepsBetween(i: number, j: number): number {
  let steps = 0;
  for (; i !== j; steps++) {
    if (i > j) i = (i - 1) >> 1;
    else j = (j - 1) >> 1;
  }
  return steps;
}

/** Ids for every query and key, [count, count], below `kinds`. */
export function exampleRelations(count: number, kinds: number): Int32Array {
  return Int32Array.from({ length: count * count }, (_, at) => Math.min(kinds - 1, stepsBetween(Math.floor(at / count), at % count)));
}

/** Code for a variable `relations`. */
export function relationsCode(count: number, kinds: number): string[] {
  return [
    comment,
    'const steps = (i, j) => (i === j ? 0 : 1 + (i > j ? steps((i - 1) >> 1, j) : steps(i, (j - 1) >> 1)));',
    `const relations = Int32Array.from({ length: ${count * count} }, (_, at) => Math.min(${kinds - 1}, steps(Math.floor(at / ${count}), at % ${count})));`,
  ];
}

/** The edges of the tree, both ends of each. */
const treeEdges = (count: number): number[] => Array.from({ length: count - 1 }, (_, i) => [i >> 1, i + 1]).flat();

/** What one head adds from a node to every other, on the tree; colours are those of the whole matrix. */
export function relationsData({ values, shape: [count] }: HeatMapData, relations: Int32Array, from: number, about: string): GraphDrawingData {
  const largest = values.reduce((most, value) => Math.max(most, Math.abs(value) || 0), 0) || 1;
  return {
    values: values.slice(from * count, (from + 1) * count),
    shape: [count],
    edges: treeEdges(count),
    relations: { from, names: Array.from(relations.subarray(from * count, (from + 1) * count), String) },
    scale: 'signed',
    limits: [-largest, largest],
    about,
  };
}

export function relationsPicture(data: GraphDrawingData, head: number): Picture {
  const { from } = data.relations!;
  return {
    key: 'relations',
    title: t('What node {0} adds to its scores', from),
    caption: t(
      'Tokens are the nodes of a binary tree here. A line leads from node {0} to each other one; the number in a node says how they are related, by the steps between them, and its colour is the bias of head {1}. Play moves the node.',
      from, head,
    ),
    size: 'wide',
    plays: 'node',
    figure: 'graph-drawing',
    data,
  };
}
