// posenc as a competitor of the peer benchmark: the three functions that its runner asks an adapter for. It runs
// unchanged in Node and in a page; ctx.posenc is the address of the built package (dist/) with a slash at its end.
const instances = new Map();

/** One instance per variant; undefined where the engine does not run it. */
function instance(ctx, variant) {
  if (!instances.has(variant)) instances.set(variant, open(ctx, variant).catch(() => undefined));
  return instances.get(variant);
}
const entry = (ctx) => (ctx.env === 'node' ? 'node.js' : 'index.js');
async function open(ctx, variant) {
  const { load } = await import(ctx.posenc + entry(ctx));
  return load({ simd: variant });
}

// Each task is made for an instance and the inputs: `shape` of the result, and `run`, which writes into `into` or, where
// that is undefined, gives a new tensor. `heap(data, shape)` keeps an operand in wasm memory in every mode, as what
// belongs to a model; `operand(data, shape)` only in the resident one.
const tasks = {
  sinusoid: (w) => [{ name: '', make: (posenc) => {
    const encoding = posenc.sinusoidal({ dim: w.d, layout: w.layout });
    return { shape: [w.n, w.d], run: (into) => encoding.encode(w.n, into) };
  } }],

  rope: (w) => [
    { name: ' table given', make: (posenc, inputs, { heap, operand }) => {
      const rope = posenc.rope({ headDim: w.dim, layout: w.layout });
      const [cos, sin] = [inputs.cos, inputs.sin].map((data) => heap(data, [w.seq, w.dim / 2]));
      return turned(w, rope, operand(inputs.x, [w.heads, w.seq, w.dim]), { table: { cos, sin } });
    } },
    { name: ' table made', make: (posenc, inputs, { operand }) => {
      const rope = posenc.rope({ headDim: w.dim, layout: w.layout });
      return turned(w, rope, operand(inputs.x, [w.heads, w.seq, w.dim]), { positions: w.start });
    } },
  ],

  t5bias: (w) => [{ name: '', make: (posenc, { table }) => {
    const weights = { table: { data: table, shape: [w.buckets, w.heads] } };
    return bias(w, posenc.t5({ heads: w.heads, numBuckets: w.buckets, maxDistance: w.maxDistance, weights }));
  } }],
  alibi: (w) => [{ name: '', make: (posenc) => bias(w, posenc.alibi({ heads: w.heads, sides: 'symmetric' })) }],

  attention: (w) => [{ name: '', make: (posenc, inputs, { operand }) => {
    const { heads } = w;
    const encoding = w.bias === 'alibi'
      ? posenc.alibi({ heads, sides: w.causal ? 'causal' : 'symmetric' })
      : posenc.t5({ heads, weights: { table: { data: inputs.table, shape: [32, heads] } } });
    const attention = posenc.attention({ heads, headDim: w.dim, causal: w.causal, encodings: [encoding] });
    const [q, k, v] = [[inputs.q, w.q], [inputs.k, w.k], [inputs.v, w.k]].map(([data, rows]) => operand(data, [heads, rows, w.dim]));
    return {
      shape: [heads, w.q, w.dim],
      run: (into) => attention.forward(q, k, v, { ...into, qOffset: inputs.offset }),
    };
  } }],
};

function turned(w, rope, x, options) {
  return { shape: [w.heads, w.seq, w.dim], run: (into) => rope.apply(x, { ...options, ...into }) };
}

function bias(w, encoding) {
  return { shape: [w.heads, w.q, w.k], run: (into) => encoding.bias(w.q, w.k, into) };
}

/** In wasm memory throughout; from and to arrays of the caller's; or from such arrays to a new one. */
const modes = ['resident', 'into', 'e2e'];

async function prepare(posenc, task, mode, inputs) {
  const heap = (data, shape) => posenc.tensor(shape, data);
  const operand = mode === 'resident' ? heap : (data, shape) => ({ data, shape });
  const { shape, run } = task.make(posenc, inputs, { heap, operand });
  if (mode === 'e2e') {
    let out;
    return { run: () => void (out = run()), result: () => out.data };
  }
  if (mode === 'into') {
    const out = new Float32Array(shape.reduce((product, extent) => product * extent, 1));
    const options = { into: out };
    return { run: () => void run(options), result: () => out };
  }
  const out = posenc.tensor(shape);
  const options = { into: out };
  return { run: () => void run(options), result: () => out.view() };
}

export async function competitors(w, ctx) {
  if (ctx.threads > 1 || !tasks[w.kind]) return [];
  const found = [];
  for (const variant of ['simd', 'relaxed']) {
    const posenc = await instance(ctx, variant);
    if (!posenc) continue;
    for (const task of tasks[w.kind](w)) {
      for (const mode of modes) {
        found.push({ name: `posenc ${variant}${task.name}`, mode, prepare: (inputs) => prepare(posenc, task, mode, inputs) });
      }
    }
  }
  return found;
}

export async function firstResult(ctx) {
  const { load } = await import(ctx.posenc + entry(ctx));
  const posenc = await load();
  return posenc.sinusoidal({ dim: 64 }).encode(16).data;
}

/** What a page downloads: the entry with the files that it imports, and one variant. Asked for in Node. */
export function files() {
  const { readFileSync } = process.getBuiltinModule('node:fs');
  const found = new Set();
  const follow = (file) => {
    if (found.has(file)) return;
    found.add(file);
    for (const [, next] of readFileSync(`${process.env.POSENC_DIR}/${file}`, 'utf8').matchAll(/from"\.\/([\w.-]+\.js)"/g)) follow(next);
  };
  follow('index.js');
  return [...found, 'posenc-relaxed.wasm'];
}
