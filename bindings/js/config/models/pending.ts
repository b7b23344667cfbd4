// Models whose encodings posenc does not make from a config yet: described as far as their attention goes.
import type { Describe } from '../context.js';
import { stack, stacks, type Stack } from '../stack.js';
import type { EncodingChoice, ModelConfig } from '../types.js';

/** Where an encoding of that id enters. */
const atInput = new Set(['learned', 'gridLearned', 'grid', 'axial', 'segment', 'box', 'conv', 'sinusoidal']);

/** A choice without options. */
export function missing(id: string, about: string): EncodingChoice {
  return { id, name: id, options: null, about };
}

/** A stack with such encodings. */
export function pending(id: string, about: string, model: Partial<Stack> = {}): Describe {
  const choice = () => [missing(id, about)];
  return stack({ causal: true, ...(atInput.has(id) ? { input: choice } : { encodings: choice }), ...model });
}

const bert: ModelConfig = { hidden_size: 768, num_hidden_layers: 12, num_attention_heads: 12, max_position_embeddings: 512 };
const learnedEncoder = pending('learned', 'a learned table of positions', { causal: false, defaults: bert });
const learnedDecoder = pending('learned', 'a learned table of positions', { defaults: { hidden_size: 768, num_attention_heads: 12 } });

/** Encoder and decoder with a table each (BART and its like). */
const learnedPair = stacks(
  pending('learned', 'a learned table of positions', { half: 'encoder', causal: false, defaults: { hidden_size: 1024 } }),
  pending('learned', 'a learned table of positions', { half: 'decoder', defaults: { hidden_size: 1024 } }),
);

const bucketed = (half: 'encoder' | 'decoder') =>
  pending('t5', `T5's bucketed bias, ${half === 'encoder' ? 'both sides' : 'one side'}; layer 0's table serves all layers`, {
    half,
    causal: half === 'decoder',
    scale: () => 1,
    defaults: { d_model: 512, d_kv: 64, num_heads: 8, num_layers: 6 },
  });
const t5 = stacks(bucketed('encoder'), bucketed('decoder'));

const patches = pending('gridLearned', 'a learned table of patches', { causal: false, tower: 'vision', defaults: bert });
const deberta = pending('deberta', 'disentangled content and position terms', { causal: false, defaults: bert });
const windowed: Describe = ({ modelType, config }) => {
  const heads = config.numbers('num_heads') ?? [3, 6, 12, 24];
  const depths = config.numbers('depths') ?? [2, 2, 6, 2];
  const width = config.integer('embed_dim') ?? 96;
  const id = modelType.startsWith('swinv2') ? 'swinV2' : 'swin';
  let first = 0;
  const groups = heads.map((count, stage) => {
    const headDim = (width * 2 ** stage) / count;
    const layers = Array.from({ length: depths[stage] ?? 0 }, () => first++);
    const attention = {
      heads: count, kvHeads: count, headDim, valueDim: headDim, causal: false, scale: 1 / Math.sqrt(headDim), softcap: 0,
    };
    const encodings = [missing(id, `a bias per pair of places in a window, stage ${stage}`)];
    return { layers, kind: 'full_attention', encodings, attention, sinks: false };
  });
  return [
    { name: 'vision', modelType, layers: first, hiddenSize: width, maxPositions: undefined, input: [], groups, warnings: [] },
  ];
};

const withNames = (describe: Describe, ...types: readonly string[]) => Object.fromEntries(types.map((type) => [type, describe]));

export const pendingModels: Readonly<Record<string, Describe>> = {
  ...withNames(
    learnedEncoder,
    'roberta', 'xlm-roberta', 'xlm-roberta-xl', 'roberta-prelayernorm', 'camembert', 'albert', 'electra', 'mpnet',
    'mobilebert', 'megatron-bert', 'rembert', 'ernie', 'big_bird', 'longformer', 'nystromformer', 'convbert', 'layoutlm',
    'markuplm', 'lilt', 'splinter', 'squeezebert', 'data2vec-text', 'ibert', 'luke', 'xmod', 'canine', 'fnet', 'yoso',
    'mra', 'nezha', 'clip_text_model', 'siglip_text_model', 'bert-generation',
  ),
  ...withNames(learnedDecoder, 'gpt2', 'gpt_neo', 'gpt_bigcode', 'opt', 'openai-gpt', 'biogpt', 'imagegpt', 'cpmant'),
  ...withNames(learnedPair, 'bart', 'mbart', 'plbart', 'blenderbot', 'blenderbot-small', 'led', 'bigbird_pegasus', 'mvp'),
  ...withNames(t5, 't5', 'mt5', 'umt5', 'longt5', 'switch_transformers', 'byt5', 'pop2piano', 'udop', 'pix2struct'),
  ...withNames(
    patches,
    'vit', 'deit', 'dinov2', 'dinov2_with_registers', 'vit_msn', 'clip_vision_model', 'siglip_vision_model', 'yolos', 'dpt',
    'ijepa', 'timesformer', 'vivit', 'audio-spectrogram-transformer', 'idefics3_vision', 'idefics2', 'smolvlm_vision',
    'blip_vision_model', 'chinese_clip_vision_model', 'intern_vit_6b', 'internvl_vision', 'gemma3n_vision',
  ),
  ...withNames(pending('grid', 'a fixed sine table of patches', { causal: false, tower: 'vision', defaults: bert }), 'vit_mae', 'videomae'),
  ...withNames(
    pending('ropeNd', 'rotation by row and column', { causal: false, tower: 'vision', defaults: bert }),
    'pixtral', 'qwen2_vl_vision', 'qwen2_5_vl_vision', 'qwen3_vl_vision', 'dinov3_vit', 'llama4_vision_model', 'mlcd',
    'eva02', 'kimi_vl_vision', 'moonvit',
  ),
  ...withNames(deberta, 'deberta', 'deberta-v2'),
  ...withNames(windowed, 'swin', 'swinv2', 'donut-swin', 'maskformer-swin'),
  sam_vision_model: stack({
    causal: false,
    tower: 'vision',
    defaults: bert,
    input: () => [missing('gridLearned', 'a learned table of patches')],
    encodings: () => [missing('decomposed', 'terms of the query with row and column distances')],
  }),
  xlnet: pending('transformerXL', "XLNet's relative terms", { causal: false, defaults: { d_model: 1024, n_head: 16, n_layer: 24 } }),
  'transfo-xl': pending('transformerXL', "Transformer-XL's relative terms", { defaults: { d_model: 1024, n_head: 16, n_layer: 18 } }),
  beit: pending('beit', 'a bias per pair of patches, with rows for the class token', { causal: false, tower: 'vision', defaults: bert }),
  wav2vec2: pending('conv', 'a grouped convolution over time', { causal: false, tower: 'audio', defaults: bert }),
  hubert: pending('conv', 'a grouped convolution over time', { causal: false, tower: 'audio', defaults: bert }),
  wavlm: pending('t5', 'a gated bucketed bias', { causal: false, tower: 'audio', defaults: bert }),
};
