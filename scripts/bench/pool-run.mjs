// The pool against one instance and against onnxruntime-web with as many threads, in Node.js and in a page alike.
import { random } from './by-hand.mjs';
import { model } from './onnx.mjs';
import { timeInTurns } from './timing.mjs';

const size = { heads: 8, length: 1024, width: 64 };

/**
 * Causal attention with ALiBi, [8, 1024, 64], from typed arrays to a new one.
 * @returns {{ variant: string, isEqual: boolean, times: Record<string, { least: number, median: number }> }}
 */
export async function measure({ load, ort, variant = 'auto', workers = 2, budget = 10_000 }) {
  const { heads, length, width } = size;
  const posenc = await load({ simd: variant });
  const encoding = posenc.alibi({ heads });
  const attention = posenc.attention({ heads, headDim: width, causal: true, encodings: [encoding] });
  const [q, k, v] = [3, 4, 5].map((seed) => ({ data: random(heads * length * width, seed), shape: [heads, length, width] }));
  const pool = posenc.pool({ workers });
  const one = attention.forward(q, k, v).data;
  const many = (await pool.forward(attention, q, k, v)).data;
  const runs = {
    'one instance': () => attention.forward(q, k, v),
    [`pool, ${workers} workers`]: () => pool.forward(attention, q, k, v),
    ...(ort && { [`onnxruntime-web, ${workers} threads`]: await rival(ort, [q, k, v], encoding.slopes.data) }),
  };
  const times = await timeInTurns(runs, { budget, rounds: 1000 });
  pool.dispose();
  return { variant: posenc.variant, isEqual: one.every((value, i) => Object.is(value, many[i])), times };
}

/** Its Attention operator; the bias is a constant of the model, with -1e9 where a key is hidden. */
async function rival(ort, tensors, slopes) {
  const { heads, length, width } = size;
  const bias = Float32Array.from({ length: heads * length * length }, (_, at) => {
    const distance = (at % length) - (Math.floor(at / length) % length);
    return distance > 0 ? -1e9 : slopes[Math.floor(at / length ** 2)] * distance;
  });
  const shape = [1, heads, length, width];
  const session = await ort.InferenceSession.create(model({
    inputs: { q: shape, k: shape, v: shape }, outputs: { out: shape }, opset: 23, constants: { mask: { data: bias, shape: [1, heads, length, length] } },
    nodes: [{ type: 'Attention', inputs: ['q', 'k', 'v', 'mask'], outputs: ['out'] }],
  }));
  const feeds = Object.fromEntries(['q', 'k', 'v'].map((name, i) => [name, new ort.Tensor('float32', tensors[i].data, shape)]));
  return () => session.run(feeds);
}
