// An attention layer as the formula says, for layers whose widths are all `dim`.
import type { AttentionLayer } from 'posenc';

export const [dim, heads] = [8, 2];
export type Numbers = ArrayLike<number>;

/** x [n, rows] · w [rows, columns] + b */
export function project(x: Numbers, w: Numbers, b: Numbers | undefined, rows: number, columns: number): number[] {
  return Array.from({ length: (x.length / rows) * columns }, (_, n) => {
    const [row, column] = [Math.floor(n / columns), n % columns];
    let sum = b?.[column] ?? 0;
    for (let i = 0; i < rows; i++) sum += x[row * rows + i]! * w[i * columns + column]!;
    return sum;
  });
}

/** The layer as the formula says, with as many key/value heads as heads and all widths `dim`; `bias` on the scores. */
export function plain(layer: AttentionLayer, x: Numbers, context: Numbers, bias = (_h: number, _i: number, _j: number): number => 0): number[] {
  const p = layer.parameters;
  const [q, k, v] = (['q', 'k', 'v'] as const).map((part) => {
    return project(part === 'q' ? x : context, p[`W${part}`]!.data, p[`b${part}`]?.data, dim, dim);
  }) as [number[], number[], number[]];
  const [queries, keys, width] = [x.length / dim, context.length / dim, dim / heads];
  const attended = new Array<number>(queries * dim).fill(0);
  for (let h = 0; h < heads; h++) {
    for (let i = 0; i < queries; i++) {
      const weights = Array.from({ length: keys }, (_, j) => {
        let sum = 0;
        for (let c = h * width; c < (h + 1) * width; c++) sum += q[i * dim + c]! * k[j * dim + c]!;
        return Math.exp(sum / Math.sqrt(width) + bias(h, i, j));
      });
      const total = weights.reduce((a, b) => a + b, 0);
      for (let c = h * width; c < (h + 1) * width; c++) {
        attended[i * dim + c] = weights.reduce((sum, weight, j) => sum + (weight / total) * v[j * dim + c]!, 0);
      }
    }
  }
  return project(attended, p['Wo']!.data, p['bo']?.data, dim, dim);
}
