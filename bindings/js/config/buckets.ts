// Towers whose scores carry a learned number per bucket of distances: T5 and its kin, LayoutLM.
import type { Describe } from './context.js';
import { byLayer, stack, type Stack, type StackContext } from './stack.js';
import type { EncodingChoice } from './types.js';

/** What a model type's class settles beside its sizes. */
export interface BucketModel extends Partial<Stack> {
  /** Whether every layer has a table of its own (UMT5); else that of layer 0 serves all. */
  readonly perLayer?: boolean;
  readonly warnings?: readonly string[];
}

/** Describes a tower with T5's bias: two sides in an encoder, one in a decoder. */
export function bucketed({ perLayer = false, warnings = [], ...model }: BucketModel = {}): Describe {
  const causal = model.causal ?? false;
  const sides = causal ? 'one side' : 'both sides';
  const tables = perLayer ? 'every layer has a table of its own' : 'the table of layer 0 serves all layers';
  const encodings = ({ config, attention, warn }: StackContext): EncodingChoice[] => {
    if (causal) warn('cross-attention has no position term; its scale is the same');
    warnings.forEach(warn);
    const options = {
      heads: attention.heads,
      numBuckets: config.integer('relative_attention_num_buckets') ?? 32,
      maxDistance: config.integer('relative_attention_max_distance') ?? 128,
      bidirectional: !causal,
    };
    return [{ id: 't5', name: 't5', options, about: `T5's bucketed bias, ${sides}; ${tables}` }];
  };
  const describe = stack({ ...model, causal, encodings });
  return perLayer ? byLayer(describe) : describe;
}

/** WavLM: the table of layer 0 serves all layers, and each has a gate of its own, which reads the layer's input. */
export function gatedBuckets({ config, attention }: StackContext): EncodingChoice[] {
  const options = {
    heads: attention.heads,
    numBuckets: config.integer('num_buckets') ?? 320,
    maxDistance: config.integer('max_bucket_distance') ?? 800,
    gate: 'input',
    headDim: attention.headDim,
  };
  return [{ id: 't5', name: 't5', options, about: "T5's bucketed bias times a gate of each query; the gate is each layer's own" }];
}

/** LayoutLMv2 and v3: buckets of distances in the text and on the page. Version 3 divides them by sqrt(headDim). */
export function layout(model: Partial<Stack>, divides: boolean): Describe {
  return stack({
    ...model,
    causal: false,
    encodings: ({ config, attention }) => {
      const text = config.boolean('has_relative_attention_bias') ?? true;
      const page = config.boolean('has_spatial_attention_bias') ?? true;
      if (!text && !page) return [];
      const options = {
        heads: attention.heads,
        parts: text && page ? 'both' : text ? 'text' : 'page',
        ...(text ? { numBuckets: config.integer('rel_pos_bins'), maxDistance: config.integer('max_rel_pos') } : {}),
        ...(page
          ? { numBuckets2d: config.integer('rel_2d_pos_bins'), maxDistance2d: config.integer('max_rel_2d_pos') }
          : {}),
        factor: divides ? 1 / Math.sqrt(attention.headDim) : 1,
      };
      const about = 'buckets of distances in the text and on the page; one table for all layers';
      return [{ id: 'layoutBias', name: 'layoutBias', options, about }];
    },
  });
}
