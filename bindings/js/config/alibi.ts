// Towers whose scores carry ALiBi's penalty on distance.
import type { Describe } from './context.js';
import { stack, type StackContext } from './stack.js';
import type { EncodingChoice, ModelConfig } from './types.js';

/** What a model type's class settles. */
export interface AlibiModel {
  readonly defaults?: ModelConfig;
  /** Decoders: causal (default). Encoders look both ways: symmetric. */
  readonly sides?: 'causal' | 'symmetric';
  /** MPT's order of slopes, with alibi_bias_max. */
  readonly order?: 'press' | 'mpt';
  /** Falcon multiplies the penalty by 1 / sqrt(headDim) along with q·k. */
  readonly scaled?: boolean;
  readonly scale?: (config: StackContext['config'], headDim: number) => number;
}

/** Describes such a tower. */
export function alibi(model: AlibiModel = {}): Describe {
  const sides = model.sides ?? 'causal';
  const encodings = ({ config, attention, warn }: StackContext): EncodingChoice[] => {
    const nested = config.object('attn_config');
    const biasMax = nested?.number('alibi_bias_max') ?? config.number('alibi_bias_max') ?? 8;
    if (nested?.boolean('prefix_lm') === true)
      warn('prefix_lm: the prefix is seen from both sides; give a mask for it');
    if (config.boolean('learned_pos_emb') === true)
      warn('with alibi the model has no learned positions: learned_pos_emb is ignored');
    const options = { heads: attention.heads, sides, slopeRule: model.order ?? 'press', biasMax };
    const about = `a penalty on distance, ${sides}${model.scaled ? ', scaled like q·k by 1 / sqrt(headDim)' : ''}`;
    const scaled = model.scaled ? { scaled: { slopes: 1 / Math.sqrt(attention.headDim) } } : {};
    return [{ id: 'alibi', name: 'alibi', options, about, ...scaled }];
  };
  return stack({
    ...(model.defaults ? { defaults: model.defaults } : {}),
    ...(model.scale ? { scale: model.scale } : {}),
    causal: sides === 'causal',
    encodings,
  });
}
