// A few public models for the inspector, from the configurations that the tests use.
import { readFile } from 'node:fs/promises';
import type { Plugin } from 'vite';

const shown = [
  'meta-llama/Llama-3.1-8B',
  'meta-llama/Llama-2-7b-hf',
  'Qwen/Qwen2.5-7B with the documented YaRN block',
  'microsoft/Phi-3-mini-128k-instruct',
  'deepseek-ai/DeepSeek-V3',
  'openai/gpt-oss-20b',
  'google/gemma-3-1b',
  'internlm/internlm2_5-7b',
  'EleutherAI/gpt-neox-20b',
  'HuggingFaceTB/SmolLM3 (SmolLM3Config defaults)',
  'bigscience/bloom-560m',
  'mosaicml/mpt-7b-instruct',
  'openai/whisper-tiny',
  'Qwen/Qwen2-VL-7B',
];

interface Entry {
  model: string;
  config: Record<string, unknown>;
}

/** `import { examples } from 'virtual:model-examples'`. */
export function modelExamples(file: string): Plugin {
  const name = 'virtual:model-examples';
  const resolved = `\0${name}`;
  return {
    name: 'posenc-model-examples',
    resolveId: (id) => (id === name ? resolved : undefined),
    async load(id) {
      if (id !== resolved) return undefined;
      this.addWatchFile(file);
      const { models } = JSON.parse(await readFile(file, 'utf8')) as { models: Entry[] };
      const examples = shown.map((model) => {
        const entry = models.find((candidate) => candidate.model === model);
        if (!entry) throw new Error(`${file} has no model ${model}`);
        return { model, config: entry.config };
      });
      return `export const examples = ${JSON.stringify(examples)};`;
    },
  };
}

const longRopeModel = 'microsoft/Phi-3-mini-128k-instruct';

/** `import { factors } from 'virtual:longrope-factors'`. */
export function longRopeFactors(file: string): Plugin {
  const name = 'virtual:longrope-factors';
  const resolved = `\0${name}`;
  return {
    name: 'posenc-longrope-factors',
    resolveId: (id) => (id === name ? resolved : undefined),
    async load(id) {
      if (id !== resolved) return undefined;
      this.addWatchFile(file);
      const { models } = JSON.parse(await readFile(file, 'utf8')) as { models: Entry[] };
      const scaling = models.find(({ model }) => model === longRopeModel)?.config['rope_scaling'] as Record<string, number[]> | undefined;
      if (!scaling?.['short_factor'] || !scaling['long_factor']) throw new Error(`${file} has no factors of ${longRopeModel}`);
      return `export const factors = ${JSON.stringify({ model: longRopeModel, short: scaling['short_factor'], long: scaling['long_factor'] })};`;
    },
  };
}
