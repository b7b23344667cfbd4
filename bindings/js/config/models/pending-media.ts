// Vision and audio towers with tables of patches, rotation by row and column, window biases or convolutions.
import type { Describe } from '../context.js';
import { decomposed } from '../relative.js';
import type { LayerGroup } from '../types.js';
import { missing, pending } from './pending.js';
import { sizes } from './sizes.js';

const about: Readonly<Record<string, string>> = {
  gridLearned: 'a learned table of patches',
  grid: 'a fixed sine table of patches',
  ropeNd: 'rotation by row and column',
};

function patches(id = 'gridLearned', hidden = 768, layers = 12, heads = 12): Describe {
  const defaults = sizes(hidden, layers, heads, null, null, null);
  return pending(id, about[id] ?? id, { causal: false, tower: 'vision', defaults });
}

function sound(id: string, text: string): Describe {
  return pending(id, text, { causal: false, tower: 'audio', defaults: sizes(768, 12, 12, null, null, null) });
}

/** Swin: four stages of windows, each of its own width and head count. */
const windows: Describe = ({ modelType, config }) => {
  const heads = config.numbers('num_heads') ?? [3, 6, 12, 24];
  const depths = config.numbers('depths') ?? [2, 2, 6, 2];
  const width = config.integer('embed_dim') ?? 96;
  const second = modelType === 'swinv2';
  let layer = 0;
  const groups = heads.map((count, stage): LayerGroup => {
    const headDim = (width * 2 ** stage) / count;
    return {
      layers: Array.from({ length: depths[stage] ?? 0 }, () => layer++),
      kind: 'full_attention',
      encodings: [missing(second ? 'swinV2' : 'swin', `a bias per pair of places in a window, stage ${stage}`)],
      attention: {
        heads: count,
        kvHeads: count,
        headDim,
        valueDim: headDim,
        causal: false,
        scale: second ? 1 : 1 / Math.sqrt(headDim),
        softcap: 0,
      },
      sinks: false,
    };
  });
  const warnings = second ? ['logits are cosines with a learned scale per head, which posenc does not offer yet'] : [];
  return [
    {
      name: 'vision',
      modelType,
      layers: layer,
      hiddenSize: width,
      maxPositions: undefined,
      input: [],
      groups,
      warnings,
    },
  ];
};

export const pendingMedia: Readonly<Record<string, Describe>> = {
  vit: patches(),
  deit: patches(),
  dinov2: patches(),
  dinov2_with_registers: patches(),
  vit_msn: patches(),
  yolos: patches(),
  dpt: patches(),
  ijepa: patches(),
  timesformer: patches(),
  vivit: patches(),
  'audio-spectrogram-transformer': patches(),
  clip_vision_model: patches(),
  chinese_clip_vision_model: patches(),
  siglip_vision_model: patches(),
  blip_vision_model: patches(),
  idefics3_vision: patches('gridLearned', 1152, 12, 16),
  smolvlm_vision: patches('gridLearned', 1152, 12, 16),
  idefics2: patches('gridLearned', 768, 12, 12),
  internvl_vision: patches('gridLearned', 1024, 24, 16),
  intern_vit_6b: patches('gridLearned', 3200, 48, 25),
  vit_mae: patches('grid'),
  videomae: patches('grid'),
  pixtral: patches('ropeNd', 1024, 24, 16),
  dinov3_vit: patches('ropeNd', 384, 12, 6),
  llama4_vision_model: patches('ropeNd', 768, 34, 16),
  qwen2_vl_vision: patches('ropeNd', 1280, 32, 16),
  qwen2_5_vl_vision: patches('ropeNd', 1280, 32, 16),
  qwen3_vl_vision: patches('ropeNd', 1152, 27, 16),
  swin: windows,
  swinv2: windows,
  'donut-swin': windows,
  'maskformer-swin': windows,
  beit: pending('beit', 'a bias per pair of patches, with rows for the class token', {
    causal: false,
    tower: 'vision',
    defaults: sizes(768, 12, 12, null, null, null),
  }),
  sam_vision_model: decomposed({
    tower: 'vision',
    defaults: sizes(768, 12, 12, null, null, null),
    input: () => [missing('gridLearned', 'a learned table of patches')],
  }),
  wav2vec2: sound('conv', 'a grouped convolution over time'),
  hubert: sound('conv', 'a grouped convolution over time'),
  wavlm: sound('t5', 'a gated bucketed bias'),
};
