// Vision and audio towers with tables of patches, rotation by row and column, window biases or convolutions.
import type { Describe } from '../context.js';
import { decomposed } from '../relative.js';
import { beit, swin } from '../windows.js';
import { dinov3, llama4Patches, pixtral, qwenPatches } from './patches.js';
import { missing, pending } from './pending.js';
import { sizes } from './sizes.js';

const about: Readonly<Record<string, string>> = {
  gridLearned: 'a learned table of patches',
  grid: 'a fixed sine table of patches',
};

function patches(id = 'gridLearned', hidden = 768, layers = 12, heads = 12): Describe {
  const defaults = sizes(hidden, layers, heads, null, null, null);
  return pending(id, about[id] ?? id, { causal: false, tower: 'vision', defaults });
}

function sound(id: string, text: string): Describe {
  return pending(id, text, { causal: false, tower: 'audio', defaults: sizes(768, 12, 12, null, null, null) });
}

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
  pixtral,
  dinov3_vit: dinov3,
  llama4_vision_model: llama4Patches,
  qwen2_vl_vision: qwenPatches([1280, 32, 16]),
  qwen2_5_vl_vision: qwenPatches([1280, 32, 16]),
  qwen3_vl_vision: qwenPatches([1152, 27, 16]),
  swin,
  swinv2: swin,
  'donut-swin': swin,
  'maskformer-swin': swin,
  beit: beit({ tower: 'vision', defaults: sizes(768, 12, 12, null, null, null) }),
  'data2vec-vision': beit({ tower: 'vision', defaults: sizes(768, 12, 12, null, null, null) }),
  sam_vision_model: decomposed({
    tower: 'vision',
    defaults: sizes(768, 12, 12, null, null, null),
    input: () => [missing('gridLearned', 'a learned table of patches')],
  }),
  wav2vec2: sound('conv', 'a grouped convolution over time'),
  hubert: sound('conv', 'a grouped convolution over time'),
  wavlm: sound('t5', 'a gated bucketed bias'),
};
