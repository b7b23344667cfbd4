// Vision and audio towers with tables of patches, rotation by row and column, window biases or convolutions.
import type { Describe } from '../context.js';
import { gatedBuckets } from '../buckets.js';
import { decomposed } from '../relative.js';
import { stack, type Stack } from '../stack.js';
import { frameTable, framePatches, nearestPatches, patchTable, sineFrames, sinePatches, soundPatches, timeFilters, withDetections } from '../tables.js';
import type { ModelConfig } from '../types.js';
import { beit, swin } from '../windows.js';
import { dinov3, llama4Patches, pixtral, qwenPatches } from './patches.js';
import { sizes } from './sizes.js';

/** A tower of patches with what `input` makes of the config. */
function patches(input: Stack['input'], [hidden, layers, heads] = [768, 12, 12], tower: Stack['tower'] = 'vision'): Describe {
  const defaults = sizes(hidden as number, layers as number, heads as number, null, null, null);
  return stack({ causal: false, tower, defaults, ...(input ? { input } : {}) });
}

/** A learned row per patch, after `prefix` class tokens. */
function grid(prefix = 1, hidden = 768, layers = 12, heads = 12, more: ModelConfig = {}): Describe {
  const defaults = { ...sizes(hidden, layers, heads, null, null, null), ...more };
  return stack({ causal: false, tower: 'vision', defaults, input: patchTable({ prefix }) });
}

/** wav2vec 2.0 and its kin: a grouped convolution over time at the input. */
function sound(encodings?: Stack['encodings']): Describe {
  const defaults = sizes(768, 12, 12, null, null, null);
  return stack({ causal: false, tower: 'audio', defaults, input: timeFilters, ...(encodings ? { encodings } : {}) });
}

export const media: Readonly<Record<string, Describe>> = {
  vit: grid(),
  deit: grid(2),
  dinov2: grid(1, 768, 12, 12, { patch_size: 14 }),
  dinov2_with_registers: grid(),
  vit_msn: grid(),
  yolos: patches(withDetections),
  dpt: grid(1, 768, 12, 12, { image_size: 384 }),
  ijepa: grid(0),
  timesformer: patches(frameTable),
  vivit: patches(framePatches),
  'audio-spectrogram-transformer': patches(soundPatches, [768, 12, 12], 'audio'),
  clip_vision_model: grid(1, 768, 12, 12, { patch_size: 32 }),
  chinese_clip_vision_model: grid(1, 768, 12, 12, { patch_size: 32 }),
  siglip_vision_model: grid(0),
  blip_vision_model: grid(1, 768, 12, 12, { image_size: 384 }),
  idefics3_vision: patches(nearestPatches, [1152, 12, 16]),
  smolvlm_vision: patches(nearestPatches, [1152, 12, 16]),
  idefics2: patches(nearestPatches),
  internvl_vision: grid(1, 1024, 24, 16, { image_size: 448, patch_size: 14 }),
  intern_vit_6b: grid(1, 3200, 48, 25, { patch_size: 14 }),
  vit_mae: patches(sinePatches),
  videomae: patches(sineFrames),
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
  wav2vec2: sound(),
  hubert: sound(),
  unispeech: sound(),
  'unispeech-sat': sound(),
  wavlm: sound(gatedBuckets),
};
