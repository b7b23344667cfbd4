// 简体中文: English text → Chinese, by what the texts belong to. A page loads the tables of what it shows.
import type { Patterns } from '../../lib/patterns.js';
import { controls } from './controls.js';
import { errors } from './errors.js';
import { pages } from './pages.js';
import { pictures } from './pictures.js';
import { titles } from './titles.js';
import { words } from './words.js';

type Texts = Readonly<Record<string, string>>;

/** What every page needs, and what stands in the HTML of most. */
export const always: Texts = { ...words, ...titles, ...pages, ...controls, ...pictures };

const tables = {
  benchmark: async (): Promise<Texts> => (await import('./benchmark.js')).benchmark,
  glossary: async (): Promise<Texts> => (await import('./glossary.js')).glossary,
  models: async (): Promise<Texts> => (await import('./models.js')).models,
  options: async (): Promise<Texts> => (await import('./options/index.js')).options,
  reasons: async (): Promise<Texts> => (await import('./reasons.js')).reasons,
  summaries: async (): Promise<Texts> => (await import('./summaries.js')).summaries,
  tools: async (): Promise<Texts> => (await import('./tools.js')).tools,
  traits: async (): Promise<Texts> => (await import('./traits.js')).traits,
};

/** Tables besides, by page. */
export const besides: Readonly<Record<string, readonly (keyof typeof tables)[]>> = {
  gallery: ['summaries'],
  encoding: ['summaries', 'traits', 'options', 'models'],
  compare: ['options'],
  lengths: ['tools'],
  choose: ['summaries', 'traits', 'tools', 'reasons', 'models'],
  inspect: ['tools'],
  benchmark: ['benchmark'],
  glossary: ['glossary'],
};

/** All texts of a page. */
export async function textsOf(page: string): Promise<Texts> {
  const more = await Promise.all((besides[page] ?? []).map((name) => tables[name]()));
  return Object.assign({}, always, ...more) as Texts;
}

/** What the library says on a page; texts of configs come first, as errors have patterns that fit much. */
export async function patternsOf(page: string): Promise<Patterns> {
  return page === 'inspect' ? [...(await import('./configs.js')).configs, ...errors] : errors;
}
