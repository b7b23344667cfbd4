import { sources } from './sources.js';
import type { Rule, Situation, Task } from './types.js';

const stretch = ({ trainedLength, longestLength }: Situation): number => longestLength / trainedLength;
const fits = (situation: Situation): boolean => stretch(situation) <= 1;
const decoders: readonly Task[] = ['language-model', 'code', 'music'];

/** Sequences of words, and what is read like them. */
export const textRules: readonly Rule[] = [
  {
    id: 'rope', tasks: ['language-model', 'code'], points: 10, source: sources.llama3,
    text: 'Nearly all open language models since 2022 use it, so weights, engines and kernels fit.',
  },
  {
    id: 'rope', tasks: ['text-encoder', 'translation', 'biology'], points: 6, source: sources.rope,
    text: 'The score depends on the distance, without a table and with any fast attention.',
  },
  {
    id: 'rope', tasks: ['speech', 'music', 'time-series'], points: 5, source: sources.rope,
    text: 'Works by distance and takes real positions, such as times.',
  },
  {
    id: 'rope', when: (s) => stretch(s) > 1 && stretch(s) <= 2, points: 2, source: sources.interpolation,
    options: (s) => ({ scaling: { type: 'linear', factor: stretch(s) } }),
    text: 'Up to about twice the trained length: positions scaled down, best with a little further training.',
  },
  {
    id: 'rope', when: (s) => stretch(s) > 2, points: 2, source: sources.yarn,
    options: (s) => ({ scaling: { type: 'yarn', factor: stretch(s), originalLength: s.trainedLength } }),
    text: 'Many times the trained length: YaRN stretches the slow pairs and leaves the fast ones.',
  },
  {
    id: 'rope', when: (s) => !fits(s), points: -2, source: sources.yarn,
    text: 'It does not reach beyond its trained length without such a scaling: slow pairs meet angles that were never trained.',
  },
  {
    id: 'rope', when: (s) => s.cache, points: 1,
    text: 'Rotated keys stay right in the cache; nothing has to be added to later scores.',
  },

  {
    id: 'alibi', tasks: ['language-model', 'code'], points: 5, source: sources.alibi,
    text: 'A straight penalty on distance, no parameters, and perplexity holds beyond the trained length.',
  },
  {
    id: 'alibi', tasks: ['music', 'speech', 'biology', 'time-series'], points: 3, source: sources.alibi,
    text: 'Recent tokens count most, and the line goes on for any length.',
  },
  {
    id: 'alibi', when: (s) => !fits(s) && s.causal, points: 4, source: sources.alibi,
    text: 'Runs longer than it was trained as it stands.',
  },
  {
    id: 'alibi', when: (s) => stretch(s) > 4, points: -2, source: sources.alibi,
    text: 'What it gains is robustness, not reach: far tokens are penalised ever more.',
  },
  {
    id: 'alibi', when: (s) => !s.causal, points: -2,
    options: () => ({ sides: 'symmetric' }),
    text: 'Made for causal attention; with two sides it needs its symmetric form.',
  },

  {
    id: 't5', tasks: ['translation', 'text-encoder'], points: 7, source: sources.t5,
    text: 'Learned numbers for distances, exact near by and coarse far off; the usual choice of encoder-decoders.',
  },
  {
    id: 't5', tasks: ['language-model', 'code', 'speech', 'biology'], points: 3, source: sources.t5,
    text: 'A few learned numbers per head, which follow the data.',
  },
  {
    id: 't5', when: (s) => !fits(s), points: 1, source: sources.t5,
    text: 'All far distances share a bucket, so longer inputs are defined.',
  },

  {
    id: 'learned', tasks: ['text-encoder'], points: 7, source: sources.bert,
    text: 'Short inputs of a fixed length: a table is simple, and nothing else does clearly better.',
  },
  {
    id: 'learned', tasks: ['language-model', 'translation', 'time-series', 'code'], points: 2, source: sources.bert,
    text: 'Free to take any shape where the length is fixed.',
  },
  {
    id: 'learned', when: (s) => !fits(s), points: -8, source: sources.alibi,
    text: 'There are no rows beyond the trained length.',
  },
  {
    id: 'learned', when: (s) => s.parameters === 'few', points: -4,
    text: 'One row of full width per position is the most parameters of all.',
  },
  {
    id: 'learned', when: (s) => s.trainedLength > 4096, points: -4, source: sources.reformer,
    text: 'At such lengths the table is large and its far rows are rarely trained.',
  },

  {
    id: 'sinusoidal', tasks: ['translation'], points: 6, source: sources.transformer,
    text: 'The original of translation models; as good there as a learned table, without parameters.',
  },
  {
    id: 'sinusoidal', tasks: ['speech'], points: 6, source: sources.whisper,
    text: 'Whisper\u2019s encoder numbers its frames so.',
  },
  {
    id: 'sinusoidal', tasks: ['text-encoder', 'language-model', 'music', 'biology', 'code'], points: 3, source: sources.transformer,
    text: 'No parameters, any length, real positions; a sound baseline.',
  },
  {
    id: 'sinusoidal', tasks: ['time-series'], points: 6, source: sources.transformer,
    text: 'Takes real positions, so the times of irregular samples go in as they are.',
  },
  {
    id: 'sinusoidal', when: (s) => !fits(s), points: -3, source: sources.alibi,
    text: 'Rows exist beyond the trained length, but models do poorly on rows they have never seen.',
  },

  {
    id: 'deberta', tasks: ['text-encoder'], points: 8, source: sources.deberta,
    text: 'Content looks at position and position at content; strong on understanding benchmarks.',
  },
  { id: 'deberta', when: (s) => s.causal, points: -6, text: 'Made for two-sided encoders.' },
  {
    id: 'transformerXL', tasks: ['language-model', 'music'], points: 4, source: sources.transformerXl,
    text: 'Segments with a memory of the one before stay consistent.',
  },
  {
    id: 'transformerXL', tasks: ['speech'], points: 7, source: sources.conformer,
    text: 'Conformer encoders use it: robust to the length of the utterance.',
  },
  {
    id: 'shaw', tasks: ['translation', 'text-encoder', 'music'], points: 4, source: sources.shaw,
    text: 'Learned vectors for near distances; a small gain over absolute positions in translation.',
  },
  {
    id: 'shaw', tasks: ['music'], points: 2, source: sources.music,
    text: 'Music Transformer builds on it: intervals and repetition are relations.',
  },
  {
    id: 'kerple', tasks: ['language-model'], points: 3, source: sources.kerple,
    text: 'ALiBi\u2019s slope made a trained curve, two numbers per head.',
  },
  {
    id: 'kerple', when: (s) => !fits(s), points: 3, source: sources.kerple,
    text: 'The logarithmic form keeps distances far beyond training in a mild range.',
  },
  {
    id: 'fire', tasks: ['language-model'], points: 3, source: sources.fire,
    text: 'A small network of the distance, relative to the query\u2019s position.',
  },
  {
    id: 'fire', when: (s) => !fits(s), points: 4, source: sources.fire,
    text: 'Normalised distances stay within what was trained, at any length.',
  },
  {
    id: 'sandwich', tasks: ['language-model'], points: 2, source: sources.sandwich,
    text: 'No parameters, and falls with the logarithm of distance.',
  },
  { id: 'sandwich', when: (s) => !fits(s), points: 2, text: 'Defined at any distance.' },
  {
    id: 'xpos', tasks: ['language-model'], points: 3, source: sources.xpos,
    text: 'RoPE with a decay per pair, meant for lengths beyond training with a window.',
  },
  {
    id: 'xpos', when: (s) => !s.causal, points: -4,
    text: 'Its decay has a direction: it needs causal attention.',
  },
  {
    id: 'cope', tasks: ['language-model', 'code'], points: 2, source: sources.cope,
    text: 'Counts what the content says counts, such as sentences or lines.',
  },
  {
    id: 'cope', when: () => true, points: -1,
    text: 'Every query needs the gates of all keys before it, which is slower than a bias.',
  },
  {
    id: 'nope', tasks: ['language-model', 'code'], points: 1, source: sources.nope,
    text: 'A causal mask alone lets a deep model find positions, and small models without any generalise well in length.',
  },
  {
    id: 'nope', when: (s) => !s.causal && s.task !== 'set' && s.task !== 'points' && s.task !== 'graph', points: -20, source: sources.nope,
    text: 'Without a causal mask attention without positions cannot tell orders apart.',
  },
  {
    id: 'axial', tasks: decoders, when: (s) => s.trainedLength >= 16384, points: 4, source: sources.reformer,
    text: 'Two short tables stand for a very long one.',
  },
  {
    id: 'axial', when: (s) => s.parameters === 'few', points: 2, source: sources.reformer,
    text: 'Rows plus columns of parameters in place of rows times columns.',
  },
  {
    id: 'recurrent', tasks: ['time-series'], points: 1,
    text: 'Rows come from a small network unrolled over positions; needs few parameters.',
  },
  {
    id: 'flow', tasks: ['time-series'], points: 2, source: sources.floater,
    text: 'Rows follow learned dynamics in continuous time.',
  },
];
