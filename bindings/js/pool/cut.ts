/** Cutting a call into parts, and tensors and masks with it. */
import type { Layout } from '../heads.js';
import type { Arrays, Extents, MaskPlan, Part, Shared } from './protocol.js';

/** Products that make a part worth a message: a few milliseconds. */
const kPartWork = 1 << 23;

/** Parts in the order of batch rows and heads. */
export function planParts({ backward, options, extents }: Shared, workers: number): Part[] {
  const { batch, heads, kvHeads, qLen, kLen, headDim, valueDim } = extents;
  const { sinks, logitScale } = options as { sinks?: unknown; logitScale?: unknown };
  // Gradients of these come back summed over the rows of a part.
  const rowByRow = backward && (sinks !== undefined || logitScale !== undefined);
  const each = (heads / kvHeads) * qLen * kLen * (headDim + valueDim);
  const most = Math.max(1, Math.ceil((batch * kvHeads) / (3 * workers)));
  const size = Math.min(most, Math.max(1, Math.floor(kPartWork / each)));
  const rows = rowByRow ? 1 : Math.max(1, Math.floor(size / kvHeads));
  const groups = Math.min(size, kvHeads);
  const parts: Part[] = [];
  for (let row = 0; row < batch; row += rows) {
    for (let group = 0; group < kvHeads; group += rows > 1 ? kvHeads : groups) {
      parts.push({ row, rows: Math.min(rows, batch - row), group, groups: rows > 1 ? kvHeads : Math.min(groups, kvHeads - group) });
    }
  }
  return parts;
}

/** How a tensor lies: [batch, heads, length, dim], or [batch, length, heads · dim] where it is packed. */
export interface Lay {
  readonly layout: Layout;
  readonly heads: number;
  readonly length: number;
  readonly dim: number;
}

/** The heads of a part. */
export interface Range {
  readonly row: number;
  readonly rows: number;
  readonly head: number;
  readonly count: number;
}

/** Calls `copy(at in the whole, at in the part, size)` for every stretch that is of one piece in both. */
function eachStretch({ layout, heads, length, dim }: Lay, { row, rows, head, count }: Range, copy: (whole: number, piece: number, size: number) => void): void {
  const each = heads * length * dim;
  if (count === heads) copy(row * each, 0, rows * each);
  else if (layout === 'heads') copy(row * each + head * length * dim, 0, count * length * dim);
  else for (let i = 0; i < length; i++) copy(row * each + (i * heads + head) * dim, i * count * dim, count * dim);
}

/** How the tensors of a call lie, by name. */
export function laysOf({ layout, extents }: Shared): Record<string, Lay> {
  const { heads, kvHeads, qLen, kLen, headDim, valueDim } = extents;
  const q: Lay = { layout, heads, length: qLen, dim: headDim };
  const k: Lay = { layout, heads: kvHeads, length: kLen, dim: headDim };
  const v: Lay = { ...k, dim: valueDim };
  const out: Lay = { ...q, dim: valueDim };
  return { q, k, v, gateInput: q, out, dOut: out, lse: { layout: 'heads', heads, length: qLen, dim: 1 }, dq: q, dk: k, dv: v, dGateInput: q };
}

/** The heads of a tensor that a part has. */
export function rangeOf({ row, rows, group, groups }: Part, { heads }: Lay, { kvHeads }: Extents): Range {
  const each = heads / kvHeads;
  return { row, rows, head: group * each, count: groups * each };
}

/** Of each tensor the piece that a part needs, copied: others may have it. */
export function cutPieces(wholes: Arrays, shared: Shared, part: Part): Arrays {
  const lays = laysOf(shared);
  const entries = Object.entries(wholes).map(([name, whole]) => {
    const lay = lays[name] as Lay;
    return [name, cut(whole, lay, rangeOf(part, lay, shared.extents))];
  });
  return Object.fromEntries(entries) as Arrays;
}

function cut(whole: Float32Array, lay: Lay, range: Range): Float32Array {
  const piece = new Float32Array(range.rows * range.count * lay.length * lay.dim);
  eachStretch(lay, range, (from, to, size) => piece.set(whole.subarray(from, from + size), to));
  return piece;
}

/** Puts a part back. */
export function paste(whole: Float32Array, lay: Lay, range: Range, piece: Float32Array): void {
  eachStretch(lay, range, (to, from, size) => whole.set(piece.subarray(from, from + size), to));
}

/** Extents of a mask in front of queries and keys, 1 where it is the same for all. */
export function maskExtents({ shape }: MaskPlan): { rows: number; heads: number } {
  return { rows: shape.length > 3 ? (shape[0] ?? 1) : 1, heads: shape.at(-3) ?? 1 };
}

/** The part of a mask, copied; undefined where all parts have the whole mask. */
export function cutMask(mask: MaskPlan, { row, rows, head, count }: Range): MaskPlan | undefined {
  const extents = maskExtents(mask);
  if (extents.rows === 1 && extents.heads === 1) return undefined;
  const [ofRow, ofRows] = extents.rows === 1 ? [0, 1] : [row, rows];
  const [ofHead, ofHeads] = extents.heads === 1 ? [0, 1] : [head, count];
  const end = mask.shape.slice(-2);
  const each = end.reduce((product, extent) => product * extent, 1);
  const first = (ofRow * extents.heads + ofHead) * each;
  return { data: mask.data.slice(first, first + ofRows * ofHeads * each), shape: [ofRows, ofHeads, ...end] };
}
