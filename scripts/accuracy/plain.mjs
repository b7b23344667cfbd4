// Formulas as the papers write them, in double precision: what results are compared with.

/** Numbers between -1 and 1 that are floats, the same each time. */
export function floats(count, seed) {
  let state = seed >>> 0;
  return Float32Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  });
}

/** Positions of every size up to a limit, of both signs. */
export function spread(limit, count) {
  const positions = [0, 1, limit, -limit];
  while (positions.length < count) {
    const size = Math.floor(limit ** (positions.length / count));
    positions.push(positions.length % 2 === 0 ? size : -size);
  }
  return positions;
}

/** The largest |got - want| / size, where size is 1 unless given. */
export function largestError(got, want, size = () => 1) {
  let largest = 0;
  for (let i = 0; i < want.length; i++) {
    const error = Math.abs(got[i] - want[i]) / size(want[i]);
    if (!(error <= largest)) largest = error; // NaN too
  }
  return largest;
}

/** Largest magnitude. */
export const sizeOf = (values) => values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);

/** Causal or full attention of one batch row, [heads, seq, dim] each, and its gradients. */
export function attention({ heads, seq, dim, q, k, v, dOut, causal, bias = () => 0, softcap = 0 }) {
  const result = { out: [], lse: [], dq: zeros(q), dk: zeros(k), dv: zeros(v) };
  const scale = 1 / Math.sqrt(dim);
  for (let h = 0; h < heads; h++) {
    for (let i = 0; i < seq; i++) attendRow({ seq, dim, q, k, v, dOut, causal, bias, softcap, scale, h, i }, result);
  }
  return result;
}

const zeros = ({ length }) => new Float64Array(length);

function attendRow({ seq, dim, q, k, v, dOut, causal, bias, softcap, scale, h, i }, { out, lse, dq, dk, dv }) {
  const row = (index) => (h * seq + index) * dim;
  const keys = causal ? i + 1 : seq;
  const scores = [], slopes = [];
  for (let j = 0; j < keys; j++) {
    let raw = 0;
    for (let c = 0; c < dim; c++) raw += q[row(i) + c] * k[row(j) + c];
    raw *= scale;
    const bent = softcap > 0 ? Math.tanh(raw / softcap) : 0;
    scores.push((softcap > 0 ? softcap * bent : raw) + bias(h, i, j));
    slopes.push((1 - bent * bent) * scale);
  }
  const largest = Math.max(...scores);
  const weights = scores.map((score) => Math.exp(score - largest));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  lse.push(largest + Math.log(total));
  const mixed = new Float64Array(dim), seen = [];
  for (let j = 0; j < keys; j++) {
    weights[j] /= total;
    let product = 0;
    for (let c = 0; c < dim; c++) {
      mixed[c] += weights[j] * v[row(j) + c];
      product += dOut[row(i) + c] * v[row(j) + c];
    }
    seen.push(product);
  }
  out.push(...mixed);
  const mean = mixed.reduce((sum, value, c) => sum + value * dOut[row(i) + c], 0);
  for (let j = 0; j < keys; j++) {
    const dScore = weights[j] * (seen[j] - mean) * slopes[j];
    for (let c = 0; c < dim; c++) {
      dq[row(i) + c] += dScore * k[row(j) + c];
      dk[row(j) + c] += dScore * q[row(i) + c];
      dv[row(j) + c] += weights[j] * dOut[row(i) + c];
    }
  }
}

/** Pairs m and m + dim / 2 of every row turned by position · frequency of m. */
export function rotate(x, { heads, seq, dim, positions, frequencies, amplitude = 1 }) {
  const turned = Float64Array.from(x);
  for (let row = 0; row < heads * seq; row++) {
    for (let m = 0; m < dim / 2; m++) {
      const angle = positions[row % seq] * frequencies[m];
      const [a, b] = [x[row * dim + m], x[row * dim + m + dim / 2]];
      turned[row * dim + m] = amplitude * (a * Math.cos(angle) - b * Math.sin(angle));
      turned[row * dim + m + dim / 2] = amplitude * (b * Math.cos(angle) + a * Math.sin(angle));
    }
  }
  return turned;
}

/** Keys' cubic kernel with a = -3/4 along both axes of a grid, centres of cells matched, edges repeated. */
export function bicubic(table, { rows, cols, toRows, toCols, dim }) {
  const taps = (at, from) => [-1, 0, 1, 2].map((offset) => {
    const x = Math.abs(at - (Math.floor(at) + offset)), a = -0.75;
    const weight = x <= 1 ? (a + 2) * x ** 3 - (a + 3) * x ** 2 + 1 : a * x ** 3 - 5 * a * x ** 2 + 8 * a * x - 4 * a;
    return [Math.min(Math.max(Math.floor(at) + offset, 0), from - 1), weight];
  });
  const out = [];
  for (let r = 0; r < toRows; r++) {
    for (let c = 0; c < toCols; c++) {
      const vertical = taps(((r + 0.5) * rows) / toRows - 0.5, rows), horizontal = taps(((c + 0.5) * cols) / toCols - 0.5, cols);
      for (let d = 0; d < dim; d++) {
        out.push(vertical.reduce((sum, [y, wy]) => sum + wy * horizontal.reduce((part, [x, wx]) => part + wx * table[(y * cols + x) * dim + d], 0), 0));
      }
    }
  }
  return out;
}
