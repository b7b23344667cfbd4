// Vision and audio towers with tables of patches, rotation by row and column, window biases or convolutions.
import type { Describe } from '../context.js';
import { decomposed } from '../relative.js';
import { stack } from '../stack.js';
import { patchTable } from '../tables.js';
import { beit, swin } from '../windows.js';
import { dinov3, llama4Patches, pixtral, qwenPatches } from './patches.js';
import { pending } from './pending.js';
import { sizes } from './sizes.js';

const about: Readonly<Record<string, string>> = {
  gridLearned: 'a learned table of patches',
  grid: 'a fixed sine table of patches',
};

function patches(id = 'gridLearned', hidden = 768, layers = 12, heads = 12): Describe {
  const defaults = sizes(hidden, layers, heads, null, null, null);
  return pending(id, about[id] ?? id, { causal: false, tower: 'vision', defaults });
}

/** A learned row per patch, after `prefix` class tokens. */
function grid(prefix = 1, hidden = 768, layers = 12, heads = 12): Describe {
  const defaults = sizes(hidden, layers, heads, null, null, null);
  return stack({ causal: false, tower: 'vision', defaults, input: patchTable({ prefix }) });
}

function sound(id: string, text: string): Describe {
  return pending(id, text, { causal: false, tower: 'audio', defaults: sizes(768, 12, 12, null, null, null) });
}

export const pendingMedia: Readonly<Record<string, Describe>> = {
  vit: grid(),
  deit: grid(2),
  dinov2: grid(),
  dinov2_with_registers: grid(),
  vit_msn: grid(),
  yolos: patches(),
  dpt: grid(),
  ijepa: grid(0),
  timesformer: patches(),
  vivit: patches(),
  'audio-spectrogram-transformer': patches(),
  clip_vision_model: grid(),
  chinese_clip_vision_model: grid(),
  siglip_vision_model: grid(0),
  blip_vision_model: grid(),
  idefics3_vision: patches('gridLearned', 1152, 12, 16),
  smolvlm_vision: patches('gridLearned', 1152, 12, 16),
  idefics2: patches('gridLearned', 768, 12, 12),
  internvl_vision: grid(1, 1024, 24, 16),
  intern_vit_6b: grid(1, 3200, 48, 25),
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
    defaults: { ...sizes(768, 12, 12, null, null, null), image_size: 1024, patch_size: 16 },
    input: patchTable({ prefix: 0 }),
  }),
  wav2vec2: sound('conv', 'a grouped convolution over time'),
  hubert: sound('conv', 'a grouped convolution over time'),
  wavlm: sound('t5', 'a gated bucketed bias'),
};
