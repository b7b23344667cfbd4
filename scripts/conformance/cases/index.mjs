// Which file runs which kind of case. A new encoding adds a file here and a line below.
import { alibi } from './alibi.mjs';
import { attention } from './attention.mjs';
import { axial } from './axial.mjs';
import { box } from './box.mjs';
import { cope } from './cope.mjs';
import { deberta } from './deberta.mjs';
import { fire } from './fire.mjs';
import { detrLearned, gridLearned, timesformer } from './grid-learned.mjs';
import { kerple } from './kerple.mjs';
import { layoutBias } from './layout-bias.mjs';
import { learned } from './learned.mjs';
import { fourier } from './fourier.mjs';
import { grid } from './grid.mjs';
import { modelConfig } from './model-config.mjs';
import { mrope } from './mrope.mjs';
import { onnxAttention } from './onnx-attention.mjs';
import { onnxBias } from './onnx-bias.mjs';
import { onnxGate } from './onnx-gate.mjs';
import { onnxLayer } from './onnx-layer.mjs';
import { onnxGroupQuery, onnxMultiHead } from './onnx-heads.mjs';
import { onnxRotary } from './onnx-rotary.mjs';
import { rope } from './rope.mjs';
import { composition, ropeFrequencies } from './rope-frequencies.mjs';
import { ropeNd } from './rope-nd.mjs';
import { shaw } from './shaw.mjs';
import { shift } from './shift.mjs';
import { sinusoidal } from './sinusoidal.mjs';
import { transformerXL, xlnet } from './transformer-xl.mjs';
import { beit, swin } from './swin.mjs';
import { t5 } from './t5.mjs';
import { xpos } from './xpos.mjs';

/** @type {Readonly<Record<string, (one: import('../case.mjs').Case, api: object) => void>>} */
const mappers = {
  alibi,
  attention,
  axial,
  box,
  cope,
  deberta,
  'detr-learned': detrLearned,
  fire,
  gridLearned,
  kerple,
  learned,
  // One source has both of LayoutLM's encodings.
  layoutlm: (one, api) => (one.params.variant === 'v2-relative-bias' ? layoutBias : mappers.box)(one, api),
  mrope,
  fourier,
  grid,
  rope,
  'rope-2d': ropeNd,
  'rope-3d': ropeNd,
  'relative-skew': shift,
  shaw,
  sinusoidal,
  timesformer,
  transformerXL: (one, api) => (one.has('q') ? transformerXL : shift)(one, api),
  xlnet: (one, api) => (one.has('q') ? xlnet : shift)(one, api),
  'beit-bias': beit,
  'swin-bias': swin,
  't5-bias': t5,
  xpos,
  Attention: onnxAttention,
  'com.microsoft.Attention': onnxLayer,
  'com.microsoft.MultiHeadAttention': onnxMultiHead,
  'com.microsoft.GroupQueryAttention': onnxGroupQuery,
  RotaryEmbedding: onnxRotary,
  'com.microsoft.RotaryEmbedding': onnxRotary,
  RelativePositionBias: onnxBias,
  'com.microsoft.RelativePositionBias': onnxBias,
  'com.microsoft.GatedRelativePositionBias': onnxGate,
  'rope-frequencies': ropeFrequencies,
  'rope-composition': composition,
  'model-configs': modelConfig,
};

/** The function for a case: by the first of its ids that has one. */
export function mapperOf(ids) {
  const id = ids.find((name) => Object.hasOwn(mappers, name));
  return id === undefined ? undefined : mappers[id];
}

/** Golden files go by names of their sources: the ids of the encodings that they are about, for `--only`. */
const goldenIds = {
  'sincos-1d': ['grid'],
  'sincos-2d': ['grid'],
  'sincos-3d': ['grid'],
  'detr-sine': ['grid'],
  'learned-1d': ['learned'],
  'learned-2d': ['gridLearned'],
  'detr-learned': ['gridLearned'],
  timesformer: ['gridLearned'],
  'fourier-features': ['fourier'],
  layoutlm: ['box', 'layoutBias'],
  'rope-2d': ['ropeNd'],
  'rope-3d': ['ropeNd'],
  't5-bias': ['t5'],
  'swin-bias': ['swin', 'swinV2'],
  'beit-bias': ['beit'],
  'transformer-xl': ['transformerXL'],
  xlnet: ['transformerXL'],
};

export function idsOfGolden(encoding) {
  return goldenIds[encoding] ?? [];
}
