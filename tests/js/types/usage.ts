// Compiled and never run: what the types allow, and, above each @ts-expect-error, what they must not.
import {
  type AttentionGradients,
  type AttentionLayer,
  type Encoding,
  type HeapTensor,
  type LayerGradients,
  type Posenc,
  PosencError,
  type PosencErrorCode,
  type Rope,
  type RopeOptions,
  Tensor,
  type TensorLike,
  load,
} from 'posenc';
import { type CatalogField, catalog } from 'posenc/catalog';
import { type StoredTensor, openSafetensors, readNpy, readSafetensors, toFloats, writeNpy, writeSafetensors } from 'posenc/formats';
import { fromJSON, fromSafetensors, toJSON, toSafetensors } from 'posenc/state';

export async function loading(response: Response, bytes: Uint8Array<ArrayBuffer>, module: WebAssembly.Module): Promise<void> {
  await load();
  for (const wasm of [response, bytes, bytes.buffer, module, 'x.wasm', new URL('https://x.org')]) await load({ wasm, simd: 'auto' });
  // @ts-expect-error no such build
  await load({ simd: 'avx' });
  // @ts-expect-error no such option
  await load({ path: 'x' });
}

export async function encodings(x: Tensor, heap: HeapTensor, array: Float32Array): Promise<void> {
  const posenc = await load();
  const sinusoidal = posenc.sinusoidal({ dim: 8, layout: 'concat', name: 'rows', seed: 3 });
  const rows: Tensor = sinusoidal.encode(4);
  const same: Float32Array = sinusoidal.encode(new BigInt64Array(2), { into: array });
  const there: HeapTensor = sinusoidal.add(x, { positions: [1, 2n], into: heap });
  const ort = { data: array, dims: [2, 4] as const, type: 'float32' };
  const shaped: typeof ort = sinusoidal.add(rows, { positions: { data: new Int32Array(2), dims: [2] }, into: ort });
  void [same, there, shaped, sinusoidal.inputScale satisfies number];

  // @ts-expect-error the width is required
  posenc.sinusoidal({});
  // @ts-expect-error no such layout
  posenc.sinusoidal({ dim: 8, layout: 'half' });
  // @ts-expect-error no such option
  posenc.sinusoidal({ dim: 8, bass: 10 });
  // @ts-expect-error no such encoding
  posenc.cosinusoidal({ dim: 8 });
  // @ts-expect-error numbers need a shape
  sinusoidal.add(array);
  // @ts-expect-error doubles are no tensor
  sinusoidal.add({ data: new Float64Array(8), shape: [1, 8] });
  // @ts-expect-error no such option of the call
  sinusoidal.encode(4, { position: 1 });
  // @ts-expect-error an input encoding turns nothing
  sinusoidal.apply(x);
  // @ts-expect-error what is read is read-only
  sinusoidal.width = 5;

  const alibi = posenc.alibi({ heads: 2, sides: 'two', weights: { slopes: array, slopesAhead: x } });
  const slopes: Tensor = alibi.slopes;
  const ahead: Tensor | undefined = alibi.slopesAhead;
  alibi.parameters = { slopes: array };
  const gradient: Tensor | undefined = alibi.backward(x).slopes;
  void [slopes, ahead, gradient, alibi.parameters.slopes satisfies Tensor];
  const all: Tensor = posenc.lowRank({ maxLength: 8, dim: 4, rank: 2 }).backward(x).basis;
  const sparse = posenc.sparse({ maxLength: 8, dim: 4, atoms: 4, nonzeros: 2 }).backward(x);
  void [all, sparse.dictionary satisfies Tensor];
  // @ts-expect-error places are not trained
  void sparse.indices;
  // @ts-expect-error no such tensor
  alibi.parameters = { table: array };
  // @ts-expect-error no such tensor
  posenc.alibi({ heads: 2, weights: { table: array } });
  posenc.nope();
}

export async function scalings(options: RopeOptions): Promise<Rope> {
  const posenc = await load();
  posenc.rope({ headDim: 8 });
  posenc.rope({ headDim: 8, scaling: { type: 'linear', factor: 2 } });
  posenc.rope({ headDim: 8, scaling: { type: 'longrope', factor: 2, originalLength: 32, shortFactor: [1, 1, 1, 1], longFactor: new Float64Array(4) } });
  // @ts-expect-error a linear scaling has a factor
  posenc.rope({ headDim: 8, scaling: { type: 'linear' } });
  // @ts-expect-error and nothing of another scaling
  posenc.rope({ headDim: 8, scaling: { type: 'linear', factor: 2, lowFreqFactor: 1 } });
  // @ts-expect-error without a type there is no scaling
  posenc.rope({ headDim: 8, scaling: { factor: 2 } });
  // @ts-expect-error no such scaling
  posenc.rope({ headDim: 8, scaling: { type: 'quadratic' } });
  return posenc.rope(options);
}

export async function attention(q: TensorLike, all: readonly Encoding<object>[]): Promise<AttentionGradients> {
  const posenc = await load();
  const rope = posenc.rope({ headDim: 8 });
  const alibi = posenc.alibi({ heads: 4 });
  const layer = posenc.attention({ heads: 4, headDim: 8, causal: true, window: { left: 3 }, encodings: [rope, alibi, ...all] });
  const cache = layer.cache({ keys: 'raw' });
  const out: Tensor = layer.forward(q, q, q, { cache, mask: { data: [true], shape: [1] }, positions: { q: 3 }, segments: [0, 0] });
  const { lse } = layer.forwardForGrad(q, q, q, { mask: { data: new Float32Array(1), dims: [1] } });
  layer.scores(q, q, 'capped');
  // @ts-expect-error no such stage
  layer.scores(q, q, 'final');
  // @ts-expect-error a cache is made by an attention
  layer.forward(q, q, q, { cache: {} });
  // @ts-expect-error heads is required
  posenc.attention({ headDim: 8 });
  // @ts-expect-error no such alignment
  posenc.attention({ heads: 4, headDim: 8, causal: 'left' });
  return layer.backward({ q, k: q, v: q, out, lse, dOut: out });
}

export async function layers(x: Tensor, heap: HeapTensor, array: Float32Array): Promise<LayerGradients<{ dx: Float32Array }>> {
  const posenc = await load();
  const layer = posenc.attentionLayer({
    dim: 8,
    heads: 2,
    causal: true,
    window: { left: 3 },
    weightLayout: 'outIn',
    encodings: [posenc.sinusoidal({ dim: 8 }), posenc.alibi({ heads: 2, name: 'far' })],
    weights: { Wqkv: array, bo: x, 'far.slopes': array },
  });
  const there: HeapTensor = layer.forward(x, { cache: layer.cache(), positions: 3, into: heap });
  const { attended, lse }: { attended: Tensor; lse: Tensor } = layer.forwardForGrad(x, { context: x, positions: { q: 1, k: [1, 2] } });
  const weight: Tensor | undefined = layer.parameters['Wq'];
  layer.parameters = { Wq: array, 'far.slopes': x };
  void [there, weight, layer.scores(x, 'weights') satisfies Tensor];
  // @ts-expect-error the width is required
  posenc.attentionLayer({ heads: 2 });
  // @ts-expect-error no such layout
  posenc.attentionLayer({ dim: 8, heads: 2, weightLayout: 'rows' });
  // @ts-expect-error no such weight
  layer.parameters = { Wx: array };
  // @ts-expect-error the layout of a layer's tensors is fixed
  layer.forward(x, { layout: 'heads' });
  return layer.backward({ x, attended, lse, dOut: x, into: { dx: array } });
}

export function saving(posenc: Posenc, layer: AttentionLayer): Encoding<object> | AttentionLayer {
  const file: Uint8Array<ArrayBuffer> = toSafetensors(layer);
  const text: string = JSON.stringify(toJSON(layer));
  const { tensors } = readSafetensors(file);
  void tensors['Wq']?.dtype.startsWith('F');
  return fromSafetensors(posenc, file) ?? fromJSON(posenc, text);
}

export async function files(posenc: Posenc, tensor: Tensor, blob: Blob): Promise<Tensor> {
  const stored: StoredTensor = readNpy(writeNpy(tensor));
  const { tensors, read } = await openSafetensors(blob);
  const half = { dtype: 'BF16', ...posenc.toHalf(tensor, 'bf16') } as const;
  void [tensors['a']?.start, readSafetensors(writeSafetensors({ a: tensor, b: stored, half }, { by: 'me' })).metadata['by']];
  // @ts-expect-error no such type
  writeNpy({ ...stored, dtype: 'F12' });
  return posenc.sinusoidal({ dim: 4 }).add(toFloats(await read('a')));
}

export function errors(error: unknown): PosencErrorCode | undefined {
  if (!(error instanceof PosencError)) return undefined;
  switch (error.code) {
    case 'shapeMismatch':
    case 'loadFailed':
      return error.code;
    // @ts-expect-error no such code
    case 'wrong':
      return undefined;
    default:
      return error.parameter === '' ? undefined : error.code;
  }
}

export function sliders(): CatalogField[] {
  // @ts-expect-error the catalogue cannot be changed
  catalog.encodings.length = 0;
  // @ts-expect-error a tensor is made of floats
  void new Tensor([1, 2], [2]);
  return catalog.encodings.flatMap(({ fields }) => fields.filter(({ shown }) => shown !== undefined));
}
