// Gradients of a layer.
import { type CallTensors, readCallTensors, sourcesOf } from './call-tensors.js';
import type { Core } from './core.js';
import { GradientTargets } from './gradients.js';
import { expectShape, place, readTensor } from './inputs.js';
import { type CalledLayer, type Operands, writeCall } from './layer-call.js';
import type { LayerBackwardInputs, LayerGradientPlaces, LayerGradients } from './layer-types.js';
import type { LayerTensors } from './layer-weights.js';

/** @internal Reads what a backward call is given beside its tokens, computes, and takes the gradients. */
export function runBackward<Into extends LayerGradientPlaces>(
  core: Core,
  layer: CalledLayer & { readonly outDim: number },
  weights: LayerTensors,
  operands: Operands,
  inputs: LayerBackwardInputs<Into>,
): LayerGradients<Into> {
  const { leading, heads, length } = operands.query;
  const attended = readTensor(core, inputs.attended, 'attended');
  const lse = readTensor(core, inputs.lse, 'lse');
  const dOut = readTensor(core, inputs.dOut, 'dOut');
  expectShape(attended, [...leading, length, heads * layer.attention.valueDim], '.., seq, heads · valueDim');
  expectShape(lse, [...leading, heads, length], '.., heads, seq');
  expectShape(dOut, [...leading, length, layer.outDim], 'shape of out');

  const tensors = readCallTensors(core, inputs, heads);
  const sources = [operands.x, operands.context, attended, lse, dOut, ...sourcesOf(tensors)];
  const targets = new GradientTargets(core, inputs.into as LayerGradientPlaces | undefined, wantedOf(operands, tensors), sources);
  const gradients = core.take(weights.gradientBytes, 'weights');
  const given = { attended: place(core, attended), dOut: place(core, dOut) };
  const lseAddress = place(core, lse);
  const { dx, dContext, ...ofAttention } = targets.begin();
  writeCall(core, layer, operands, inputs, tensors, { ...given, dx, dContext, gradients }, { lse: lseAddress, ...ofAttention });
  core.check(core.wasm._posenc_layer_backward(core.frame));
  return { ...targets.finish(), params: weights.readGradients(core, gradients) } as LayerGradients<Into>;
}

function wantedOf({ x, context, query }: Operands, { mask, sinks, logitScale }: CallTensors) {
  const ofHeads = [query.heads];
  return {
    dx: { shape: x.shape },
    dContext: { shape: context?.shape, where: 'there is a context' },
    dMask: { shape: mask.additive ? mask.shape : undefined, where: 'the mask is additive' },
    dSinks: { shape: sinks === undefined ? undefined : ofHeads, where: 'sinks are given' },
    dLogitScale: { shape: logitScale === undefined ? undefined : ofHeads },
  };
}
