// A case made ready to run by one build of the library, and said for rivals where it can be said without the library.
import type { BiasEncoding, Encoding, HeapTensor, InputEncoding, Posenc, RotaryEncoding, Tensor } from 'posenc';
import { random } from '../../../scripts/bench/by-hand.mjs';
import { exampleRelations } from '../families/relations.js';
import { createEncoding, entryOf } from '../model/create.js';
import { complete, toOptions } from '../model/options.js';
import { fillZeros } from '../model/stand-ins.js';
import { sizeValues, type Case, type Output, type Size } from './plan.js';
import { biasTask, rowsTask, turnTask, attendTask } from './say.js';
import { countOf, type Contestant, type Task } from './task.js';

export interface Prepared extends Contestant {
  /** Shape of the result. */
  shape: readonly number[];
  /** Bytes that have to be read and written at least. */
  bytes: number;
  /** Bytes that cross the boundary to wasm memory and back. */
  boundary: number;
  /** Floating-point operations, where they can be counted without knowing the encoding. */
  flops: number | undefined;
  task(): Task | undefined;
  dispose(): void;
}

type Positions = { data: Float64Array; shape: readonly number[] };
type Operand = HeapTensor | { data: Float32Array; shape: readonly number[] };
type Call = (options: { into?: HeapTensor | Float32Array }) => Tensor | HeapTensor | Float32Array;

/** Positions where counting up is not enough: eight along every axis, again and again. */
function positionsOf({ axes }: Encoding, count: number): Positions | undefined {
  if (axes === 1) return undefined;
  return { data: Float64Array.from({ length: count * axes }, (_, i) => Math.floor(i / axes) % 8), shape: [count, axes] };
}

/** Tensors where the case wants them, and everything that has to be freed after it. */
class Bench {
  readonly #owned: { dispose(): void }[] = [];
  readonly posenc: Posenc;
  readonly #output: Output;
  #seed: number;

  constructor(posenc: Posenc, output: Output, seed: number) {
    this.posenc = posenc;
    this.#output = output;
    this.#seed = seed;
  }

  own<T extends { dispose(): void }>(thing: T): T {
    this.#owned.push(thing);
    return thing;
  }

  values(shape: readonly number[]): Float32Array {
    return random(countOf(shape), this.#seed++);
  }

  operand(values: Float32Array, shape: readonly number[]): Operand {
    return this.#output === 'heap' ? this.own(this.posenc.tensor(shape, values)) : { data: values, shape };
  }

  /** The call made a contestant, with its result where the case wants it. */
  contestant(shape: readonly number[], call: Call): Contestant {
    if (this.#output === 'heap') {
      const out = this.own(this.posenc.tensor(shape));
      return { run: () => void call({ into: out }), result: () => out.view() };
    }
    if (this.#output === 'into') {
      const out = new Float32Array(countOf(shape));
      return { run: () => void call({ into: out }), result: () => out };
    }
    let last: Float32Array | undefined;
    return { run: () => void (last = (call({}) as Tensor).data), result: () => last! };
  }

  dispose(): void {
    for (let thing = this.#owned.pop(); thing; thing = this.#owned.pop()) thing.dispose();
  }
}

type Ready = Contestant & Pick<Prepared, 'shape' | 'flops' | 'task'> & {
  /** Numbers read, beside those of the result. */
  reads: number;
};

function prepareInput(bench: Bench, encoding: InputEncoding & { readsX?: boolean }, isAdd: boolean, { length }: Size): Ready {
  const shape = [length, encoding.width];
  const { readsX = false } = encoding;
  const positions = readsX ? undefined : positionsOf(encoding, length);
  if (!isAdd) {
    const call: Call = (options) => encoding.encode(positions ?? length, options);
    return { ...bench.contestant(shape, call), shape, flops: undefined, reads: 0, task: () => rowsTask(encoding, length, undefined) };
  }
  const values = bench.values(shape);
  const x = bench.operand(values, shape);
  const place = { ...(positions ? { positions } : {}), ...(readsX && encoding.axes === 2 ? { grid: [8, length / 8] } : {}) };
  const call: Call = (options) => encoding.add(x, { ...place, ...options });
  return { ...bench.contestant(shape, call), shape, flops: undefined, reads: countOf(shape), task: () => rowsTask(encoding, length, values) };
}

function prepareApply(bench: Bench, rope: RotaryEncoding, { length, heads }: Size): Ready {
  const shape = [heads, length, rope.headDim];
  const positions = positionsOf(rope, length);
  const values = bench.values(shape);
  const x = bench.operand(values, shape);
  const place = positions ? { positions } : {};
  return {
    ...bench.contestant(shape, (options) => rope.apply(x, { ...place, ...options })),
    shape,
    flops: 3 * heads * length * rope.rotaryDim,
    reads: countOf(shape),
    task: () => turnTask(rope, positions ?? length, values, shape),
  };
}

/** Where tokens stand and how they are related, as calls of biases and of attention take it. */
function pairCall(encoding: Encoding & { relations?: number }, count: number) {
  const positions = positionsOf(encoding, count);
  const kinds = encoding.relations ?? 0;
  return {
    ...(positions ? { positions: { q: positions, k: positions } } : {}),
    ...(kinds > 0 ? { relations: exampleRelations(count, kinds) } : {}),
  };
}

function prepareBias(bench: Bench, bias: BiasEncoding & { relations?: number }, { pairs }: Size): Ready {
  const shape = [bias.heads, pairs, pairs];
  const place = pairCall(bias, pairs);
  const isLine = bias.axes === 1 && !bias.relations;
  return {
    ...bench.contestant(shape, (options) => bias.bias(pairs, pairs, { ...place, ...options })),
    shape,
    flops: undefined,
    reads: 0,
    task: () => (isLine ? biasTask(bias, pairs) : undefined),
  };
}

function prepareAttention(bench: Bench, encoding: Encoding, { pairs, heads, headDim }: Size): Ready {
  const shape = [heads, pairs, headDim];
  const values = [0, 1, 2].map(() => bench.values(shape)) as [Float32Array, Float32Array, Float32Array];
  const [q, k, v] = values.map((part) => bench.operand(part, shape)) as [Operand, Operand, Operand];
  const attention = bench.own(bench.posenc.attention({ heads, headDim, causal: true, encodings: [encoding] }));
  const place = pairCall(encoding, pairs);
  return {
    ...bench.contestant(shape, (options) => attention.forward(q, k, v, { ...place, ...options })),
    shape,
    flops: 2 * heads * headDim * pairs * (pairs + 1),
    reads: 3 * countOf(shape),
    task: () => attendTask(encoding, values, shape, place),
  };
}

function ready(bench: Bench, encoding: Encoding, { operation, size }: Case): Ready {
  switch (operation) {
    case 'apply': return prepareApply(bench, encoding as RotaryEncoding, size);
    case 'bias': return prepareBias(bench, encoding as BiasEncoding, size);
    case 'attention': return prepareAttention(bench, encoding, size);
    default: return prepareInput(bench, encoding as InputEncoding, operation === 'add', size);
  }
}

/** Makes the encoding with the size's options, and everything that a run needs. Throws what the library refuses. */
export function prepare(posenc: Posenc, one: Case, seed: number): Prepared {
  const entry = entryOf(one.id);
  if (!entry) throw new Error(`no encoding ${one.id}`);
  const bench = new Bench(posenc, one.output, seed);
  try {
    const given = Object.fromEntries(Object.entries(sizeValues(one.size)).filter(([name]) => entry.fields.some((field) => field.name === name)));
    const encoding = bench.own(createEncoding(posenc, one.id, toOptions(entry.fields, complete(entry.fields, given))));
    fillZeros(encoding);
    const { reads, ...made } = ready(bench, encoding, one);
    const bytes = 4 * (reads + countOf(made.shape));
    return { ...made, bytes, boundary: one.output === 'heap' ? 0 : bytes, dispose: () => bench.dispose() };
  } catch (error) {
    bench.dispose();
    throw error;
  }
}
