import type { Attention } from '../attention.js';
import { frameOf } from '../attention-frame.js';
import type { AttentionCallOptions } from '../attention-types.js';
import { readCallTensors } from '../call-tensors.js';
import type { Core } from '../core.js';
import { type AttentionCall, writeAttentionCall } from '../generated/calls.js';
import type { MaskLike } from '../mask.js';
import type { Arrays, Extents, MaskPlan, Part, Shared } from './protocol.js';

/**
 * Computes a part of a call. The frame is made for all batch rows, as the options are, and then moved to the first row
 * of the part; tensors and mask hold the part alone.
 */
export function runPart(core: Core, attention: Attention, shared: Shared, part: Part, tensors: Arrays, mask: MaskPlan | undefined): Arrays {
  const { extents, layout, options } = shared;
  const { batch, heads, kvHeads, qLen, kLen } = extents;
  const group = heads / kvHeads;
  core.begin();
  try {
    const query = { leading: [batch], batch, heads, length: qLen };
    const key = { leading: [batch], batch, heads: kvHeads, length: kLen };
    const given = { ...(options as AttentionCallOptions), mask: mask as MaskLike | undefined } as AttentionCallOptions;
    const whole = frameOf(core, attention, { layout, query, key }, given, readCallTensors(core, given, heads));
    const frame: AttentionCall = {
      ...fromRow(core, whole, part.row, extents, attention.encodings.length),
      batch: part.rows,
      firstHead: part.group * group,
      headCount: part.groups * group,
    };
    for (const [name, numbers] of Object.entries(tensors)) {
      const address = core.take(4 * numbers.length, name);
      core.views.f32.set(numbers, address >>> 2);
      frame[name as 'q'] = address;
    }
    return shared.backward ? backward(core, attention, frame, extents, mask) : forward(core, frame, extents, shared.withLse);
  } finally {
    core.end();
  }
}

/** The frame with its arrays by batch row from a row on. */
function fromRow(core: Core, frame: AttentionCall, row: number, { qLen, kLen }: Extents, encodings: number): AttentionCall {
  const moved = (address: number, each: number): number => (address === 0 ? 0 : address + 4 * row * each);
  const positions = (rows: AttentionCall['query']): AttentionCall['query'] =>
    rows.perRow === 0 ? rows : { ...rows, given: rows.given + 8 * row * rows.count * rows.axes };
  for (let i = 0; frame.relations !== 0 && i < encodings; i++) {
    const { i32 } = core.views;
    const record = (frame.relations >>> 2) + 2 * i; // { ids, whether each row has its own }
    if (i32[record + 1] !== 0) i32[record] = (i32[record] ?? 0) + 4 * row * qLen * kLen;
  }
  return {
    ...frame,
    keyLengths: moved(frame.keyLengths, 1),
    queryOffsets: moved(frame.queryOffsets, 1),
    querySegments: moved(frame.querySegments, qLen),
    keySegments: moved(frame.keySegments, kLen),
    queryGlobal: moved(frame.queryGlobal, qLen),
    keyGlobal: moved(frame.keyGlobal, kLen),
    query: positions(frame.query),
    key: positions(frame.key),
  };
}

/** Room for results of a call by name, and what stands there when it is done. */
class Results {
  readonly #core: Core;
  readonly #places: [string, number, number][] = [];

  constructor(core: Core) {
    this.#core = core;
  }

  place(name: string, size: number): number {
    const address = this.#core.take(4 * size, name);
    this.#places.push([name, address >>> 2, size]);
    return address;
  }

  read(): Arrays {
    const { f32 } = this.#core.views;
    return Object.fromEntries(this.#places.map(([name, first, size]) => [name, f32.slice(first, first + size)]));
  }
}

function forward(core: Core, frame: AttentionCall, { qLen, valueDim }: Extents, withLse: boolean): Arrays {
  const results = new Results(core);
  const rows = frame.batch * frame.headCount * qLen;
  const out = results.place('out', rows * valueDim);
  const lse = withLse ? results.place('lse', rows) : 0;
  writeAttentionCall(core, { ...frame, out, lse });
  core.check(core.wasm._posenc_attention_forward(core.frame));
  return results.read();
}

function backward(core: Core, attention: Attention, frame: AttentionCall, extents: Extents, mask: MaskPlan | undefined): Arrays {
  const { heads, kvHeads, qLen, kLen, headDim, valueDim } = extents;
  const results = new Results(core);
  const rows = frame.batch * frame.headCount;
  const keys = (rows * kvHeads * kLen) / heads;
  const parameters = attention.encodings.reduce((bytes, encoding) => bytes + encoding.gradientBytes, 0) / 4;
  writeAttentionCall(core, {
    ...frame,
    eachHead: 1,
    dq: results.place('dq', rows * qLen * headDim),
    dk: results.place('dk', keys * headDim),
    dv: results.place('dv', keys * valueDim),
    dGateInput: frame.gateInput === 0 ? 0 : results.place('dGateInput', rows * qLen * headDim),
    dMask: mask?.data instanceof Float32Array ? results.place('dMask', rows * elementsPerHead(mask)) : 0,
    dLogitScale: frame.logitScale === 0 ? 0 : results.place('dLogitScale', heads),
    dSinks: frame.sinks === 0 ? 0 : results.place('dSinks', heads),
    gradients: results.place('params', rows * parameters),
  });
  core.check(core.wasm._posenc_attention_backward(core.frame));
  return results.read();
}

/** Of a mask: one row for all queries, or one for each. */
export function elementsPerHead({ shape }: MaskPlan): number {
  return (shape.at(-2) ?? 1) * (shape.at(-1) ?? 0);
}
