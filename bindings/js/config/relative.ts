// Towers whose scores have terms of the content: Shaw's rows, Transformer-XL's sines, DeBERTa's tables, SAM's grid.
import type { Describe } from './context.js';
import type { ConfigReader } from './reader.js';
import { stack, type Stack, type StackContext } from './stack.js';
import { learnedTable } from './tables.js';
import type { EncodingChoice, LayerGroup } from './types.js';

function choice(id: string, options: Readonly<Record<string, unknown>>, about: string): EncodingChoice {
  return { id, name: id, options, about };
}

/** BERT's relative_key and relative_key_query: a row for every distance, for keys or for keys and queries. */
export function bertKeys({ config, attention, maxPositions }: StackContext): EncodingChoice[] {
  const queries = config.text('position_embedding_type') === 'relative_key_query';
  const left = (maxPositions ?? 512) - 1;
  const { headDim } = attention;
  const options = { headDim, left, values: 'none', queries, order: 'queryMinusKey', beyond: 'error' };
  return [choice('shaw', options, `a vector per distance that ${queries ? 'queries and keys look' : 'the query looks'} at`)];
}

/** Wav2Vec2-BERT: clipped, further behind than ahead. */
export function clippedKeys({ config, attention }: StackContext): EncodingChoice[] {
  const left = config.integer('left_max_position_embeddings') ?? 64;
  const right = config.integer('right_max_position_embeddings') ?? 8;
  const options = { headDim: attention.headDim, left, right, values: 'none' };
  return [choice('shaw', options, `a vector per distance that the query looks at, to ${left} behind and ${right} ahead`)];
}

/** Conformer: sines of distances of both signs. */
export function conformerTerms({ attention, hiddenSize }: StackContext): EncodingChoice[] {
  const { heads, headDim } = attention;
  const options = { heads, headDim, dim: hiddenSize, layout: 'interleaved' };
  return [choice('transformerXL', options, 'sinusoidal relative terms over both sides')];
}

function clampOf(config: ConfigReader): { clampLength?: number } {
  const length = config.number('clamp_len') ?? 0;
  return length > 0 ? { clampLength: length } : {};
}

/** Transformer-XL: memory in front of the keys, sines of the distance. */
export function transformerXL(model: Partial<Stack>): Describe {
  return stack({
    causal: true,
    ...model,
    encodings: ({ config, attention, hiddenSize, warn }) => {
      const { heads, headDim } = attention;
      if (config.boolean('same_length') === true) {
        warn('same_length: every query sees as many keys as the memory is long; give attention that window to the left');
      }
      const options = { heads, headDim, dim: hiddenSize, ...clampOf(config) };
      return [choice('transformerXL', options, 'sinusoidal relative terms; the memory is in front of the keys')];
    },
  });
}

/** XLNet: the same with segments, and both sides where attn_type is "bi". */
export function xlnet(model: Partial<Stack>): Describe {
  return (part) => {
    const causal = part.config.text('attn_type') === 'uni';
    return stack({
      causal,
      ...model,
      encodings: ({ config, attention, hiddenSize, warn }) => {
        const { heads, headDim } = attention;
        warn('positions have two coordinates, place and segment; tokens of the memory are of segment 0');
        warn('the weight r is [in, heads, headDim] in the released models: transpose it for `projection`');
        const options = { heads, headDim, dim: hiddenSize, segments: true, ...clampOf(config) };
        return [choice('transformerXL', options, 'sinusoidal relative terms and a segment term')];
      },
    })(part);
  };
}

/** pos_att_type, a list or text such as "c2p|p2c". */
function positionTerms(config: ConfigReader): readonly string[] {
  const value = config.value('pos_att_type');
  const list = typeof value === 'string' ? value.split('|') : (config.list('pos_att_type') ?? []);
  return list.map(String).filter((name) => name === 'c2p' || name === 'p2c');
}

/** DeBERTa divides by the root of the width times the number of products: content, and each of pos_att_type. */
export function disentangled(model: Partial<Stack>): Describe {
  return stack({
    causal: false,
    ...model,
    scale: (config, headDim) => 1 / Math.sqrt(headDim * (1 + positionTerms(config).length)),
    input: (context) => (context.config.boolean('position_biased_input') === false ? [] : learnedTable()(context)),
    encodings: ({ config, attention, hiddenSize, maxPositions, warn }) => {
      const terms = positionTerms(config);
      if (config.boolean('relative_attention') !== true || terms.length === 0) return [];
      const most = config.number('max_relative_positions') ?? -1;
      const positions = most >= 1 ? most : (maxPositions ?? 512);
      const buckets = config.number('position_buckets') ?? -1;
      const table =
        buckets > 0 ? { span: buckets, buckets: 'log', maxRelativePositions: positions } : { span: positions };
      if (config.boolean('share_att_key') === true)
        warn('share_att_key: keyWeight and queryWeight are the key and query projections of the layer itself');
      if (config.text('norm_rel_ebd')?.includes('layer_norm'))
        warn('norm_rel_ebd: relativeEmbeddings are the rows after the layer norm of the encoder');
      if (config.boolean('position_biased_input') === false)
        warn("absolute positions are added near the output: a table of learned rows in an attentionLayer with addTo 'q', in front of the decoder of masked words");
      const { heads, headDim } = attention;
      const options = { heads, headDim, dim: hiddenSize, ...table, terms: terms.length === 2 ? 'both' : terms[0] };
      const made = choice('deberta', options, 'disentangled content and position terms');
      const normed = config.text('norm_rel_ebd')?.includes('layer_norm') === true;
      return [normed ? { ...made, layerNorm: { relativeEmbeddings: config.number('layer_norm_eps') ?? 1e-7 } } : made];
    },
  });
}

/** SAM's picture encoder: most layers see windows, a few the whole grid, each with tables of that size. */
export const decomposed =
  (model: Partial<Stack>): Describe =>
  (part) => {
    const towers = stack({ causal: false, ...model })(part);
    const config = part.config.withDefaults(model.defaults ?? {});
    const grid = Math.floor((config.integer('image_size') ?? 1024) / (config.integer('patch_size') ?? 16));
    const window = config.integer('window_size') ?? 14;
    const whole = config.numbers('global_attn_indexes') ?? [2, 5, 8, 11];
    const relative = config.boolean('use_rel_pos') !== false;
    return towers.map((tower) => {
      const [group] = tower.groups;
      if (group === undefined) return tower;
      const layers = group.layers === 'all' ? [] : group.layers;
      const sized = (kind: string, size: number, name: string, own: readonly number[]): LayerGroup => {
        const options = { headDim: group.attention.headDim, height: size, width: size };
        const about = `terms of the query with row and column distances in ${size} x ${size} patches`;
        return { ...group, layers: own, kind, encodings: relative ? [{ id: 'decomposed', name, options, about }] : [] };
      };
      const windows = layers.filter((layer) => !whole.includes(layer));
      const rest = layers.filter((layer) => whole.includes(layer));
      const groups = [
        sized('window_attention', window, 'decomposed-window', windows),
        sized('full_attention', grid, 'decomposed-full', rest),
      ].filter((each) => each.layers.length > 0);
      const warning = 'give positions by posenc.decomposed.positions, once for a window and once for the whole grid';
      return { ...tower, groups, warnings: [...tower.warnings, warning] };
    });
  };
