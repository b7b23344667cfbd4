// Where the nodes of a graph are drawn: in layers by their steps from a first node, children below their parent. What
// the first does not reach begins again beside it.

export interface Layout {
  /** Of each node, both from 0 to 1: from the left, and from the top. */
  x: Float64Array;
  y: Float64Array;
}

/** Neighbours of every node, from a flat list of edges' ends. */
function neighboursOf(nodes: number, edges: readonly number[]): number[][] {
  const lists = Array.from({ length: nodes }, (): number[] => []);
  for (let i = 0; i + 1 < edges.length; i += 2) {
    const [a, b] = [edges[i]!, edges[i + 1]!];
    if (a === b) continue;
    lists[a]?.push(b);
    lists[b]?.push(a);
  }
  return lists;
}

export function layOut(nodes: number, edges: readonly number[]): Layout {
  const neighbours = neighboursOf(nodes, edges);
  const depth = new Int32Array(nodes).fill(-1);
  const children = Array.from({ length: nodes }, (): number[] => []);
  const order: number[] = [];
  const roots: number[] = [];
  for (let root = 0; root < nodes; root++) {
    if (depth[root] !== -1) continue;
    depth[root] = 0;
    roots.push(root);
    for (const queue = [root]; queue.length > 0; ) {
      const node = queue.shift()!;
      order.push(node);
      for (const next of neighbours[node]!) {
        if (depth[next] !== -1) continue;
        depth[next] = depth[node]! + 1;
        children[node]!.push(next);
        queue.push(next);
      }
    }
  }
  return { x: across(nodes, roots, children), y: down(depth, order) };
}

/** Leaves side by side, parents over the middle of their children. */
function across(nodes: number, roots: readonly number[], children: readonly (readonly number[])[]): Float64Array {
  const x = new Float64Array(nodes);
  let leaves = 0;
  // Without recursion: a path may be as long as the graph.
  const stack = [...roots].reverse().map((node) => ({ node, next: 0 }));
  while (stack.length > 0) {
    const top = stack.at(-1)!;
    const own = children[top.node]!;
    if (top.next < own.length) {
      stack.push({ node: own[top.next++]!, next: 0 });
      continue;
    }
    x[top.node] = own.length === 0 ? leaves++ : (x[own[0]!]! + x[own.at(-1)!]!) / 2;
    stack.pop();
  }
  return x.map((value) => (value + 0.5) / leaves);
}

function down(depth: Int32Array, order: readonly number[]): Float64Array {
  const layers = order.reduce((most, node) => Math.max(most, depth[node]!), 0) + 1;
  return Float64Array.from(depth, (layer) => (layer + 0.5) / layers);
}
