// Gradients of attention.
import type { Called } from './attention-frame.js';
import { placeOperands, readOperands, readValue } from './attention-operands.js';
import type { AttentionGradients, BackwardInputs, GradientPlaces } from './attention-types.js';
import { readCallTensors, sourcesOf } from './call-tensors.js';
import type { Core } from './core.js';
import { writeAttentionCall } from './generated/calls.js';
import { GradientTargets } from './gradients.js';
import { joinHeads } from './heads.js';
import { expectShape, place, readTensor } from './inputs.js';
import type { Tensor } from './tensor.js';

/** @internal Reads what a backward call is given, computes, and takes the gradients. */
export function runBackward<Into extends GradientPlaces>(core: Core, attention: Called, inputs: BackwardInputs<Into>): AttentionGradients<Into> {
  const operands = readOperands(core, attention, inputs.q, inputs.k, inputs);
  const { layout, query } = operands;
  const v = readValue(core, attention, operands, inputs.v);
  const outShape = joinHeads(query, layout, attention.valueDim);
  const out = readTensor(core, inputs.out, 'out');
  const dOut = readTensor(core, inputs.dOut, 'dOut');
  const lse = readTensor(core, inputs.lse, 'lse');
  expectShape(out, outShape, 'shape of out');
  expectShape(dOut, outShape, 'shape of out');
  expectShape(lse, [...query.leading, query.heads, query.length], '.., heads, qLen');

  const tensors = readCallTensors(core, inputs, attention.heads);
  const { mask, sinks, logitScale } = tensors;
  const ofHeads = [attention.heads];
  const targets = new GradientTargets(core, inputs.into as GradientPlaces | undefined, {
    dq: { shape: operands.q.shape },
    dk: { shape: operands.k.shape },
    dv: { shape: v.shape },
    dMask: { shape: mask.additive ? mask.shape : undefined, where: 'the mask is additive' },
    dGateInput: { shape: operands.gateInput?.shape, where: 'gateInput is given' },
    dSinks: { shape: sinks === undefined ? undefined : ofHeads, where: 'sinks are given' },
    dLogitScale: { shape: logitScale === undefined ? undefined : ofHeads },
  }, [operands.q, operands.k, v, out, dOut, lse, operands.gateInput, ...sourcesOf(tensors)]);

  const gradientBytes = attention.encodings.map((encoding) => encoding.gradientBytes);
  const gradients = core.take(gradientBytes.reduce((sum, bytes) => sum + bytes, 0), 'encodings');
  const call = placeOperands(core, attention, operands, inputs, tensors);
  const given = { v: place(core, v), out: place(core, out), lse: place(core, lse), dOut: place(core, dOut) };
  writeAttentionCall(core, { ...call, ...given, ...targets.begin(), gradients });
  core.check(core.wasm._posenc_attention_backward(core.frame));
  return { ...targets.finish(), params: readGradients(core, attention, gradients, gradientBytes) } as AttentionGradients<Into>;
}

/** Of the encodings' tensors, which stand one after the other from an address on. */
function readGradients(core: Core, { encodings }: Called, address: number, bytes: readonly number[]): Record<string, Tensor> {
  let next = address;
  const entries = encodings.flatMap((encoding, index) => {
    const gradients = encoding.readGradients(core, next);
    next += bytes[index] ?? 0;
    return gradients.map(([tensor, gradient]): [string, Tensor] => [`${encoding.name}.${tensor}`, gradient]);
  });
  return Object.fromEntries(entries);
}
