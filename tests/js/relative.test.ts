// Encodings whose terms look at the content, through the public API.
import { load } from 'posenc';
import { describe, expect, test } from 'vitest';

import { errorOf } from './support/posenc.js';

const posenc = await load();
const wave = (shape: number[], phase = 0) => ({
  data: Float32Array.from({ length: shape.reduce((a, b) => a * b, 1) }, (_, i) => Math.sin(i * 1.3 + phase)),
  shape,
});

describe('relative encodings', () => {
  test('say what their terms are, and give their rows by distance', () => {
    const shaw = posenc.shaw({ headDim: 4, valueDim: 3, left: 2, right: 1, queries: true });
    expect(shaw.family).toBe('relative');
    expect([shaw.heads, shaw.headDim]).toEqual([0, 4]);
    expect(shaw.terms).toEqual([
      { side: 'query', width: 4 },
      { side: 'key', width: 4 },
      { side: 'value', width: 3 },
    ]);
    const table = shaw.keyTable.data;
    expect(shaw.rows([-9, -1, 5]).data).toEqual(
      Float32Array.from([...table.slice(0, 4), ...table.slice(4, 8), ...table.slice(12, 16)]),
    );
    expect(shaw.rows(3, { term: 2, offset: -1 }).shape).toEqual([1, 3, 3]);
    expect(errorOf(() => shaw.rows(1, { term: 3 }))).toMatchObject({ code: 'outOfRange', parameter: 'term' });
    expect(errorOf(() => shaw.rows([0.5]))).toMatchObject({ code: 'outsideDomain', parameter: 'distances' });
    shaw.dispose();
  });

  test("gradients come in params under the encoding's name, and agree with a difference", () => {
    const xl = posenc.transformerXL({ heads: 2, headDim: 4, name: 'xl' });
    const attention = posenc.attention({ heads: 2, headDim: 4, causal: true, encodings: [xl] });
    const [q, k, v, dOut] = [wave([2, 3, 4]), wave([2, 5, 4], 1), wave([2, 5, 4], 2), wave([2, 3, 4], 3)];
    const loss = () => attention.forward(q, k, v).data.reduce((sum, x, i) => sum + x * (dOut.data[i] ?? 0), 0);
    const { out, lse } = attention.forwardForGrad(q, k, v);
    const { params } = attention.backward({ q, k, v, out, lse, dOut });
    expect(Object.keys(params)).toEqual(['xl.contentBias', 'xl.positionBias', 'xl.projection']);
    for (const name of ['contentBias', 'positionBias', 'projection'] as const) {
      const kept = xl.parameters[name];
      if (!kept) throw new Error(name);
      const step = 0.01;
      const at = (delta: number) => {
        xl.parameters = { [name]: kept.data.map((x, i) => (i === 3 ? x + delta : x)) };
        return loss();
      };
      const difference = (at(step) - at(-step)) / (2 * step);
      xl.parameters = { [name]: kept };
      expect(params[`xl.${name}`]?.data[3]).toBeCloseTo(difference, 3);
    }
    attention.dispose();
    xl.dispose();
  });

  test('stand beside bias encodings, and a cache gives what the whole call gives', () => {
    const deberta = posenc.deberta({ heads: 2, headDim: 4, span: 4 });
    const alibi = posenc.alibi({ heads: 2 });
    const attention = posenc.attention({ heads: 2, headDim: 4, causal: true, encodings: [deberta, alibi] });
    const x = wave([2, 6, 4]);
    const whole = attention.forward(x, x, x);
    const cache = attention.cache();
    const rows = (from: number, to: number) => ({
      data: Float32Array.from([0, 1].flatMap((head) => [...x.data.slice((head * 6 + from) * 4, (head * 6 + to) * 4)])),
      shape: [2, to - from, 4],
    });
    const first = attention.forward(rows(0, 4), rows(0, 4), rows(0, 4), { cache });
    const last = attention.forward(rows(4, 6), rows(4, 6), rows(4, 6), { cache });
    for (let head = 0; head < 2; head++) {
      for (let i = 0; i < 6; i++) {
        for (let c = 0; c < 4; c++) {
          const got = i < 4 ? first.data[(head * 4 + i) * 4 + c] : last.data[(head * 2 + i - 4) * 4 + c];
          expect(got).toBeCloseTo(whole.data[(head * 6 + i) * 4 + c] ?? NaN, 5);
        }
      }
    }
    [cache, attention, deberta, alibi].forEach((each) => each.dispose());
  });

  test('are refused where heads or widths differ, and twice', () => {
    const deberta = posenc.deberta({ heads: 2, headDim: 4, span: 4 });
    const other = posenc.shaw({ headDim: 4, left: 2 });
    expect(errorOf(() => posenc.attention({ heads: 3, headDim: 4, encodings: [deberta] }))).toMatchObject({
      code: 'shapeMismatch',
      parameter: 'encodings[0]',
    });
    expect(errorOf(() => posenc.attention({ heads: 2, headDim: 4, encodings: [deberta, other] }))).toMatchObject({
      code: 'unsupported',
      parameter: 'encodings[1]',
    });
    deberta.dispose();
    other.dispose();
  });
});
