import { sources } from './sources.js';
import type { Rule } from './types.js';

/** Documents of many pages, and the steps of an agent. */
export const longRules: readonly Rule[] = [
  {
    id: 'rope', tasks: ['long-document'], points: 9, source: sources.modernBert,
    text: 'Long encoders and language models of today use it, with a large base or a scaling.',
  },
  {
    id: 't5', tasks: ['long-document'], points: 6, source: sources.longT5,
    text: 'LongT5 keeps its buckets for local windows and summaries of blocks.',
  },
  {
    id: 'learned', tasks: ['long-document'], points: 5, source: sources.longformer,
    text: 'Longformer and BigBird have tables of 4,096 rows, Longformer\u2019s copied from those of a shorter model.',
  },
  {
    id: 'block', tasks: ['long-document'], points: 5, source: sources.segatron,
    text: 'Paragraph, sentence and place within it, each with rows of its own.',
  },
  {
    id: 'alibi', tasks: ['long-document'], points: 4, source: sources.alibi,
    text: 'Runs on documents longer than those of training; far pages fade.',
  },
  {
    id: 'axial', tasks: ['long-document'], points: 4, source: sources.reformer,
    text: 'Rows for lines and for places within a line reach half a million tokens.',
  },
  {
    id: 'learned', tasks: ['reinforcement-learning'], points: 8, source: sources.decisionTransformer,
    text: 'A row per step of the episode: return, state and action of one step share it, so positions repeat.',
  },
  {
    id: 'transformerXL', tasks: ['reinforcement-learning'], points: 7, source: sources.gtrXl,
    text: 'An agent\u2019s memory of earlier segments: distances stay right while the episode goes on.',
  },
  {
    id: 'segment', tasks: ['reinforcement-learning'], points: 4, source: sources.decisionTransformer,
    text: 'Tells return, state and action of one step apart.',
  },
  {
    id: 'rope', tasks: ['reinforcement-learning'], points: 4, source: sources.rope,
    text: 'Takes given positions, also repeated ones: tokens of one step turn alike.',
  },
  {
    id: 'sinusoidal', tasks: ['reinforcement-learning'], points: 3, source: sources.transformer,
    text: 'Steps of any number without a table; tokens of one step get equal rows.',
  },
];
