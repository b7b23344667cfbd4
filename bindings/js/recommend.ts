/** Which encoding to choose: ranked, with reasons, cautions and sources. It needs no WebAssembly. */
import { type CatalogCondition, catalog } from './catalog.js';
import { PosencError, describe } from './errors.js';
import { longRules } from './recommend/long.js';
import { structureRules } from './recommend/structure.js';
import { textRules } from './recommend/text.js';
import type { Needs, Reason, Recommendation, Rule, Situation, Task } from './recommend/types.js';
import { visionRules } from './recommend/vision.js';

export type { Needs, Reason, Recommendation, Source, Task } from './recommend/types.js';

/** Every task that `recommend` knows. */
export const tasks: readonly Task[] = [
  'language-model', 'text-encoder', 'translation', 'code', 'image-classification', 'dense-vision', 'video', 'image-text',
  'document-layout', 'long-document', 'speech', 'music', 'biology', 'time-series', 'reinforcement-learning', 'points', 'graph', 'set',
];

const rules: readonly Rule[] = [...textRules, ...longRules, ...visionRules, ...structureRules];
const causalTasks: readonly Task[] = ['language-model', 'code', 'music', 'reinforcement-learning'];
const placedTasks: readonly Task[] = ['dense-vision', 'document-layout', 'points'];
const known = ['task', 'causal', 'trainedLength', 'longestLength', 'variableSize', 'absolute', 'parameters', 'cache'];

function readLength(value: unknown, parameter: string, fallback: number): number {
  if (value === undefined) return fallback;
  if (typeof value === 'number' && Number.isInteger(value) && value > 0) return value;
  const code = typeof value === 'number' ? 'outOfRange' : 'invalidType';
  throw new PosencError(code, parameter, describe(value), 'a whole number above 0');
}

function readFlag(value: unknown, parameter: string, fallback: boolean): boolean {
  if (value === undefined) return fallback;
  if (typeof value === 'boolean') return value;
  throw new PosencError('invalidType', parameter, describe(value), 'true or false');
}

function readSituation(needs: Needs): Situation {
  if (typeof needs !== 'object' || needs === null || Array.isArray(needs)) throw new PosencError('invalidType', 'needs', describe(needs), 'an object');
  for (const name of Object.keys(needs)) {
    if (!known.includes(name)) throw new PosencError('unknownOption', name, name, known.join(', '));
  }
  const { task, parameters = 'any' } = needs;
  if (task === undefined) throw new PosencError('missingOption', 'task', 'nothing', tasks.join(', '));
  if (!tasks.includes(task)) throw new PosencError('outOfRange', 'task', describe(task), tasks.join(', '));
  if (!['any', 'few', 'none'].includes(parameters)) {
    throw new PosencError('outOfRange', 'parameters', describe(parameters), "'any', 'few' or 'none'");
  }
  const causal = readFlag(needs.causal, 'causal', causalTasks.includes(task));
  const trainedLength = readLength(needs.trainedLength, 'trainedLength', 512);
  return {
    task,
    parameters,
    causal,
    trainedLength,
    longestLength: readLength(needs.longestLength, 'longestLength', trainedLength),
    variableSize: readFlag(needs.variableSize, 'variableSize', false),
    absolute: readFlag(needs.absolute, 'absolute', placedTasks.includes(task)),
    cache: readFlag(needs.cache, 'cache', causal),
  };
}

/** What the catalogue itself says for or against an encoding in this situation. */
function generalReasons(id: string, situation: Situation): Reason[] {
  const entry = catalog.encodings.find((candidate) => candidate.id === id);
  if (!entry) return [];
  const reasons: Reason[] = [];
  if (situation.absolute && entry.kind === 'absolute') reasons.push({ text: 'It says where a token is, not only how far from others.', points: 2 });
  if (situation.absolute && entry.kind === 'relative') reasons.push({ text: 'It knows distances alone; the place itself has to come from elsewhere.', points: -2 });
  if (situation.parameters === 'none' && entry.tensors.length === 0) reasons.push({ text: 'Nothing of it is trained.', points: 1 });
  return reasons;
}

/** Whether an encoding with these options has tensors that are trained. */
function isTrained(id: string, options: Readonly<Record<string, unknown>>): boolean {
  const entry = catalog.encodings.find((candidate) => candidate.id === id);
  const holds = (condition: CatalogCondition | undefined): boolean => {
    if (condition === undefined) return true;
    const value = options[condition.field] ?? entry?.fields.find(({ name }) => name === condition.field)?.default;
    return condition.values.some((each) => each === value);
  };
  return entry?.tensors.some(({ present, trained, indexBelow }) => indexBelow === undefined && holds(present) && holds(trained)) ?? false;
}

function judge(id: string, situation: Situation): Recommendation | undefined {
  const fitting = rules.filter(
    (rule) => rule.id === id && (rule.tasks?.includes(situation.task) ?? true) && (rule.when?.(situation) ?? true),
  );
  // Rules about lengths and parameters weigh an encoding that a task has brought in; they bring none in.
  if (!fitting.some(({ tasks: of, points }) => of && points > 0)) return undefined;
  const all: Reason[] = [
    ...fitting.map(({ text, points, source }) => (source ? { text, points, source } : { text, points })),
    ...generalReasons(id, situation),
  ].sort((a, b) => Math.abs(b.points) - Math.abs(a.points));
  const options: Record<string, unknown> = {};
  for (const rule of fitting) Object.assign(options, rule.options?.(situation));
  if (situation.parameters === 'none' && isTrained(id, options)) return undefined;
  return {
    id,
    score: all.reduce((sum, { points }) => sum + points, 0),
    options,
    reasons: all.filter(({ points }) => points > 0),
    cautions: all.filter(({ points }) => points < 0),
  };
}

/** Encodings for a situation, the best first; those that more speaks against than for are left out. */
export function recommend(needs: Needs): Recommendation[] {
  const situation = readSituation(needs);
  return catalog.encodings
    .map(({ id }) => judge(id, situation))
    .filter((found) => found !== undefined)
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score);
}
