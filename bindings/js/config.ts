// posenc/config: from a Hugging Face config.json to encodings and attention options.
export { describeConfig } from './config/describe.js';
export { fromConfig } from './config/create.js';
export type { NamedTensor, NamedWeights } from './config/checkpoint.js';
export type { ConfigEncodings, CreatedGroup, CreatedInput, CreatedTower, FromConfigOptions, LayerCallValues } from './config/create.js';
export type {
  AttentionChoice,
  ConfigDescription,
  DescribeOptions,
  EncodingChoice,
  LayerGroup,
  ModelConfig,
  Tower,
  TowerName,
  WindowChoice,
} from './config/types.js';
