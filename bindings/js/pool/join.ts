/** The results of a call, put together from its parts. */
import { elementsPerHead } from './part.js';
import { type Lay, laysOf, maskExtents, paste, rangeOf } from './cut.js';
import type { Arrays, MaskPlan, Part, Shared } from './protocol.js';

/** Results that each part has a place in. */
const placed = ['out', 'lse', 'dq', 'dk', 'dv', 'dGateInput'];

/**
 * Parts arrive in any order. What several heads add to, gradients of parameters, masks and sinks, is summed head by head
 * in the order of batch rows and heads, as one instance sums it.
 */
export class Joined {
  readonly results: Arrays = {};
  readonly #shared: Shared;
  readonly #parts: readonly Part[];
  readonly #lays: Record<string, Lay>;
  readonly #waiting = new Map<number, Arrays>();
  #summed = 0;

  constructor(shared: Shared, parts: readonly Part[]) {
    this.#shared = shared;
    this.#parts = parts;
    this.#lays = laysOf(shared);
    const { backward, withLse, gated, extents, mask, options } = shared;
    const names = backward ? ['dq', 'dk', 'dv', ...(gated ? ['dGateInput'] : [])] : withLse ? ['out', 'lse'] : ['out'];
    for (const name of names) {
      const { heads, length, dim } = this.#lays[name] as Lay;
      this.results[name] = new Float32Array(extents.batch * heads * length * dim);
    }
    if (!backward) return;
    const { sinks, logitScale } = options as { sinks?: unknown; logitScale?: unknown };
    if (mask?.data instanceof Float32Array) this.results['dMask'] = new Float32Array(mask.data.length);
    if (sinks !== undefined) this.results['dSinks'] = new Float32Array(extents.heads);
    if (logitScale !== undefined) this.results['dLogitScale'] = new Float32Array(extents.heads);
  }

  add(index: number, result: Arrays): void {
    const part = this.#parts[index] as Part;
    for (const name of placed) {
      const whole = this.results[name];
      if (whole === undefined || result[name] === undefined) continue;
      const lay = this.#lays[name] as Lay;
      paste(whole, lay, rangeOf(part, lay, this.#shared.extents), result[name]);
    }
    if (!this.#shared.backward) return;
    this.#waiting.set(index, result);
    for (let next = this.#waiting.get(this.#summed); next !== undefined; next = this.#waiting.get(this.#summed)) {
      this.#sum(this.#parts[this.#summed] as Part, next);
      this.#waiting.delete(this.#summed++);
    }
  }

  #sum({ row, rows, group, groups }: Part, { params, dMask, dSinks, dLogitScale }: Arrays): void {
    const { extents, mask } = this.#shared;
    const each = extents.heads / extents.kvHeads;
    const count = groups * each;
    const size = params === undefined ? 0 : params.length / (rows * count);
    const sums = (this.results['params'] ??= new Float32Array(size));
    for (let part = 0; part < rows * count; part++) {
      const head = group * each + (part % count);
      if (params !== undefined) add(sums, 0, params, part * size, size);
      if (dMask !== undefined && mask !== undefined) this.#sumMask(mask, row + Math.floor(part / count), head, dMask, part);
      // Such parts are of one row.
      if (dSinks !== undefined) add(this.results['dSinks'], head, dSinks, head, 1);
      if (dLogitScale !== undefined) add(this.results['dLogitScale'], head, dLogitScale, head, 1);
    }
  }

  #sumMask(mask: MaskPlan, row: number, head: number, dMask: Float32Array, part: number): void {
    const extents = maskExtents(mask);
    const size = elementsPerHead(mask);
    const place = (extents.rows > 1 ? row : 0) * extents.heads + (extents.heads > 1 ? head : 0);
    add(this.results['dMask'], place * size, dMask, part * size, size);
  }
}

function add(sums: Float32Array | undefined, at: number, parts: Float32Array, from: number, count: number): void {
  for (let i = 0; sums !== undefined && i < count; i++) sums[at + i] = (sums[at + i] ?? 0) + (parts[from + i] ?? 0);
}
