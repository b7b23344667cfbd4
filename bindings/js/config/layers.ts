// Which layers of a tower see everything, slide, or have no attention at all, and which rotate.
import type { ConfigReader } from './reader.js';

/** One layer: its type in Hugging Face's words, and whether it rotates queries and keys. */
export interface Layer {
  readonly kind: string;
  readonly rotates: boolean;
}

/** How a model type's class fills in layer types that a config does not list. */
export type SlidingRule =
  | { readonly rule: 'none' }
  /** Every layer slides where `sliding_window` is set (Mistral, Phi-3, Starcoder2). */
  | { readonly rule: 'all' }
  /** Qwen2: with `use_sliding_window`, the layers from `max_window_layers` on. */
  | { readonly rule: 'fromMaxWindowLayers' }
  /** All slide but the last of every `period` (Gemma 2: 2, Cohere2: 4, Gemma 3: 6); `field` may say otherwise. */
  | { readonly rule: 'exceptLastOf'; readonly period: number; readonly field?: string }
  /** All slide but the first of every `period` (ModernBERT: 3). */
  | { readonly rule: 'exceptFirstOf'; readonly period: number; readonly field?: string }
  /** Llama 4: the layers that rotate see their own chunk of `attention_chunk_size` keys. */
  | { readonly rule: 'chunkedIfRotated' }
  /** Most layers are state-space, linear or convolution layers (Jamba, Bamba, Qwen3-Next, LFM2); see attentionAt. */
  | { readonly rule: 'hybrid'; readonly period?: number; /** Attention slides (RecurrentGemma). */ readonly local?: boolean };

/** Which layers rotate. */
export type RotationRule =
  | 'all'
  | 'none'
  /** `no_rope_layers`: 1 rotates, 0 does not; without it, every `no_rope_layer_interval`-th does not. */
  | 'noRopeLayers'
  /** Only those that slide (Cohere2, EXAONE 4). */
  | 'sliding'
  /** All where `position_embedding_type` is "rope", else none (Granite 4). */
  | 'positionEmbeddingType'
  /** All where `use_mem_rope` is true (Zamba2). */
  | 'useMemRope';

const full = 'full_attention';
const sliding = 'sliding_attention';
const other = 'linear_attention';
const withoutAttention = new Set([other, 'mamba', 'conv', 'recurrent', 'mlp', 'moe']);

/** Whether a layer of this type has attention. */
export function hasAttention(kind: string): boolean {
  return !withoutAttention.has(kind);
}

/**
 * A list as the config has it, `count` long. A list that is shorter, or ends in "...", goes on with its shortest
 * repeating part.
 */
export function continued<T>(list: readonly T[], count: number | undefined): readonly T[] {
  const open = (list.at(-1) as unknown) === '...';
  const known = open ? list.slice(0, -1) : list;
  if (count === undefined || known.length === 0) return known;
  const repeats = (period: number) => known.every((value, i) => Object.is(value, known[i % period]));
  let period = 1;
  while (period < known.length && !repeats(period)) period++;
  return Array.from({ length: count }, (_, i) => known[i < known.length ? i : i % period] as T);
}

function fill(rule: SlidingRule, config: ConfigReader, count: number): string[] {
  const where = (test: (layer: number) => boolean, [yes, no]: readonly [string, string] = [sliding, full]) =>
    Array.from({ length: count }, (_, i) => (test(i) ? yes : no));
  const windowed = config.value('sliding_window') !== undefined;
  switch (rule.rule) {
    case 'none':
    case 'chunkedIfRotated':
      return where(() => false);
    case 'all':
      return where(() => windowed);
    case 'fromMaxWindowLayers': {
      const from = config.integer('max_window_layers') ?? count;
      const on = windowed && config.boolean('use_sliding_window') !== false;
      return where((i) => on && i >= from);
    }
    case 'exceptLastOf': {
      const [period, letters] = periodOf(rule, config);
      if (letters) return where((i) => windowed && letters[i % letters.length] === 'L');
      return where((i) => windowed && (i + 1) % period !== 0);
    }
    case 'exceptFirstOf':
      return where((i) => i % periodOf(rule, config)[0] !== 0);
    case 'hybrid':
      return where(attentionAt(rule.period, config), [rule.local ? sliding : full, other]);
  }
}

/** Which layers of a hybrid model have attention, by the field that its family uses. */
function attentionAt(period: number | undefined, config: ConfigReader): (layer: number) => boolean {
  const indices = config.numbers('attn_layer_indices', 'full_attn_idxs');
  if (indices) return (i) => indices.includes(i);
  const every = config.integer('attn_layer_period');
  if (every) return (i) => i % every === (config.integer('attn_layer_offset') ?? 0);
  const letters = config.text('hybrid_override_pattern');
  if (letters) return (i) => letters[i] === '*';
  const blocks = config.list('block_types');
  if (blocks && blocks.length > 0) return (i) => blocks[i % blocks.length] === 'attention';
  const interval = config.integer('full_attention_interval') ?? period;
  return interval ? (i) => (i + 1) % interval === 0 : () => true;
}

/** The period, and EXAONE 4's pattern such as "LLLG" where the field holds one. */
function periodOf(rule: { period: number; field?: string }, config: ConfigReader): [number, string | undefined] {
  const value = rule.field ? config.value(rule.field) : undefined;
  if (typeof value === 'string') return [value.length, value];
  const period = rule.field ? (config.integer(rule.field) ?? rule.period) : rule.period;
  return [Math.max(period, 1), undefined];
}

function rotations(rule: RotationRule, config: ConfigReader, kinds: readonly string[]): boolean[] {
  switch (rule) {
    case 'all':
      return kinds.map(() => true);
    case 'none':
      return kinds.map(() => false);
    case 'sliding':
      // Without a window such a model has rotating layers only.
      return kinds.map((kind) => kind === sliding || config.value('sliding_window') === undefined);
    case 'positionEmbeddingType':
      return kinds.map(() => config.text('position_embedding_type') === 'rope');
    case 'useMemRope':
      return kinds.map(() => config.boolean('use_mem_rope') === true);
    case 'noRopeLayers': {
      const list = config.list('no_rope_layers');
      const interval = config.integer('no_rope_layer_interval') ?? 4;
      if (!list || list.length === 0) return kinds.map((_, i) => (i + 1) % interval !== 0);
      const flags = continued(list, kinds.length);
      return kinds.map((_, i) => Boolean(flags[i]));
    }
  }
}

/** All layers of a tower in order; an unknown number of layers gives one period of the pattern. */
export function readLayers(
  config: ConfigReader,
  count: number | undefined,
  slidingRule: SlidingRule,
  rotationRule: RotationRule,
): readonly Layer[] {
  const list = config.texts('layer_types', 'layers_block_type');
  const listed = list && list.length > 0 ? list : undefined;
  const kinds = listed ? continued(listed, count).map(plainKind) : fill(slidingRule, config, count ?? 1);
  const rotates = rotations(rotationRule, config, kinds);
  const chunked = !listed && slidingRule.rule === 'chunkedIfRotated';
  return kinds.map((kind, i) => {
    const turns = rotates[i] ?? true;
    return { kind: chunked && turns ? 'chunked_attention' : kind, rotates: turns };
  });
}

/** Older spellings of the same layer types. */
function plainKind(kind: string): string {
  if (kind === 'attention' || kind === 'global_attention' || kind === 'global') return full;
  if (kind === 'local_attention' || kind === 'local') return sliding;
  return kind;
}
