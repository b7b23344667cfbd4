// The calls of each family, against closed forms. Accuracy over all settings is tested in C++ and by the golden cases.
import { expect, test } from 'vitest';

import { errorOf, largestDifference, loadPosenc, numbers, random } from './support/posenc.js';

const posenc = await loadPosenc();
const close = (got: ArrayLike<number>, want: ArrayLike<number>, bound = 1e-6): void => {
  expect(largestDifference(got, want)).toBeLessThanOrEqual(bound);
};

test('encode: rows for a count, an offset and given positions are the same for the same positions', () => {
  const sinusoidal = posenc.sinusoidal({ dim: 8 });
  const row = [0.841471, 0.540302, 0.099833, 0.995004, 0.01, 0.99995, 0.001, 1];
  const rows = sinusoidal.encode(4);
  expect(rows.shape).toEqual([4, 8]);
  close(rows.data.subarray(8, 16), row);
  expect(sinusoidal.encode(2, { offset: 1 }).data).toEqual(rows.data.subarray(8, 24));
  expect(sinusoidal.encode([1, 2]).data).toEqual(rows.data.subarray(8, 24));
  const grid = sinusoidal.encode({ data: [3, 2, 1, 0], shape: [2, 2] });
  expect(grid.shape).toEqual([2, 2, 8]);
  expect(grid.data.subarray(16, 24)).toEqual(rows.data.subarray(8, 16));
  expect(sinusoidal.encode(0).shape).toEqual([0, 8]);
  expect(sinusoidal.encode([]).shape).toEqual([0, 8]);
  expect(sinusoidal.encode([-1.5]).data[0]).toBeCloseTo(Math.sin(-1.5), 6);
  sinusoidal.dispose();
});

test('encode refuses counts that are none', () => {
  const sinusoidal = posenc.sinusoidal({ dim: 8 });
  expect(errorOf(() => sinusoidal.encode(-1))).toMatchObject({ code: 'outOfRange', parameter: 'count' });
  expect(errorOf(() => sinusoidal.encode(2.5))).toMatchObject({ code: 'invalidType', parameter: 'count' });
  expect(errorOf(() => sinusoidal.encode(NaN)).code).toBe('outOfRange');
  expect(errorOf(() => sinusoidal.encode(2 ** 30))).toMatchObject({ code: 'tooLarge', parameter: 'into' });
  expect(errorOf(() => sinusoidal.encode('4' as unknown as number)).code).toBe('invalidType');
  expect(errorOf(() => sinusoidal.encode(4, { offset: '1' as unknown as number }))).toMatchObject({ code: 'invalidType', parameter: 'offset' });
  sinusoidal.dispose();
});

test('odd widths work, to one column', () => {
  const row = [0.841471, 0.540302, 0.025116, 0.999685, 0.000631];
  close(posenc.sinusoidal({ dim: 5 }).encode([1]).data, row);
  close(posenc.sinusoidal({ dim: 3 }).encode([1]).data, [0.841471, 0.540302, 0.002154]);
  close(posenc.sinusoidal({ dim: 1 }).encode([1]).data, [0.841471]);
});

test('add multiplies x where the encoding says so, concat lays rows beside it', () => {
  const x = random([2, 3, 4], 5);
  const sinusoidal = posenc.sinusoidal({ dim: 4, scaleInput: true });
  expect(sinusoidal.inputScale).toBe(2);
  const rows = sinusoidal.encode(3).data;
  close(sinusoidal.add(x).data, x.data.map((value, i) => 2 * value + (rows[i % 12] ?? 0)));

  const wide = sinusoidal.concat(random([2, 3, 2], 6), { positions: 7 });
  expect(wide.shape).toEqual([2, 3, 6]);
  const late = sinusoidal.encode(3, { offset: 7 }).data;
  expect(wide.data.slice(6 * 4, 6 * 4 + 6)).toEqual(Float32Array.of(...random([2, 3, 2], 6).data.slice(8, 10), ...late.slice(4, 8)));
  expect(errorOf(() => sinusoidal.concat(random([4])))).toMatchObject({ code: 'shapeMismatch', parameter: 'x' });
  sinusoidal.dispose();
});

test('backward of an encoding without trained tensors gives no gradients', () => {
  expect(posenc.sinusoidal({ dim: 4 }).backward(random([3, 4]))).toEqual({});
});

const x = [1, 2, 3, 4];
const turned = {
  interleaved: [-1.14264, 1.922076, 2.959851, 4.0298],
  half: [-1.984111, 1.959901, 2.462378, 4.01980],
} as const;

test.each(['interleaved', 'half'] as const)('apply turns the pairs of layout %s, invert turns them back', (layout) => {
  const rope = posenc.rope({ headDim: 4, layout });
  const q = { data: Float32Array.from(x), shape: [1, 1, 4] };
  const out = rope.apply(q, { positions: 1 });
  close(out.data, turned[layout], 2e-6);
  close(rope.invert(out, { positions: 1 }).data, x, 1e-6);
  close(rope.backward(out, { positions: 1 }).data, x, 1e-6);
  expect(rope.apply(q, { positions: 0 }).data).toEqual(q.data);
  const place = q.data.slice();
  expect(rope.apply({ data: place, shape: [1, 4] }, { positions: 1, into: place })).toBe(place);
  expect(place).toEqual(out.data);
  rope.dispose();
});

test('packed and heads layout hold the same numbers', () => {
  const [batch, heads, seq, dim] = [2, 3, 5, 6];
  const rope = posenc.rope({ headDim: dim, rotaryDim: 4 });
  const q = random([batch, heads, seq, dim]);
  const packed = new Float32Array(q.data.length);
  const at = (b: number, h: number, s: number): number => ((b * seq + s) * heads + h) * dim;
  for (let b = 0; b < batch; b++) {
    for (let h = 0; h < heads; h++) {
      for (let s = 0; s < seq; s++) {
        const from = ((b * heads + h) * seq + s) * dim;
        packed.set(q.data.subarray(from, from + dim), at(b, h, s));
      }
    }
  }
  const positions = { data: [0, 1, 2, 3, 4, 9, 8, 7, 6, 5], shape: [batch, seq] };
  const out = rope.apply(q, { positions });
  const packedOut = rope.apply({ data: packed, shape: [batch, seq, heads * dim] }, { positions, layout: 'packed' });
  expect(packedOut.shape).toEqual([batch, seq, heads * dim]);
  const from = ((1 * heads + 2) * seq + 3) * dim;
  expect(packedOut.data.slice(at(1, 2, 3), at(1, 2, 3) + dim)).toEqual(out.data.slice(from, from + dim));
  expect(out.data.slice(from + 4, from + 6)).toEqual(q.data.slice(from + 4, from + 6));
  rope.dispose();
});

test('table gives the factors that apply uses', () => {
  const rope = posenc.rope({ headDim: 4 });
  expect(rope).toMatchObject({ headDim: 4, rotaryDim: 4 });
  const { cos, sin } = rope.table(3, { offset: 5 });
  expect(cos.shape).toEqual([3, 2]);
  close(cos.data, [5, 6, 7].flatMap((p) => [Math.cos(p), Math.cos(p / 100)]));
  close(sin.data, [5, 6, 7].flatMap((p) => [Math.sin(p), Math.sin(p / 100)]));
  const into = { cos: posenc.tensor([3, 2]), sin: posenc.tensor([3, 2]) };
  expect(rope.table([5, 6, 7], { into })).toEqual(into);
  expect(into.sin.view()).toEqual(sin.data);
  const same = new Float32Array(6);
  expect(errorOf(() => rope.table(3, { into: { cos: same, sin: same } }))).toMatchObject({ code: 'aliasing', parameter: 'into.sin' });
  rope.dispose();
});

test('apply refuses shapes, layouts and sides that are none', () => {
  const rope = posenc.rope({ headDim: 4 });
  const q = random([2, 3, 4]);
  expect(errorOf(() => rope.apply(random([2, 3, 6])))).toMatchObject({ code: 'shapeMismatch', parameter: 'x' });
  expect(errorOf(() => rope.apply(random([4])))).toMatchObject({ code: 'shapeMismatch', parameter: 'x' });
  expect(errorOf(() => rope.apply(random([3, 6]), { layout: 'packed' }))).toMatchObject({ code: 'shapeMismatch', parameter: 'x' });
  expect(errorOf(() => rope.apply(q, { layout: 'rows' as 'heads' }))).toMatchObject({ code: 'outOfRange', parameter: 'layout' });
  expect(errorOf(() => rope.apply(q, { side: 3 as unknown as 'key' }))).toMatchObject({ code: 'invalidType', parameter: 'side' });
  expect(errorOf(() => rope.apply(q, { positions: [0, 1] }))).toMatchObject({ code: 'shapeMismatch', parameter: 'positions' });
  expect(errorOf(() => rope.apply(q, { reached: NaN })).parameter).toBe('reached');
  expect(rope.apply(q).data.slice(0, 4)).toEqual(q.data.slice(0, 4));
  rope.dispose();
});

test('bias: slopes for head counts that are no power of two, distances from query to key', () => {
  const alibi = posenc.alibi({ heads: 6 });
  close(alibi.slopes.data, [0.25, 0.0625, 0.015625, 0.00390625, 0.5, 0.125], 0);
  const bias = alibi.bias(1, 5, { qOffset: 4 });
  expect(bias.shape).toEqual([6, 1, 5]);
  close(bias.data.subarray(0, 5), [-1, -0.75, -0.5, -0.25, 0], 0);
  const given = alibi.bias(2, 3, { positions: { q: [5, 0.5], k: [0, 1, 9] } });
  close(given.data.subarray(0, 6), [-1.25, -1, 1, -0.125, 0.125, 2.125], 1e-7);
  expect(alibi.bias(2, 3, { qOffset: 5, positions: { k: 3 } }).data).toEqual(alibi.bias(2, 3, { qOffset: 2 }).data);
  expect(errorOf(() => alibi.bias(2, 3, { qOffset: 1, positions: { q: 1 } }))).toMatchObject({ code: 'unsupported', parameter: 'qOffset' });
  expect(errorOf(() => alibi.bias(2.5, 3))).toMatchObject({ code: 'invalidType', parameter: 'qLen' });
  expect(errorOf(() => alibi.bias(2, -3))).toMatchObject({ code: 'outOfRange', parameter: 'kLen' });
  expect(errorOf(() => alibi.bias(2, 3, { positions: { query: 1 } as object }))).toMatchObject({ code: 'unknownOption', parameter: 'positions.query' });
  alibi.dispose();
});

test('the gradient of a bias goes back to its tensors', () => {
  const alibi = posenc.alibi({ heads: 2, sides: 'two', trainable: true });
  expect(alibi.trainable).toEqual(['slopes', 'slopesAhead']);
  const [heads, queries, keys] = [2, 3, 4];
  const dBias = random([heads, queries, keys], 3);
  const { slopes, slopesAhead } = alibi.backward(dBias, { qOffset: 1 });
  const want = { behind: [0, 0], ahead: [0, 0] };
  dBias.data.forEach((value, at) => {
    const head = Math.floor(at / (queries * keys)) as 0 | 1;
    const distance = (at % keys) - (Math.floor(at / keys) % queries) - 1;
    want[distance < 0 ? 'behind' : 'ahead'][head]! += (distance < 0 ? distance : -distance) * value;
  });
  close(slopes?.data ?? [], want.behind);
  close(slopesAhead?.data ?? [], want.ahead);
  expect(posenc.alibi({ heads: 2 }).backward(dBias)).toEqual({});
  expect(errorOf(() => alibi.backward(random([3, 3, 4])))).toMatchObject({ code: 'shapeMismatch', parameter: 'dBias' });
  alibi.dispose();
});

test('parameters are read as copies and set together or not at all', () => {
  const given = numbers(3).map(Math.abs);
  const alibi = posenc.alibi({ heads: 3, sides: 'two', weights: { slopes: given, slopesAhead: { data: given, shape: [3] } } });
  const before = alibi.parameters;
  expect(before.slopes.data).toEqual(given);
  before.slopes.data[0] = 5;
  expect(alibi.slopes.data).toEqual(given);

  alibi.parameters = { slopes: posenc.tensor([3], [1, 2, 3]) };
  expect(alibi.slopes.toArray()).toEqual([1, 2, 3]);
  expect(alibi.slopesAhead?.data).toEqual(given);
  close(alibi.bias(1, 2, { qOffset: 1 }).data, [-1, 0, -2, 0, -3, 0], 0);

  const wrong: [object, string, string][] = [
    [{ slopes: [4, 5, 6], slopesAhead: new Float32Array([1, NaN, 3]) }, 'invalidType', 'weights.slopes'],
    [{ slopes: Float32Array.of(4, 5, 6), slopesAhead: Float32Array.of(1, NaN, 3) }, 'outOfRange', 'weights.slopesAhead'],
    [{ slopes: Float32Array.of(4, 5, 6), slopesAhead: Float32Array.of(1, 2) }, 'shapeMismatch', 'weights.slopesAhead'],
    [{ slopes: { data: Float32Array.of(4, 5, 6), shape: [1, 3] } }, 'shapeMismatch', 'weights.slopes'],
    [{ slopes: Float32Array.of(4, 5, 6), slope: Float32Array.of(4, 5, 6) }, 'unknownOption', 'weights.slope'],
  ];
  for (const [parameters, code, parameter] of wrong) {
    expect(errorOf(() => (alibi.parameters = parameters))).toMatchObject({ code, parameter });
    expect(alibi.slopes.toArray()).toEqual([1, 2, 3]);
  }
  alibi.dispose();
});

test('nope is an encoding that does nothing', () => {
  const nope = posenc.nope();
  expect(nope).toMatchObject({ id: 'nope', family: 'none', trainable: [] });
  expect(nope.parameters).toEqual({});
  nope.dispose();
});

test('apply takes factors made elsewhere, by token or chosen by positions', () => {
  const rope = posenc.rope({ headDim: 4, layout: 'interleaved' });
  const q = random([2, 3, 2, 4]);
  const table = rope.table(8);
  const want = rope.apply(q, { positions: { data: [5, 6, 0, 7], shape: [2, 2] } }).data;
  expect(rope.apply(q, { table, positions: { data: [5, 6, 0, 7], shape: [2, 2] } }).data).toEqual(want);
  const rows = rope.table({ data: [5, 6, 0, 7], shape: [2, 2] });
  expect(rope.apply(q, { table: rows }).data).toEqual(want);
  expect(errorOf(() => rope.apply(q, { table, positions: 8 }))).toMatchObject({ code: 'outsideDomain', parameter: 'positions' });
  expect(errorOf(() => rope.apply(q, { table })).code).toBe('shapeMismatch');
  expect(errorOf(() => rope.apply(q, { table: { cos: table.cos, sin: random([8, 3]) } }))).toMatchObject({ code: 'shapeMismatch', parameter: 'table.sin' });
  rope.dispose();
});

test('operations: methods of an encoding, functions of its factory', () => {
  const rope = posenc.rope({ headDim: 4, base: 100 });
  close(rope.frequencies().data, [1, 0.1]);
  close(rope.attentionFactor({ reached: 10 }).data, [1], 0);
  // Two heads of four rows, numbered: interleaved pairs 0 1, 2 3 become halves 0 2, 1 3.
  const weights = { data: Float32Array.from({ length: 8 }, (_, i) => i), shape: [8, 1] };
  const half = posenc.rope.permuteWeights(weights, { heads: 2, to: 'half' });
  expect(half.shape).toEqual([8, 1]);
  expect([...half.data]).toEqual([0, 2, 1, 3, 4, 6, 5, 7]);
  expect([...posenc.rope.permuteWeights(half, { heads: 2, to: 'interleaved' }).data]).toEqual([...weights.data]);
  expect([...posenc.rope.permuteWeights([0, 1, 2, 3], { heads: 1 }).data]).toEqual([0, 2, 1, 3]);

  const wrong: [() => unknown, string, string][] = [
    [() => posenc.rope.permuteWeights(weights, { heads: 3 }), 'shapeMismatch', 'weights'],
    [() => posenc.rope.permuteWeights(weights, {} as { heads: number }), 'missingOption', 'heads'],
    [() => posenc.rope.permuteWeights(weights, { heads: 2, from: 'half' } as { heads: number }), 'unknownOption', 'from'],
    [() => posenc.rope.permuteWeights(weights, { heads: 2.5 }), 'invalidType', 'heads'],
    [() => posenc.rope.permuteWeights(weights, 2 as unknown as { heads: number }), 'invalidType', 'options'],
    [() => posenc.rope.permuteWeights(undefined as unknown as number[], { heads: 2 }), 'missingOption', 'weights'],
    [() => posenc.rope.permuteWeights('0123' as unknown as number[], { heads: 2 }), 'invalidType', 'weights'],
    [() => rope.frequencies({ length: 5 } as object), 'unknownOption', 'length'],
    [() => (rope.frequencies as (...args: unknown[]) => unknown)({}, 5), 'unknownOption', 'frequencies'],
  ];
  for (const [call, code, parameter] of wrong) expect(errorOf(call)).toMatchObject({ code, parameter });
  rope.dispose();
  expect(errorOf(() => rope.frequencies()).code).toBe('disposed');
});
