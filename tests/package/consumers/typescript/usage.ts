import { PosencError, type Posenc, type Rope, type Tensor, load } from 'posenc';
import { catalog } from 'posenc/catalog';
import { fromConfig } from 'posenc/config';
import { readSafetensors } from 'posenc/formats';
import { load as loadInline } from 'posenc/inline';
import { recommend } from 'posenc/recommend';
import { toSafetensors } from 'posenc/state';
import { serve } from 'posenc/worker';

export async function use(): Promise<Tensor> {
  const posenc: Posenc = await load({ simd: 'auto' });
  const rope: Rope = posenc.rope({ headDim: 4 });
  const attention = posenc.attention({ heads: 2, headDim: 4, encodings: [rope] });
  const x = { data: new Float32Array(24), dims: [2, 3, 4] };
  using pool = posenc.pool({ workers: 2 });
  const { out, lse } = await pool.forwardForGrad(attention, x, x, x, { signal: AbortSignal.timeout(1000) });
  const { dq, params } = await pool.backward(attention, { q: x, k: x, v: x, out, lse, dOut: out });
  void [dq.shape, params['rope.x'], catalog.encodings, fromConfig, loadInline, recommend, readSafetensors(toSafetensors(rope)), serve];
  // @ts-expect-error the number of heads is required
  posenc.attention({ headDim: 4 });
  return pool.forward(attention, x, x, x);
}

export const isOurs = (error: unknown): error is PosencError => error instanceof PosencError;
