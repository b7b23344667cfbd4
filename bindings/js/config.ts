// posenc/config: from a Hugging Face config.json to encodings and attention options.
export { describeConfig } from './config/describe.js';
export { fromConfig } from './config/create.js';
export type { NamedTensor, NamedWeights } from './config/checkpoint.js';
export type { ConfigEncodings, CreatedGroup, CreatedInput, CreatedTower, FromConfigOptions } from './config/create.js';
export type {
  AttentionChoice,
  ConfigDescription,
  DescribeOptions,
  EncodingChoice,
  LayerGroup,
  ModelConfig,
  Tower,
  TowerName,
} from './config/types.js';
