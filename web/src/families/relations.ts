// An example for encodings that read how two tokens are related instead of where they stand: a binary tree.

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
