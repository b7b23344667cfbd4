// onnxruntime-web as a rival: graphs of its operators, one thread. It takes arrays and gives new ones.
import { model, type ModelNode } from '../../../scripts/bench/onnx.mjs';
import type { Output } from './plan.js';
import type { Attend, Contestant, Rival, Task } from './task.js';

interface OrtTensor {
  data: unknown;
  dispose(): void;
}
interface Session {
  run(feeds: Readonly<Record<string, OrtTensor>>): Promise<Readonly<Record<string, OrtTensor>>>;
  release(): Promise<void>;
}
/** What is used of the package. */
export interface Ort {
  env: { wasm: { numThreads?: number | undefined }; logLevel?: string | undefined };
  InferenceSession: { create(model: Uint8Array): Promise<Session> };
  Tensor: new (type: 'float32', data: Float32Array, shape: readonly number[]) => OrtTensor;
}

type Constants = NonNullable<Parameters<typeof model>[0]['constants']>;
type Inputs = Readonly<Record<string, readonly [Float32Array, readonly number[]]>>;

interface Graph {
  opset: number;
  nodes: readonly ModelNode[];
  inputs: Inputs;
  constants?: Constants;
  shape: readonly number[];
}

const step = (type: string, inputs: readonly string[], output: string, attributes: ModelNode['attributes'] = {}): ModelNode =>
  ({ type, inputs, outputs: [output], attributes });

/** For each pair of a query and a key its place on the line of distances. */
export function windowIndices(count: number): number[] {
  return Array.from({ length: count * count }, (_, at) => (at % count) - Math.floor(at / count) + count - 1);
}

/** What is added to scores: the bias, and so much where a key comes later that nothing is left of it. */
export function causalMask({ heads, count, bias }: Attend): Float32Array {
  return Float32Array.from({ length: (bias ? heads : 1) * count * count }, (_, at) => {
    const isLater = at % count > Math.floor(at / count) % count;
    return isLater ? -1e9 : (bias?.[at] ?? 0);
  });
}

function attendGraphs(task: Attend): Graph[] {
  const { heads, count, width, q, k, v, bias, turn } = task;
  const shape = [1, heads, count, width];
  const inputs: Inputs = { q: [q, shape], k: [k, shape], v: [v, shape] };
  const mask = { data: causalMask(task), shape: [1, bias ? heads : 1, count, count] };
  const factors = turn ? { cos: { data: turn.cos, shape: [1, count, width / 2] }, sin: { data: turn.sin, shape: [1, count, width / 2] } } : {};
  const [from, turning]: [[string, string], ModelNode[]] = turn
    ? [['tq', 'tk'], [turnNode('q', 'tq', turn.isHalf), turnNode('k', 'tk', turn.isHalf)]]
    : [['q', 'k'], []];
  const scale = { data: new Float32Array([1 / Math.sqrt(width)]), shape: [] };
  return [
    { opset: 23, inputs, shape, constants: { mask, ...factors }, nodes: [...turning, step('Attention', [...from, 'v', 'mask'], 'out')] },
    { opset: 23, inputs, shape, constants: { mask, scale, ...factors }, nodes: [
      ...turning,
      step('Mul', [from[0], 'scale'], 'scaled'),
      step('Transpose', [from[1]], 'turned', { perm: [0, 1, 3, 2] }),
      step('MatMul', ['scaled', 'turned'], 'products'),
      step('Add', ['products', 'mask'], 'scores'),
      step('Softmax', ['scores'], 'weights', { axis: 3 }),
      step('MatMul', ['weights', 'v'], 'out'),
    ] },
  ];
}

const turnNode = (from: string, to: string, isHalf: boolean): ModelNode => step('RotaryEmbedding', [from, 'cos', 'sin'], to, { interleaved: isHalf ? 0 : 1 });

/** The graphs that do a task; where there are two, the faster one is measured. */
function graphsFor(task: Task): Graph[] {
  const { shape } = task;
  if (task.kind === 'attend') return attendGraphs(task);
  if (task.kind === 'turn') {
    const { x, cos, sin, heads, length, width, isHalf } = task;
    const factors = [1, length, width / 2];
    const full = [1, heads, length, width];
    return [{ opset: 23, shape: full, inputs: { x: [x, full] }, constants: { cos: { data: cos, shape: factors }, sin: { data: sin, shape: factors } }, nodes: [turnNode('x', 'out', isHalf)] }];
  }
  if (task.kind === 'sines' && !task.x) {
    const { length, width } = task;
    const places = Float32Array.from({ length }, (_, i) => i);
    const rates = { data: Float32Array.from({ length: width / 2 }, (_, i) => 10000 ** ((-2 * i) / width)), shape: [1, width / 2, 1] };
    return [{ opset: 21, shape: [length, width / 2, 2], inputs: { places: [places, [length, 1, 1]] }, constants: { rates }, nodes: [
      step('Mul', ['places', 'rates'], 'angles'), step('Sin', ['angles'], 's'), step('Cos', ['angles'], 'c'), step('Concat', ['s', 'c'], 'out', { axis: 2 }),
    ] }];
  }
  if (task.kind === 'bias') {
    const { heads, count, line } = task;
    const index = { data: BigInt64Array.from(windowIndices(count), BigInt), shape: [count, count] };
    return [{ opset: 21, shape, inputs: { line: [line, [heads, 2 * count - 1]] }, constants: { index }, nodes: [step('Gather', ['line', 'index'], 'out', { axis: 1 })] }];
  }
  return [];
}

async function open(ort: Ort, { opset, nodes, inputs, constants = {}, shape }: Graph): Promise<Contestant> {
  const shapes = Object.fromEntries(Object.entries(inputs).map(([name, [, extents]]) => [name, extents]));
  const session = await ort.InferenceSession.create(model({ opset, nodes, inputs: shapes, outputs: { out: shape }, constants }));
  const feeds = Object.fromEntries(Object.entries(inputs).map(([name, [data, extents]]) => [name, new ort.Tensor('float32', data, extents)]));
  let last: OrtTensor | undefined;
  return {
    run: () => session.run(feeds).then(({ out }) => void (last = out)),
    result: () => last?.data as Float32Array,
    dispose: () => void session.release(),
  };
}

async function fastest(contestants: readonly Contestant[]): Promise<Contestant> {
  const times: number[] = [];
  for (const { run } of contestants) {
    let least = Infinity;
    for (let i = 0; i < 5; i++) {
      const start = performance.now();
      await run();
      least = Math.min(least, performance.now() - start);
    }
    times.push(least);
  }
  const best = times.indexOf(Math.min(...times));
  contestants.forEach((one, i) => i !== best && one.dispose?.());
  return contestants[best]!;
}

/** The package as a rival; `load` gives it. */
export async function startOrt(load: () => Promise<Ort>): Promise<Rival> {
  const start = performance.now();
  const ort = await load();
  ort.env.wasm.numThreads = 1;
  ort.env.logLevel = 'error';
  const first = await open(ort, graphsFor({ kind: 'sines', shape: [16, 64], length: 16, width: 64, x: undefined })[0]!);
  await first.run();
  first.dispose?.();
  return {
    loadTime: performance.now() - start,
    async prepare(task: Task, output: Output) {
      const graphs = output === 'new' ? graphsFor(task) : [];
      const contestants: Contestant[] = [];
      for (const graph of graphs) contestants.push(await open(ort, graph));
      return contestants.length > 1 ? fastest(contestants) : contestants[0];
    },
  };
}
