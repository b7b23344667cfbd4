// Layers with a factor or a window of their own: GPT-2, GPT-Neo, Longformer.
import type { ConfigReader } from '../reader.js';
import type { LayerOwn, StackContext } from '../stack.js';

/** Whether q·k has a factor at all: GPT-2's and GPT-BigCode's scale_attn_weights. */
export const scaled = ({ config }: StackContext): LayerOwn =>
  config.boolean('scale_attn_weights') === false ? { attention: { scale: 1 } } : {};

/** GPT-2 may divide the factor by the number of the layer as well. */
export function gpt2Layer(context: StackContext, index: number): LayerOwn {
  if (context.config.boolean('scale_attn_by_inverse_layer_idx') !== true) return scaled(context);
  const scale = scaled(context).attention?.scale ?? context.attention.scale;
  return { attention: { scale: scale / (index + 1) } };
}

/** GPT-Neo's layers see everything before them, or window_size keys, their own among them. */
export function gptNeoLayer({ config }: StackContext, index: number): LayerOwn {
  if (kindAt(config, index) !== 'local') return {};
  return { kind: 'sliding_attention', attention: { window: { left: config.size('window_size') - 1 } } };
}

/** Longformer and LED: a token sees attention_window tokens, half on each side; beside them global tokens, which calls name. */
export function longformerLayer({ config, warn }: StackContext, index: number): LayerOwn {
  warn('global tokens see all and are seen by all: give each call `global`, 1 for those tokens');
  const listed = Array.isArray(config.value('attention_window'));
  const width = listed ? config.numbers('attention_window')?.[index] : config.size('attention_window');
  if (width === undefined) throw config.refuse('attention_window', config.value('attention_window'), 'a number for each layer');
  const side = Math.floor(width / 2);
  return { kind: 'sliding_attention', attention: { window: { left: side, right: side } } };
}

/** By the list of all layers, or by lists that repeat: [[["global", "local"], 12]]. */
function kindAt(config: ConfigReader, index: number): string | undefined {
  const listed = config.texts('attention_layers');
  if (listed) return listed[index];
  let place = index;
  for (const run of config.list('attention_types') ?? []) {
    const [kinds, times] = Array.isArray(run) ? (run as readonly unknown[]) : [];
    if (!Array.isArray(kinds) || !Number.isInteger(times)) throw config.refuse('attention_types', run, 'lists of kinds, each with how often it comes');
    const span = kinds.length * (times as number);
    if (place < span) return String(kinds[place % kinds.length]);
    place -= span;
  }
  return undefined;
}
