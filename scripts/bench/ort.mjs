// onnxruntime-web as a rival: attention as its single operator and as a graph of products and a softmax, one thread, the
// bias a constant of the model.
import { model } from './onnx.mjs';

/** The rivals of the cases, by the module of onnxruntime-web. */
export function rivalsWith(ort) {
  ort.env.wasm.numThreads = 1;
  ort.env.logLevel = 'error';
  return { attention: (size, tensors, bias) => attention(ort, size, tensors, bias) };
}

async function attention(ort, { heads, queries, keys, width }, tensors, bias) {
  const inputs = { q: [1, heads, queries, width], k: [1, heads, keys, width], v: [1, heads, keys, width] };
  const common = { inputs, outputs: { out: [1, heads, queries, width] } };
  const mask = { data: bias, shape: [1, heads, queries, keys] };
  const scale = { data: new Float32Array([1 / Math.sqrt(width)]), shape: [] };
  const step = (type, from, to, attributes) => ({ type, inputs: from, outputs: [to], attributes });
  const models = {
    'onnxruntime-web, Attention': { ...common, opset: 23, constants: { mask }, nodes: [step('Attention', ['q', 'k', 'v', 'mask'], 'out')] },
    'onnxruntime-web, graph': { ...common, opset: 21, constants: { mask, scale }, nodes: [
      step('Mul', ['q', 'scale'], 'scaled'),
      step('Transpose', ['k'], 'turned', { perm: [0, 1, 3, 2] }),
      step('MatMul', ['scaled', 'turned'], 'products'),
      step('Add', ['products', 'mask'], 'scores'),
      step('Softmax', ['scores'], 'weights', { axis: 3 }),
      step('MatMul', ['weights', 'v'], 'out'),
    ] },
  };
  const runs = {};
  for (const [name, description] of Object.entries(models)) {
    const session = await ort.InferenceSession.create(model(description));
    const feeds = Object.fromEntries(Object.keys(inputs).map((key, i) => [key, new ort.Tensor('float32', tensors[i].data, inputs[key])]));
    runs[name] = () => session.run(feeds);
  }
  return runs;
}
