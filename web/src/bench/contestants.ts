// A case made ready to run: by one build of the library, and as plain JavaScript where that can be written without
// knowing the encoding. Tensors live in wasm memory, so what is timed is the work and not copies.
import type { BiasEncoding, Encoding, HeapTensor, InputEncoding, Posenc, RotaryEncoding } from 'posenc';
import { exampleRelations } from '../families/relations.js';
import { makeTokens } from '../families/tokens.js';
import { createEncoding, entryOf } from '../model/create.js';
import { complete, toOptions } from '../model/fields.js';
import { sizeValues, type Case, type Size } from './plan.js';
import { attend, byHand, fillBias, turnPairs } from './rivals.js';

export interface Contestant {
  run(): void;
  /** What the last run gave. */
  result(): Float32Array;
}

export interface Prepared extends Contestant {
  /** Shape of the result. */
  shape: readonly number[];
  /** Bytes that have to be read and written at least. */
  bytes: number;
  /** The same without the library, where it can be said. */
  rival: (() => Contestant) | undefined;
  dispose(): void;
}

type Positions = { data: Float64Array; shape: readonly number[] };

const countOf = (shape: readonly number[]): number => shape.reduce((product, extent) => product * extent, 1);

/** Positions where counting up is not enough: eight along every axis, again and again. */
function positionsOf({ axes }: Encoding, count: number): Positions | undefined {
  if (axes === 1) return undefined;
  return { data: Float64Array.from({ length: count * axes }, (_, i) => Math.floor(i / axes) % 8), shape: [count, axes] };
}

class Bench {
  readonly #owned: { dispose(): void }[] = [];
  readonly posenc: Posenc;

  constructor(posenc: Posenc) {
    this.posenc = posenc;
  }

  own<T extends { dispose(): void }>(thing: T): T {
    this.#owned.push(thing);
    return thing;
  }

  tensor(shape: readonly number[], values?: Float32Array): HeapTensor {
    const tensor = this.own(this.posenc.tensor(shape));
    if (values) tensor.view().set(values);
    return tensor;
  }

  dispose(): void {
    for (const thing of this.#owned.toReversed()) thing.dispose();
  }
}

type Ready = Omit<Prepared, 'dispose'>;

function prepareInput(bench: Bench, encoding: InputEncoding & { readsX?: boolean }, isAdd: boolean, { length }: Size): Ready {
  const shape = [length, encoding.width];
  const { readsX = false } = encoding;
  const positions = readsX ? undefined : positionsOf(encoding, length);
  const out = bench.tensor(shape);
  const write = byHand[encoding.id];
  const rivalOf = (x: Float32Array | undefined) =>
    write &&
    ((): Contestant => {
      const rows = new Float32Array(countOf(shape));
      return { run: () => write(length, encoding.width, x, rows), result: () => rows };
    });
  if (!isAdd) {
    return {
      run: () => void encoding.encode(positions ?? length, { into: out }),
      result: () => out.view(),
      shape,
      bytes: 4 * countOf(shape),
      rival: rivalOf(undefined),
    };
  }
  const tokens = makeTokens('random', countOf(shape), 0);
  const x = bench.tensor(shape, tokens);
  const grid = readsX && encoding.axes === 2 ? { grid: [8, length / 8] } : {};
  const options = positions ? { positions, into: out } : { ...grid, into: out };
  return {
    run: () => void encoding.add(x, options),
    result: () => out.view(),
    shape,
    bytes: 8 * countOf(shape),
    rival: rivalOf(tokens),
  };
}

function prepareApply(bench: Bench, rope: RotaryEncoding, { length, heads }: Size): Ready {
  const shape = [heads, length, rope.headDim];
  const positions = positionsOf(rope, length);
  const values = makeTokens('random', countOf(shape), 0);
  const x = bench.tensor(shape, values);
  const out = bench.tensor(shape);
  const options = positions ? { positions, into: out } : { into: out };
  return {
    run: () => void rope.apply(x, options),
    result: () => out.view(),
    shape,
    bytes: 8 * countOf(shape),
    rival: () => {
      const { cos, sin } = rope.table(positions ?? length);
      const isHalf = (rope.options as { layout?: string }).layout !== 'interleaved';
      const turn = { rows: heads, length, width: rope.headDim, turned: rope.rotaryDim, isHalf };
      const turned = new Float32Array(values.length);
      return { run: () => turnPairs(values, cos.data, sin.data, turned, turn), result: () => turned };
    },
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
  const call = pairCall(bias, pairs);
  const out = bench.tensor(shape);
  const isLine = bias.axes === 1 && !(bias.relations ?? 0);
  return {
    run: () => void bias.bias(pairs, pairs, { ...call, into: out }),
    result: () => out.view(),
    shape,
    bytes: 4 * countOf(shape),
    rival: isLine
      ? () => {
          const line = bias.bias(1, 2 * pairs - 1, { qOffset: pairs - 1 }).data;
          const filled = new Float32Array(countOf(shape));
          return { run: () => fillBias(line, bias.heads, pairs, filled), result: () => filled };
        }
      : undefined,
  };
}

function prepareAttention(bench: Bench, encoding: Encoding, { pairs, heads, headDim }: Size): Ready {
  const shape = [heads, pairs, headDim];
  const size = countOf(shape);
  const all = makeTokens('random', 3 * size, 0);
  const values = [0, 1, 2].map((i) => all.slice(i * size, (i + 1) * size)) as [Float32Array, Float32Array, Float32Array];
  const [q, k, v] = values.map((part) => bench.tensor(shape, part)) as [HeapTensor, HeapTensor, HeapTensor];
  const out = bench.tensor(shape);
  const attention = bench.own(bench.posenc.attention({ heads, headDim, causal: true, encodings: [encoding] }));
  const call = pairCall(encoding, pairs);
  const canWrite = encoding.family === 'none' || encoding.family === 'bias';
  return {
    run: () => void attention.forward(q, k, v, { ...call, into: out }),
    result: () => out.view(),
    shape,
    bytes: 16 * size,
    rival: canWrite
      ? () => {
          const bias = encoding.family === 'bias' ? (encoding as BiasEncoding).bias(pairs, pairs, call).data : undefined;
          const mixed = new Float32Array(size);
          return { run: () => attend(...values, bias, mixed, { heads, count: pairs, width: headDim }), result: () => mixed };
        }
      : undefined,
  };
}

/** Makes the encoding with the size's options, and everything that a run needs. Throws what the library refuses. */
export function prepare(posenc: Posenc, { id, operation, size }: Case): Prepared {
  const entry = entryOf(id);
  if (!entry) throw new Error(`no encoding ${id}`);
  const bench = new Bench(posenc);
  try {
    const given = Object.fromEntries(Object.entries(sizeValues(size)).filter(([name]) => entry.fields.some((field) => field.name === name)));
    const encoding = bench.own(createEncoding(posenc, id, toOptions(entry.fields, complete(entry.fields, given))));
    const make = (): Ready => {
      if (operation === 'apply') return prepareApply(bench, encoding as RotaryEncoding, size);
      if (operation === 'bias') return prepareBias(bench, encoding as BiasEncoding, size);
      if (operation === 'attention') return prepareAttention(bench, encoding, size);
      return prepareInput(bench, encoding as InputEncoding, operation === 'add', size);
    };
    return { ...make(), dispose: () => bench.dispose() };
  } catch (error) {
    bench.dispose();
    throw error;
  }
}
