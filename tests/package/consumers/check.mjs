// What every consumer does with the package: an encoding and attention, compared with the formula and with a pool.

/** Gives the name of the build that ran; throws where a number is wrong. */
export async function check(load, { workers = 0, worker } = {}) {
  const posenc = await load();
  const { data } = posenc.sinusoidal({ dim: 4 }).encode(3);
  for (let p = 0; p < 3; p++) {
    [Math.sin(p), Math.cos(p), Math.sin(p / 100), Math.cos(p / 100)].forEach((want, i) => expectClose(data[4 * p + i], want));
  }
  const attention = posenc.attention({ heads: 2, headDim: 4, causal: true, encodings: [posenc.rope({ headDim: 4 })] });
  const x = { data: Float32Array.from({ length: 24 }, (_, i) => Math.sin(i)), shape: [2, 3, 4] };
  const out = attention.forward(x, x, x);
  for (let i = 0; i < 4; i++) expectClose(out.data[i], x.data[i]); // the first token sees itself alone
  if (workers > 0) {
    const pool = posenc.pool({ workers, ...(worker ? { worker } : {}) });
    const parallel = await pool.forward(attention, x, x, x);
    pool.dispose();
    if (String(parallel.data) !== String(out.data)) throw new Error('the pool gave other numbers');
  }
  return posenc.variant;
}

function expectClose(got, want) {
  if (!(Math.abs(got - want) < 1e-6)) throw new Error(`${got} instead of ${want}`);
}
