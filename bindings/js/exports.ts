/** What the package exports beside `load`, on the web and in Node.js alike. */
export { Attention } from './attention.js';
export type {
  AttentionCallOptions,
  AttentionConfig,
  AttentionForward,
  AttentionGradients,
  BackwardInputs,
  ForwardOptions,
  GradientPlaces,
  QueryKeyNumbers,
  ScoreStage,
  Written,
} from './attention-types.js';
export { KvCache } from './cache.js';
export type { KvCacheAppendOptions } from './cache.js';
export { BiasEncoding } from './bias.js';
export type { BiasOptions, QueryKeyPositions } from './bias.js';
export { Encoding } from './encoding.js';
export type { EncodingCommon, Family } from './encoding.js';
export type { CoreErrorCode } from './generated/errors.js';
export { PosencError } from './errors.js';
export type { PosencErrorCode } from './errors.js';
export type * from './generated/encodings.js';
export type * from './generated/options.js';
export type { HalfFormat, HalfTensor } from './half.js';
export type { Layout } from './heads.js';
export { InputEncoding } from './input.js';
export type { AddOptions, BackwardOptions, EncodeOptions, InputGradient } from './input.js';
export type { Out, Shaped, TensorLike } from './inputs.js';
export { AttentionLayer } from './layer.js';
export type {
  AttentionLayerConfig,
  LayerBackwardInputs,
  LayerCallOptions,
  LayerForward,
  LayerForwardOptions,
  LayerGradientPlaces,
  LayerGradients,
} from './layer-types.js';
export type { LayerWeights } from './layer-weights.js';
export type { CompiledModule, LoadOptions, WasmSource } from './load.js';
export type { MaskLike } from './mask.js';
export { NoneEncoding } from './none.js';
export type { OperationInput } from './operations.js';
export type { Variant } from './detect.js';
export type { MemoryUse, Posenc } from './posenc.js';
export type { Pool } from './pool.js';
export type { PoolCall, PoolOptions, PoolWorker } from './pool/types.js';
export type { NumberArray, Positions } from './positions.js';
export { RelativeEncoding } from './relative.js';
export type { RelativeRowsOptions, RelativeTerm } from './relative.js';
export { RotaryEncoding } from './rotary.js';
export type { RelationMatrix } from './relations.js';
export type { RotaryOptions, RotarySide, RotaryTable, RotaryTableOptions } from './rotary.js';
export type { NestedNumbers, Shape } from './shape.js';
export { HeapTensor, Tensor } from './tensor.js';
export type { Weight } from './weights.js';
