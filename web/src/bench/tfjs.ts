// tfjs with its wasm backend as a rival, without threads. Tensors stay in the backend, or come from arrays and go into new ones.
import { causalMask, windowIndices } from './ort.js';
import type { Output } from './plan.js';
import type { Attend, Contestant, Rival, Task, Turn } from './task.js';

interface TfTensor {
  dataSync(): Float32Array;
  dispose(): void;
}
type Shape = readonly number[];
/** What is used of the package. */
export interface Tf {
  env(): { set(flag: string, value: boolean): void };
  setBackend(name: string): Promise<boolean>;
  ready(): Promise<void>;
  tidy<T extends TfTensor>(make: () => T): T;
  tensor(data: Float32Array | Int32Array, shape: Shape, type?: string): TfTensor;
  add(a: TfTensor, b: TfTensor): TfTensor;
  sub(a: TfTensor, b: TfTensor): TfTensor;
  mul(a: TfTensor, b: TfTensor | number): TfTensor;
  sin(a: TfTensor): TfTensor;
  cos(a: TfTensor): TfTensor;
  concat(tensors: TfTensor[], axis: number): TfTensor;
  reshape(a: TfTensor, shape: Shape): TfTensor;
  slice(a: TfTensor, begin: Shape, size: Shape): TfTensor;
  gather(a: TfTensor, indices: TfTensor, axis: number): TfTensor;
  matMul(a: TfTensor, b: TfTensor, transposeA?: boolean, transposeB?: boolean): TfTensor;
  softmax(a: TfTensor): TfTensor;
}

type Arrays = Readonly<Record<string, readonly [Float32Array, Shape]>>;
type Tensors = Readonly<Record<string, TfTensor>>;

/** A task in tensors: those of the model, made once, and those of a call. */
interface Graph {
  fixed: Tensors;
  given: Arrays;
  run(tensors: Tensors): TfTensor;
}

function turned(tf: Tf, x: TfTensor, cos: TfTensor, sin: TfTensor, { heads, length, width, isHalf }: Pick<Turn, 'heads' | 'length' | 'width' | 'isHalf'>): TfTensor {
  const half = width / 2;
  const [size, across] = isHalf ? [[heads, length, half], x] : [[heads * length * half, 1], tf.reshape(x, [heads * length * half, 2])];
  const part = (i: number): TfTensor => tf.slice(across, isHalf ? [0, 0, i * half] : [0, i], size);
  const [a, b] = [0, 1].map((i) => tf.reshape(part(i), [heads, length, half])) as [TfTensor, TfTensor];
  const [u, v] = [tf.sub(tf.mul(a, cos), tf.mul(b, sin)), tf.add(tf.mul(b, cos), tf.mul(a, sin))];
  if (isHalf) return tf.concat([u, v], 2);
  const apart = [u, v].map((one) => tf.reshape(one, [heads * length * half, 1]));
  return tf.reshape(tf.concat(apart, 1), [heads, length, width]);
}

const factors = (tf: Tf, { cos, sin }: { cos: Float32Array; sin: Float32Array }, length: number, width: number): { cos: TfTensor; sin: TfTensor } => ({
  cos: tf.tensor(cos, [1, length, width / 2]),
  sin: tf.tensor(sin, [1, length, width / 2]),
});

function attendGraph(tf: Tf, task: Attend): Graph {
  const { heads, count, width, q, k, v, bias, turn } = task;
  const shape = [heads, count, width];
  const mask = tf.tensor(causalMask(task), [bias ? heads : 1, count, count]);
  const pairs = { heads, length: count, width, isHalf: turn?.isHalf ?? true };
  return {
    fixed: { mask, ...(turn ? factors(tf, turn, count, width) : {}) },
    given: { q: [q, shape], k: [k, shape], v: [v, shape] },
    run({ q: queries, k: keys, v: values, mask: added, cos, sin }) {
      const [a, b] = cos && sin ? [turned(tf, queries!, cos, sin, pairs), turned(tf, keys!, cos, sin, pairs)] : [queries!, keys!];
      const scores = tf.add(tf.mul(tf.matMul(a, b, false, true), 1 / Math.sqrt(width)), added!);
      return tf.matMul(tf.softmax(scores), values!);
    },
  };
}

function graphFor(tf: Tf, task: Task): Graph | undefined {
  if (task.kind === 'attend') return attendGraph(tf, task);
  if (task.kind === 'turn') {
    const { x, length, width } = task;
    return { fixed: factors(tf, task, length, width), given: { x: [x, task.shape] }, run: ({ x: from, cos, sin }) => turned(tf, from!, cos!, sin!, task) };
  }
  if (task.kind === 'sines' && !task.x) {
    const { length, width } = task;
    const rates = tf.tensor(Float32Array.from({ length: width / 2 }, (_, i) => 10000 ** ((-2 * i) / width)), [1, width / 2, 1]);
    const places: Arrays[string] = [Float32Array.from({ length }, (_, i) => i), [length, 1, 1]];
    return { fixed: { rates }, given: { places }, run({ places: at, rates: by }) {
      const angles = tf.mul(at!, by!);
      return tf.concat([tf.sin(angles), tf.cos(angles)], 2);
    } };
  }
  if (task.kind === 'bias') {
    const { heads, count, line } = task;
    const index = tf.tensor(Int32Array.from(windowIndices(count)), [count, count], 'int32');
    return { fixed: { index }, given: { line: [line, [heads, 2 * count - 1]] }, run: ({ line: from, index: by }) => tf.gather(from!, by!, 1) };
  }
  return undefined;
}

function contestant(tf: Tf, { fixed, given, run }: Graph, output: Output): Contestant {
  const upload = (): Tensors => Object.fromEntries(Object.entries(given).map(([name, [data, shape]]) => [name, tf.tensor(data, shape)]));
  const free = (tensors: Tensors): void => Object.values(tensors).forEach((tensor) => tensor.dispose());
  if (output === 'heap') {
    const resident = upload();
    let out: TfTensor | undefined;
    return {
      run: () => (out?.dispose(), void (out = tf.tidy(() => run({ ...fixed, ...resident })))),
      result: () => out!.dataSync(),
      dispose: () => (free(fixed), free(resident), out?.dispose()),
    };
  }
  let last: Float32Array | undefined;
  const once = (): void => {
    const out = tf.tidy(() => run({ ...fixed, ...upload() }));
    last = out.dataSync();
    out.dispose();
  };
  return { run: once, result: () => last!, dispose: () => free(fixed) };
}

/** The package as a rival; `load` gives it with its wasm backend registered. */
export async function startTfjs(load: () => Promise<Tf>): Promise<Rival> {
  const start = performance.now();
  const tf = await load();
  tf.env().set('PROD', true); // it prints advice otherwise
  tf.env().set('WASM_HAS_MULTITHREAD_SUPPORT', false);
  if (!(await tf.setBackend('wasm'))) throw new Error('the wasm backend of tfjs did not start');
  await tf.ready();
  tf.tidy(() => tf.sin(tf.tensor(new Float32Array(64), [64]))).dispose();
  return {
    loadTime: performance.now() - start,
    prepare(task: Task, output: Output) {
      const graph = output === 'into' ? undefined : graphFor(tf, task);
      return Promise.resolve(graph && contestant(tf, graph, output));
    },
  };
}
