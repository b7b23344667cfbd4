// Faults that users reported of other implementations, section D: images, boxes, axes, graphs.
//
//   D1 interpolation one patch short       sizes asked for ...
//   D2 an old grid assumed to be square    grids: ...
//   D4 axial shape and length              axial: ...
//   D5 boxes out of range                  boxes: ...
//   D6 Laplacian encodings                 graphs: ...
import { PosencError } from 'posenc';
import { catalog } from 'posenc/catalog';
import { describe, expect, test } from 'vitest';

import { errorOf, largestDifference, loadPosenc, random } from '../support/posenc.js';

const posenc = await loadPosenc();

/** All that resample a table of a grid: factories by id. */
const resamplers = catalog.encodings.filter(({ operations }) => operations.some(({ name }) => name === 'resample')).map(({ id }) => id);
type Resample = (table: object, options: object) => { data: Float32Array; shape: readonly number[] };
const resampleOf = (id: string): Resample => (posenc as unknown as Record<string, { resample: Resample }>)[id]!.resample;

describe.each(resamplers)('sizes asked for are sizes made: %s', (id) => {
  const resample = resampleOf(id);
  const rows = (from: readonly number[], prefix = 0): ReturnType<typeof random> => random([prefix + from.reduce((a, b) => a * b, 1), 2], 3);

  test('14 x 14 to 61, 115 and 122 columns, whatever the ratio, with and without DINO\'s 0.1', () => {
    for (const to of [60, 61, 114, 115, 121, 122]) {
      for (const scaleOffset of [0, 0.1]) {
        const made = resample(rows([14, 14], 1), { from: [14, 14], to: [3, to], prefix: 1, scaleOffset });
        expect(made.shape).toEqual([1 + 3 * to, 2]);
      }
    }
    for (let to = 1; to < 150; to++) expect(resample(rows([14]), { from: [14], to: [to] }).shape).toEqual([to, 2]);
  });

  test('DINO\'s 0.1 changes the samples, so it is only there where it is asked for', () => {
    const table = rows([4, 4]);
    const [plain, dino] = [0, 0.1].map((scaleOffset) => resample(table, { from: [4, 4], to: [6, 6], scaleOffset }).data) as [Float32Array, Float32Array];
    expect(largestDifference(plain, dino)).toBeGreaterThan(1e-3);
    expect(resample(table, { from: [4, 4], to: [6, 6] }).data).toEqual(plain);
  });

  test('the same size gives the same bits, and prefix rows are never resampled', () => {
    for (const mode of ['nearest', 'linear', 'cubic']) {
      for (const alignCorners of mode === 'nearest' ? [false] : [false, true]) {
        const table = rows([3, 5], 2);
        expect(resample(table, { from: [3, 5], to: [3, 5], prefix: 2, mode, alignCorners }).data).toEqual(table.data);
        const other = resample(table, { from: [3, 5], to: [7, 2], prefix: 2, mode, alignCorners }).data;
        expect(other.slice(0, 4)).toEqual(table.data.slice(0, 4));
      }
    }
  });

  test('16 rows are 2 x 8 where that is said, and an error where it does not multiply out', () => {
    const table = rows([2, 8]);
    const [wide, square] = [[2, 8], [4, 4]].map((from) => resample(table, { from, to: [4, 4], mode: 'linear' }).data) as [Float32Array, Float32Array];
    expect(square).toEqual(table.data);
    expect(largestDifference(wide, square)).toBeGreaterThan(1e-2);
    for (const from of [[3, 5], [16, 2], [4]]) expect(errorOf(() => resample(table, { from, to: [4, 4] }))).toBeInstanceOf(PosencError);
    expect(errorOf(() => resample(table, { from: [3, 5], to: [4, 4] })).message).toMatch(/16/);
    // A grid is asked for, but only a number of rows is known: it is not guessed to be square.
    expect(errorOf(() => resample(table, { to: [4, 4] })).parameter).toBe('from');
  });
});

describe('grids', () => {
  test('window tables of windows that are not square keep their bits at the same size', () => {
    for (const [height, width] of [[2, 3], [3, 2], [1, 5], [5, 1]] as const) {
      const size = (2 * height - 1) * (2 * width - 1);
      const window = { height, width };
      const swin = random([size, 2], 1);
      expect(posenc.swin.resize(swin, { from: window, to: window }).data).toEqual(swin.data);
      const beit = random([size + 3, 2], 1);
      expect(posenc.beit.resize(beit, { from: window, to: window }).data).toEqual(beit.data);
      const to = { height: width + 1, width: height + 2 };
      expect(posenc.swin.resize(swin, { from: window, to }).shape).toEqual([(2 * to.height - 1) * (2 * to.width - 1), 2]);
      expect(errorOf(() => posenc.swin.resize(swin, { from: { height: height + 1, width }, to }))).toBeInstanceOf(PosencError);
    }
  });

  test('a learned grid resampled in the encoding: sizes as asked, prefix untouched', () => {
    const trained = posenc.gridLearned({ dim: 3, rows: 14, cols: 14, prefix: 1 });
    for (const to of [61, 115, 122]) {
      const longer = posenc.gridLearned({ dim: 3, rows: 14, cols: 14, prefix: 1, toRows: 2, toCols: to, weights: { table: trained.table! } });
      const rows = longer.encode(1 + 2 * to).data;
      expect(rows.slice(0, 3)).toEqual(trained.table!.data.slice(0, 3));
      expect(errorOf(() => longer.encode(2 + 2 * to)).code).toBe('outsideDomain');
      longer.dispose();
    }
    expect(trained.encode(197).data).toEqual(trained.table!.data);
  });
});

describe('axial', () => {
  test.each([[[3, 4]], [[2, 3, 2]], [[1, 7]], [[512, 1024]], [[2, 2, 2, 2, 2]]])('shape %j: any length up to the product, no more', (shape) => {
    const cells = shape.reduce((a, b) => a * b, 1);
    for (const combine of ['sum', 'concat'] as const) {
      const dim = 2 * shape.length;
      const axial = posenc.axial({ dim, shape, combine });
      for (const length of [1, Math.max(1, cells - 2), cells].filter((n) => n < 2000)) expect(axial.encode(length).shape).toEqual([length, dim]);
      const error = errorOf(() => axial.encode(3, { offset: cells - 2 }));
      expect(error.code).toBe('outsideDomain');
      expect(error.message).toContain(String(cells));
      // The rows of the cells, the last axis fastest.
      const [first, at] = [axial.parameters as Record<string, { data: Float32Array }>, cells - 1];
      let [rest, sum] = [at, 0];
      for (let axis = shape.length - 1; axis >= 0; axis--) {
        const index = rest % shape[axis]!;
        rest = Math.floor(rest / shape[axis]!);
        const width = combine === 'sum' ? dim : 2;
        if (combine === 'sum') sum += first[`table${axis}`]!.data[index * width] ?? NaN;
        else if (axis === 0) sum = first['table0']!.data[index * width] ?? NaN;
      }
      expect(axial.encode([at]).data[0]).toBeCloseTo(sum, 6);
      axial.dispose();
    }
  });

  test('shape 3 x 4: 10 rows for length 10, an error for 13, and no demand to pad', () => {
    const axial = posenc.axial({ dim: 4, shape: [3, 4] });
    expect(axial.encode(10).shape).toEqual([10, 4]);
    expect(errorOf(() => axial.encode(13)).message).toMatch(/1[23]/);
    const { table0 } = axial.backward(random([10, 4]));
    expect(table0?.shape).toEqual([3, 4]);
    for (const extend of ['clampRows', 'wrapRows'] as const) expect(posenc.axial({ dim: 4, shape: [3, 4], extend }).encode(13).shape).toEqual([13, 4]);
  });
});

describe('boxes', () => {
  const box = (outside: 'error' | 'clamp' | 'clampSize', combine: 'sum' | 'concat' = 'sum'): ReturnType<typeof posenc.box> => posenc.box({ dim: 12, outside, combine });

  test.each(['sum', 'concat'] as const)('1091 in a table of 1024 and negative values are errors that name them: %s', (combine) => {
    const boxes = box('error', combine);
    for (const [bad, value] of [[[10, 20, 1091, 40], '1091'], [[10, 20, 30, 1024], '1024'], [[-1, 2, 3, 4], '-1'], [[1, -300, 3, 4], '-300'], [[50, 2, 30, 4], '-20'], [[1, 9, 3, 4], '-5']] as const) {
      const error = errorOf(() => boxes.encode([[1, 2, 3, 4], [...bad]]));
      expect(error.code).toBe('outsideDomain');
      expect(error.received).toContain(value);
    }
    for (const bad of [NaN, 1.5, Infinity]) expect(errorOf(() => boxes.encode([[1, 2, bad, 4]])).code).toBe('outsideDomain');
    expect(boxes.encode([[0, 0, 1023, 1023]]).data.every(Number.isFinite)).toBe(true);
  });

  test('a clamp that was named reads the nearest rows', () => {
    for (const combine of ['sum', 'concat'] as const) {
      const boxes = box('clamp', combine);
      expect(boxes.encode([[-5, 20, 1091, 40]]).shape).toEqual([1, 12]);
      if (combine === 'concat') continue;
      const { x, y, h, w } = boxes.parameters;
      const row = (table: { data: Float32Array }, r: number): number => table.data[r * 12] ?? NaN;
      // Height 20, and a width of 1096, which is beyond the table.
      const want = row(x, 0) + row(y, 20) + row(x, 1023) + row(y, 40) + row(h, 20) + row(w, 1023);
      expect(boxes.encode([[-5, 20, 1091, 40]]).data[0]).toBeCloseTo(want, 6);
    }
    // LayoutLMv3: sizes are clamped, edges are not.
    expect(errorOf(() => box('clampSize').encode([[10, 20, 1091, 40]])).code).toBe('outsideDomain');
    expect(box('clampSize').encode([[50, 20, 30, 40]]).shape).toEqual([1, 12]);
  });

  test('relative biases of boxes count any distance, and refuse what is no whole number', () => {
    const layout = posenc.layoutBias({ heads: 1 });
    const far = layout.bias(1, 1, { positions: { q: [[0, 0, 0, 0, 0]], k: [[9000, -5000, 70000, 8000, 1]] } });
    expect(far.data.every(Number.isFinite)).toBe(true);
    expect(errorOf(() => layout.bias(1, 1, { positions: { q: [[0, 0.5, 0, 0, 0]], k: [[0, 0, 0, 0, 0]] } })).code).toBe('outsideDomain');
  });
});

describe('graphs', () => {
  const path = [0, 1, 1, 2];

  test('a path of three nodes: 0, 1, 2 normalised and 0, 1, 3 plain', () => {
    const of = (kind: 'symmetric' | 'randomWalk' | 'plain'): number[] =>
      [...posenc.graph({ kind, nodes: 3, vectors: 2, edges: path }).eigenvalues().data].map((x) => Math.round(x * 1e5) / 1e5 + 0);
    expect(of('symmetric')).toEqual([0, 1, 2]);
    expect(of('randomWalk')).toEqual([0, 1, 2]);
    expect(of('plain')).toEqual([0, 1, 3]);
  });

  test.each(['symmetric', 'randomWalk', 'plain', 'landing'] as const)('%s: too many vectors, lone nodes and parts are finite; directed input counts both ways', (kind) => {
    for (const [nodes, edges] of [[1, []], [2, []], [2, [0, 1]], [3, path], [6, [0, 1, 1, 2, 3, 4]], [5, [0, 0, 1, 1]]] as const) {
      for (const vectors of [1, 2, nodes, nodes + 3]) {
        for (const selfLoops of [false, true]) {
          const graph = posenc.graph({ kind, nodes, vectors, edges: [...edges], selfLoops });
          const rows = graph.encode(nodes);
          expect(rows.shape).toEqual([nodes, vectors]);
          expect(rows.data.every(Number.isFinite)).toBe(true);
          if (kind !== 'landing') {
            const beyond = Array.from(rows.data).filter((_, at) => at % vectors >= nodes - 1);
            expect(beyond.every((x) => x === 0)).toBe(true);
          }
          graph.dispose();
        }
      }
    }
    // Directed, acyclic: as if every edge went both ways, however often it is given.
    const rows = (edges: number[]): Float32Array => posenc.graph({ kind, nodes: 4, vectors: 3, edges }).encode(4).data;
    expect(rows([1, 0, 2, 1, 3, 2])).toEqual(rows([0, 1, 1, 2, 2, 3]));
    expect(rows([0, 1, 1, 0, 1, 2, 2, 3, 2, 3])).toEqual(rows([0, 1, 1, 2, 2, 3]));
  });

  test('signs: the largest entry of a vector, the first of them, is positive', () => {
    for (const kind of ['symmetric', 'randomWalk', 'plain'] as const) {
      const data = posenc.graph({ kind, nodes: 7, vectors: 6, edges: [0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 2] }).encode(7).data;
      for (let m = 0; m < 6; m++) {
        const column = Array.from({ length: 7 }, (_, i) => data[6 * i + m] ?? NaN);
        const most = Math.max(...column.map(Math.abs));
        expect(column.find((x) => Math.abs(x) > most - 1e-5)).toBeGreaterThan(0);
      }
    }
  });

  test('repeated eigenvalues: the vectors span the space', () => {
    // A cycle of 6: eigenvalues 0, 1, 1, 3, 3, 4 of D - A.
    const edges = [0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 0];
    const graph = posenc.graph({ kind: 'plain', nodes: 6, vectors: 5, edges });
    expect([...graph.eigenvalues().data].map((x) => Math.round(x * 1e4) / 1e4 + 0)).toEqual([0, 1, 1, 3, 3, 4]);
    const rows = graph.encode(6).data;
    const projector = (columns: number[], i: number, j: number): number => columns.reduce((sum, m) => sum + rows[5 * i + m]! * rows[5 * j + m]!, 0);
    for (let i = 0; i < 6; i++) {
      for (let j = 0; j < 6; j++) {
        const turn = (n: number): number => Math.cos((2 * Math.PI * n * (i - j)) / 6) / 3;
        expect(projector([0, 1], i, j)).toBeCloseTo(turn(1), 5);
        expect(projector([2, 3], i, j)).toBeCloseTo(turn(2), 5);
      }
    }
  });

  test('edges that are none are refused by name', () => {
    const wrong: [object, string][] = [
      [{ edges: [0, 3] }, 'edges'],
      [{ edges: [0] }, 'edges'],
      [{ edges: [-1, 0] }, 'edges'],
      [{ edges: [0, 0.5] }, 'edges'],
      [{ edges: [0, NaN] }, 'edges'],
      [{ nodes: 0 }, 'nodes'],
      [{ vectors: 0 }, 'vectors'],
    ];
    for (const [options, parameter] of wrong) {
      expect(errorOf(() => posenc.graph({ nodes: 3, vectors: 2, ...options })).parameter).toMatch(new RegExp(`^${parameter}`));
    }
    const trees: number[][] = [[0], [1, 0], [-1, 5], [-2], [-1, 1], [0.5], [-1, 0, 0, 0]];
    for (const parents of trees) expect(errorOf(() => posenc.graph({ kind: 'tree', parents } as never))).toBeInstanceOf(PosencError);
  });
});
