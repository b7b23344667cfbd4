// What is to be measured, as the address says it: "?preset=standard&filter=rope&seed=7&rivals=scalar,tfjs&run".
import { presets } from './plan.js';
import { names, type Plan, type RivalName } from './results.js';

export const rivalNames = names.filter((name): name is RivalName => name !== 'posenc');

export const usual: Plan = { preset: 'quick', filter: '', seed: 1, rivals: ['scalar', 'javascript'] };

/** Names that mean something; `lang` is the site's. */
const known = new Set(['preset', 'filter', 'seed', 'rivals', 'run', 'lang']);

export interface Asked {
  plan: Plan;
  /** Whether it is to start at once. */
  run: boolean;
  /** What the address says and nothing understands: "speed=3". */
  strange: readonly string[];
}

const isRival = (name: string): name is RivalName => (rivalNames as readonly string[]).includes(name);

export function readAddress(query: URLSearchParams): Asked {
  const strange = [...query].filter(([name]) => !known.has(name)).map(([name, value]) => `${name}=${value}`);
  const asked = { ...usual };
  const read = (name: string, take: (text: string) => boolean): void => {
    const text = query.get(name);
    if (text !== null && !take(text)) strange.push(`${name}=${text}`);
  };
  read('preset', (text) => {
    const isPreset = presets.some(({ name }) => name === text);
    if (isPreset) asked.preset = text;
    return isPreset;
  });
  read('filter', (text) => ((asked.filter = text), true));
  read('seed', (text) => {
    const isWhole = /^\d{1,9}$/.test(text);
    if (isWhole) asked.seed = Number(text);
    return isWhole;
  });
  read('rivals', (text) => {
    const listed = text.split(',').filter(Boolean);
    asked.rivals = listed.filter(isRival);
    return listed.every(isRival);
  });
  return { plan: asked, run: query.has('run'), strange };
}

/** The query that says the plan; what is usual is left out. */
export function writeQuery({ preset, filter, seed, rivals }: Plan): string {
  const query = new URLSearchParams();
  if (preset !== usual.preset) query.set('preset', preset);
  if (filter.trim()) query.set('filter', filter.trim());
  if (seed !== usual.seed) query.set('seed', String(seed));
  if (rivals.join() !== usual.rivals.join()) query.set('rivals', rivals.join(','));
  return query.toString().replaceAll('%2C', ',');
}
