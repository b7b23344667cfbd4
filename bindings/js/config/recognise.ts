// Configs of model types that no table knows: described by their fields where those leave no doubt.
import { PosencError } from '../errors.js';
import { alibi } from './alibi.js';
import { bucketed } from './buckets.js';
import type { Describe } from './context.js';
import { learned } from './models/learned.js';
import { disentangled } from './relative.js';
import { ropeFields } from './rope.js';
import { rotary } from './rotary.js';
import type { ConfigReader } from './reader.js';

interface Sign {
  readonly holds: (config: ConfigReader) => boolean;
  readonly describe: Describe;
}

const positionType = (config: ConfigReader) => config.value('position_embedding_type', 'position_embeddings_type');

const guess =
  'model type not known to posenc: read by its fields alone, as a decoder with half-split pairs; check layout and scale';
const guessedEncoder =
  'model type not known to posenc: read by its fields alone, as an encoder; check layout and scale';

/** Field signs, the most telling first. */
const signs: readonly Sign[] = [
  {
    holds: (config) => config.sets('relative_attention_num_buckets'),
    describe: (part) =>
      bucketed({
        causal: part.config.value('is_decoder') === true,
        scale: () => 1,
        warnings: ['model type not known to posenc: read by its fields alone, as T5 is; check the scale'],
      })(part),
  },
  {
    holds: (config) => config.boolean('relative_attention') === true,
    describe: disentangled({}),
  },
  {
    holds: (config) => config.object('attn_config')?.boolean('alibi') === true,
    describe: alibi({ order: 'mpt' }),
  },
  { holds: (config) => config.value('alibi') === true || positionType(config) === 'alibi', describe: alibi() },
  {
    holds: (config) => ['rotary', 'rope'].includes(String(positionType(config))) && config.value('is_decoder') !== true,
    describe: rotary({ causal: false, warnings: [guessedEncoder] }),
  },
  {
    holds: (config) =>
      config.sets(
        'rope_scaling',
        'rope_parameters',
        'rotary_dim',
        ...ropeFields.base,
        ...ropeFields.slidingBase,
        ...ropeFields.partial,
      ),
    describe: rotary({ sliding: { rule: 'all' }, warnings: [guess] }),
  },
  {
    holds: (config) => positionType(config) === 'absolute' || config.sets('type_vocab_size', 'n_positions'),
    // One token type is RoBERTa's sign, whose first rows are for padding.
    describe: (part) => learned({ causal: false }, { padded: part.config.value('type_vocab_size') === 1 })(part),
  },
];

/** How to describe such a config; an error that names the model type where its fields say too little. */
export function recognise(modelType: string | undefined, config: ConfigReader): Describe {
  const sign = signs.find(({ holds }) => holds(config));
  if (sign) return sign.describe;
  throw new PosencError(
    'unsupported',
    config.named('model_type'),
    modelType === undefined ? 'nothing' : `"${modelType}"`,
    'a model type that posenc knows, or fields that tell its encoding (rope_theta, position_embedding_type, ...)',
  );
}
