// Configs that hold other configs: one tower, or more, per part.
import type { Describe, Part } from '../context.js';
import { rotary } from '../rotary.js';
import type { ConfigReader } from '../reader.js';
import { forms, sinusoidal } from '../sinusoidal.js';
import { stack } from '../stack.js';
import type { TowerName } from '../types.js';
import { qwenPatches } from './patches.js';
import { sizes } from './sizes.js';

/** Fields that hold the config of a tower. */
export const partFields: Readonly<Record<string, TowerName>> = {
  text_config: 'text',
  llm_config: 'text',
  language_config: 'text',
  vision_config: 'vision',
  audio_config: 'audio',
  encoder: 'encoder',
  decoder: 'decoder',
};

/** The model types that the classes of wrappers take where a part does not name its own: text, vision, audio. */
const partTypes: Readonly<Record<string, Readonly<Partial<Record<TowerName, string>>>>> = {
  llava: { text: 'llama', vision: 'clip_vision_model' },
  llava_next: { text: 'llama', vision: 'clip_vision_model' },
  llava_next_video: { text: 'llama', vision: 'clip_vision_model' },
  llava_onevision: { text: 'qwen2', vision: 'siglip_vision_model' },
  vipllava: { text: 'llama', vision: 'clip_vision_model' },
  mistral3: { text: 'mistral', vision: 'pixtral' },
  gemma3: { text: 'gemma3_text', vision: 'siglip_vision_model' },
  gemma3n: { text: 'gemma3n_text', vision: 'gemma3n_vision' },
  paligemma: { text: 'gemma', vision: 'siglip_vision_model' },
  idefics2: { text: 'mistral', vision: 'idefics2' },
  idefics3: { text: 'llama', vision: 'idefics3_vision' },
  smolvlm: { text: 'llama', vision: 'smolvlm_vision' },
  llama4: { text: 'llama4_text', vision: 'llama4_vision_model' },
  mllama: { text: 'mllama_text_model', vision: 'mllama_vision_model' },
  internvl: { text: 'qwen2', vision: 'internvl_vision' },
  internvl_chat: { text: 'internlm2', vision: 'intern_vit_6b' },
  clip: { text: 'clip_text_model', vision: 'clip_vision_model' },
  siglip: { text: 'siglip_text_model', vision: 'siglip_vision_model' },
  aya_vision: { text: 'cohere2', vision: 'siglip_vision_model' },
  cohere2_vision: { text: 'cohere2', vision: 'siglip_vision_model' },
  qwen2_audio: { text: 'qwen2', audio: 'qwen2_audio_encoder' },
  voxtral: { text: 'llama', audio: 'voxtral_encoder' },
  ultravox: { text: 'llama', audio: 'whisper_encoder' },
  fuyu: { text: 'persimmon' },
  t5gemma: { encoder: 't5_gemma_encoder', decoder: 't5_gemma_module' },
};

/** The type of a part, by its own word or by its wrapper's class. */
export function partType(wrapper: string, tower: TowerName, config: ConfigReader): string | undefined {
  const fallback = partTypes[wrapper]?.[tower];
  // Of Whisper other models take the encoder alone.
  if (tower === 'audio' && config.text('model_type') === 'whisper') return 'whisper_encoder';
  // T5Gemma's two halves have one type, and differ in what they see.
  return wrapper === 't5gemma' ? fallback : (config.text('model_type') ?? fallback);
}

/** Qwen's vision language models: the text part has multimodal sections, the picture rows and columns. */
function qwenVision(defaults: { readonly base: number; readonly sizes: ReturnType<typeof sizes> }): Describe {
  const text = rotary({ defaults: defaults.sizes, base: defaults.base });
  const picture = qwenPatches([1280, 32, 16], { defaults: { embed_dim: 1280, num_heads: 16, depth: 32 } });
  return (part: Part) => {
    const inner = part.config.object('text_config');
    const towers = [...text({ ...part, tower: 'text', config: inner ?? part.config })];
    const vision = part.config.object('vision_config');
    if (vision) towers.push(...picture({ ...part, tower: 'vision', config: vision }));
    return towers;
  };
}

/** Whisper's encoder as a part of other models. */
const soundEncoder = stack({
  causal: false,
  tower: 'audio',
  half: 'encoder',
  defaults: { d_model: 1280, encoder_attention_heads: 20, encoder_layers: 32, max_source_positions: 1500 },
  input: sinusoidal(forms.whisper),
});

export const composites: Readonly<Record<string, Describe>> = {
  qwen2_vl: qwenVision({ base: 1e6, sizes: sizes(8192, 80, 64, 8, null, 32768) }),
  qwen2_5_vl: qwenVision({ base: 1e6, sizes: sizes(8192, 80, 64, 8, null, 32768) }),
  qwen3_vl: qwenVision({ base: 5e6, sizes: sizes(4096, 32, 32, 32, 128, 128000) }),
  qwen3_vl_moe: qwenVision({ base: 5e6, sizes: sizes(2048, 24, 16, 16, null, 128000) }),
  qwen2_audio_encoder: soundEncoder,
  voxtral_encoder: soundEncoder,
  whisper_encoder: soundEncoder,
};
