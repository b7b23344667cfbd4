// The same work in plain JavaScript: loops over typed arrays as someone who cares about speed writes them.

export function random(count, seed) {
  const out = new Float32Array(count);
  let state = (seed * 2654435761 + 12345) >>> 0;
  for (let i = 0; i < count; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    out[i] = state / 2147483648 - 1;
  }
  return out;
}

/** Rows [count, width] of sines and cosines in turn; each row turns the one before it by its frequencies. */
export function sinusoidal(count, width, out, stride = width) {
  const pairs = width / 2;
  const turn = (f) => Float64Array.from({ length: pairs }, (_, i) => f(10000 ** ((-2 * i) / width)));
  const [turnSin, turnCos] = [turn(Math.sin), turn(Math.cos)];
  const [sin, cos] = [new Float64Array(pairs), new Float64Array(pairs).fill(1)];
  for (let row = 0; row < count; row++) {
    for (let i = 0, at = row * stride; i < pairs; i++, at += 2) {
      const [s, c, ts, tc] = [sin[i], cos[i], turnSin[i], turnCos[i]];
      out[at] = s;
      out[at + 1] = c;
      sin[i] = s * tc + c * ts;
      cos[i] = c * tc - s * ts;
    }
  }
}

/** Pairs of channels of x [heads, length, width] turned by factors [length, width / 2]. */
export function turnPairs(x, cos, sin, { heads, length, width, isHalf }, out) {
  const pairs = width / 2;
  const [step, apart] = isHalf ? [1, pairs] : [2, 1];
  for (let row = 0; row < heads * length; row++) {
    const factor = (row % length) * pairs;
    for (let i = 0, at = row * width; i < pairs; i++, at += step) {
      const a = x[at];
      const b = x[at + apart];
      const c = cos[factor + i];
      const s = sin[factor + i];
      out[at] = a * c - b * s;
      out[at + apart] = b * c + a * s;
    }
  }
}

/** A bias of the distance alone, [heads, count, count]: each row is a window of the head's line of distances. */
export function fillBias(heads, count, value, out) {
  const line = new Float32Array(2 * count - 1);
  for (let head = 0; head < heads; head++) {
    for (let i = 0; i < line.length; i++) line[i] = value(head, i - (count - 1));
    for (let row = 0; row < count; row++) out.set(line.subarray(count - 1 - row, 2 * count - 1 - row), (head * count + row) * count);
  }
}

/** Bucket of T5's distance key - query, both sides. */
export function t5Bucket(distance, buckets, most) {
  const half = buckets / 2;
  const side = distance > 0 ? half : 0;
  const away = Math.abs(distance);
  const exact = half / 2;
  if (away < exact) return side + away;
  const far = exact + Math.floor((Math.log(away / exact) / Math.log(most / exact)) * (half - exact) + 1e-9);
  return side + Math.min(far, half - 1);
}

/** Attention over [heads, length, width] in double, the reference that errors are measured against. */
export function attend(q, k, v, { heads, queries, keys, width, causal, score }) {
  const out = new Float64Array(heads * queries * width);
  const scores = new Float64Array(keys);
  for (let row = 0; row < heads * queries; row++) {
    const head = Math.floor(row / queries);
    const place = (row % queries) + keys - queries;
    const seen = causal ? place + 1 : keys;
    let largest = -Infinity;
    for (let j = 0; j < seen; j++) {
      let sum = 0;
      for (let c = 0; c < width; c++) sum += q[row * width + c] * k[(head * keys + j) * width + c];
      scores[j] = sum / Math.sqrt(width) + (score ? score(head, j - place) : 0);
      largest = Math.max(largest, scores[j]);
    }
    let total = 0;
    for (let j = 0; j < seen; j++) total += scores[j] = Math.exp(scores[j] - largest);
    for (let j = 0; j < seen; j++) {
      for (let c = 0; c < width; c++) out[row * width + c] += (scores[j] / total) * v[(head * keys + j) * width + c];
    }
  }
  return out;
}

/**
 * Causal attention over [heads, count, width] in single precision, four keys at a time, so that sums do not wait for
 * one another; `bias` [heads, count, count] is added to the scores where it is given.
 */
export function attendFloat(q, k, v, bias, { heads, count, width }, out) {
  const scale = 1 / Math.sqrt(width);
  const scores = new Float32Array(count + 3);
  for (let head = 0; head < heads; head++) {
    const keys = head * count * width;
    for (let query = 0; query < count; query++) {
      const at = keys + query * width;
      const biasAt = (head * count + query) * count;
      let largest = -Infinity;
      scoresOf(q, at, k, keys, query + 1, width, scores);
      for (let j = 0; j <= query; j++) {
        const score = scores[j] * scale + (bias ? bias[biasAt + j] : 0);
        scores[j] = score;
        if (score > largest) largest = score;
      }
      let total = 0;
      for (let j = 0; j <= query; j++) total += scores[j] = Math.exp(scores[j] - largest);
      mixRows(scores, 1 / total, v, keys, query + 1, width, out, at);
    }
  }
}

function scoresOf(q, at, k, keys, count, width, scores) {
  let j = 0;
  for (; j + 4 <= count; j += 4) {
    const row = keys + j * width;
    let [a, b, c, d] = [0, 0, 0, 0];
    for (let i = 0; i < width; i++) {
      const x = q[at + i];
      a += x * k[row + i];
      b += x * k[row + width + i];
      c += x * k[row + 2 * width + i];
      d += x * k[row + 3 * width + i];
    }
    scores[j] = a;
    scores[j + 1] = b;
    scores[j + 2] = c;
    scores[j + 3] = d;
  }
  for (; j < count; j++) {
    let sum = 0;
    for (let i = 0; i < width; i++) sum += q[at + i] * k[keys + j * width + i];
    scores[j] = sum;
  }
}

function mixRows(weights, factor, v, keys, count, width, out, at) {
  out.fill(0, at, at + width);
  let j = 0;
  for (; j + 4 <= count; j += 4) {
    const row = keys + j * width;
    const [a, b, c, d] = [weights[j] * factor, weights[j + 1] * factor, weights[j + 2] * factor, weights[j + 3] * factor];
    for (let i = 0; i < width; i++) {
      out[at + i] += a * v[row + i] + b * v[row + width + i] + (c * v[row + 2 * width + i] + d * v[row + 3 * width + i]);
    }
  }
  for (; j < count; j++) {
    const weight = weights[j] * factor;
    for (let i = 0; i < width; i++) out[at + i] += weight * v[keys + j * width + i];
  }
}

// Weights of bicubic resampling (a = -3/4, half pixel centres, edges repeated): four taps for each place.
function cubicTaps(from, to) {
  const near = (t) => (1.25 * t - 2.25) * t * t + 1;
  const far = (t) => ((-0.75 * t + 3.75) * t - 6) * t + 3;
  return Array.from({ length: to }, (_, i) => {
    const place = ((i + 0.5) * from) / to - 0.5;
    const first = Math.floor(place);
    const t = place - first;
    const clamp = (j) => Math.min(from - 1, Math.max(0, j));
    return { rows: [-1, 0, 1, 2].map((j) => clamp(first + j)), weights: [far(1 + t), near(t), near(1 - t), far(2 - t)] };
  });
}

/** A table [rows · cols, width] resized to [toRows · toCols, width], one axis after the other. */
export function resample(table, rows, cols, width, toRows, toCols, out) {
  const [across, down] = [cubicTaps(cols, toCols), cubicTaps(rows, toRows)];
  const middle = new Float32Array(rows * toCols * width);
  const mix = (source, taps, at, place, target) => {
    const [a, b, c, d] = taps.rows.map(at);
    const [wa, wb, wc, wd] = taps.weights;
    for (let i = 0; i < width; i++) target[place + i] = wa * source[a + i] + wb * source[b + i] + wc * source[c + i] + wd * source[d + i];
  };
  for (let row = 0; row < rows; row++) {
    across.forEach((taps, col) => mix(table, taps, (j) => (row * cols + j) * width, (row * toCols + col) * width, middle));
  }
  down.forEach((taps, row) => {
    for (let col = 0; col < toCols; col++) mix(middle, taps, (j) => (j * toCols + col) * width, (row * toCols + col) * width, out);
  });
}

/** Rows of a grid of cells: sines of the row number in the first half, of the column number in the second. */
export function gridSines(rows, cols, width, out) {
  const half = width / 2;
  const [down, across] = [new Float32Array(rows * half), new Float32Array(cols * half)];
  sinusoidal(rows, half, down);
  sinusoidal(cols, half, across);
  for (let row = 0, at = 0; row < rows; row++) {
    for (let col = 0; col < cols; col++, at += width) {
      out.set(down.subarray(row * half, (row + 1) * half), at);
      out.set(across.subarray(col * half, (col + 1) * half), at + half);
    }
  }
}

/** Rows that are sums of a vector for each digit; `table` [digits, radix, width]. */
export function digits(count, places, radix, width, table, out) {
  for (let position = 0; position < count; position++) {
    const at = position * width;
    out.fill(0, at, at + width);
    for (let place = 0, rest = position; place < places; place++, rest = Math.floor(rest / radix)) {
      const from = (place * radix + (rest % radix)) * width;
      for (let i = 0; i < width; i++) out[at + i] += table[from + i];
    }
  }
}

/** NeRF's features of points [count, axes]: for each power of two the sines of all axes, then their cosines. */
export function nerf(points, count, axes, frequencies, out) {
  const width = 2 * axes * frequencies;
  for (let point = 0; point < count; point++) {
    for (let k = 0; k < frequencies; k++) {
      const at = point * width + 2 * axes * k;
      for (let axis = 0; axis < axes; axis++) {
        const angle = points[point * axes + axis] * 2 ** k;
        out[at + axis] = Math.sin(angle);
        out[at + axes + axis] = Math.cos(angle);
      }
    }
  }
}

/** Gaussian features of points [count, axes], cosines first; `matrix` [frequencies, axes]. */
export function gaussian(points, count, axes, frequencies, matrix, out) {
  for (let point = 0; point < count; point++) {
    const at = point * 2 * frequencies;
    for (let k = 0; k < frequencies; k++) {
      let sum = 0;
      for (let axis = 0; axis < axes; axis++) sum += points[point * axes + axis] * matrix[k * axes + axis];
      out[at + k] = Math.cos(2 * Math.PI * sum);
      out[at + frequencies + k] = Math.sin(2 * Math.PI * sum);
    }
  }
}

/** coefficients [count, rank] · basis [rank, width]. */
export function lowRank(coefficients, basis, count, rank, width, out) {
  for (let row = 0; row < count; row++) {
    const at = row * width;
    out.fill(0, at, at + width);
    for (let k = 0; k < rank; k++) {
      const factor = coefficients[row * rank + k];
      const from = k * width;
      for (let i = 0; i < width; i++) out[at + i] += factor * basis[from + i];
    }
  }
}
