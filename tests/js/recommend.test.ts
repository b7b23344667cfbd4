// What posenc/recommend gives: only what the library has, ranked, with reasons; and what the survey of encodings got wrong.
import { expect, test } from 'vitest';
import { catalog } from 'posenc/catalog';
import { type Encoding, PosencError } from 'posenc';
import { recommend, tasks, type Needs } from 'posenc/recommend';

import { loadPosenc } from './support/posenc.js';

const ids = (needs: Needs): string[] => recommend(needs).map(({ id }) => id);
const one = (needs: Needs, id: string) => recommend(needs).find((found) => found.id === id);

test.each(tasks)('%s: known encodings, ranked by score, each with a reason', (task) => {
  const found = recommend({ task });
  for (const [i, { id, score, reasons, cautions }] of found.entries()) {
    expect(catalog.encodings.map((entry) => entry.id)).toContain(id);
    expect(score).toBeLessThanOrEqual(found[i - 1]?.score ?? Infinity);
    expect(reasons.length).toBeGreaterThan(0);
    expect([...reasons, ...cautions].reduce((sum, { points }) => sum + points, 0)).toBe(score);
    for (const { source } of [...reasons, ...cautions]) if (source) expect(source.url).toMatch(/^https:\/\/arxiv\.org\/abs\/\d{4}\.\d{5}$/);
  }
});

test('the usual choices come first', () => {
  expect(ids({ task: 'language-model' })[0]).toBe('rope');
  expect(ids({ task: 'set', causal: false })[0]).toBe('nope');
});

test('beyond the trained length RoPE comes with a scaling, and never without that caution', () => {
  const needs: Needs = { task: 'language-model', trainedLength: 2048, longestLength: 4096 };
  const rope = one(needs, 'rope')!;
  expect(rope.options).toEqual({ scaling: { type: 'linear', factor: 2 } });
  expect(rope.cautions.map(({ text }) => text).join()).toMatch(/does not reach beyond its trained length/);
  expect(one({ ...needs, longestLength: 65536 }, 'rope')!.options).toEqual({ scaling: { type: 'yarn', factor: 32, originalLength: 2048 } });
  expect(one({ task: 'language-model', trainedLength: 2048 }, 'rope')!.options).toEqual({});
});

test('steps of an agent share a position, and long documents get what reaches far', () => {
  const step = one({ task: 'reinforcement-learning' }, 'learned')!;
  expect(step.reasons.map(({ text }) => text).join()).toMatch(/positions repeat/);
  expect(step.cautions).toEqual([]);
  expect(ids({ task: 'reinforcement-learning' })).not.toContain('deberta');
  const long: Needs = { task: 'long-document', trainedLength: 8192, longestLength: 32768 };
  expect(ids(long)[0]).toBe('rope');
  expect(ids(long)).not.toContain('learned');
});

test('a causal model may do without positions, others that need an order may not', () => {
  expect(ids({ task: 'language-model' })).toContain('nope');
  expect(ids({ task: 'text-encoder' })).not.toContain('nope');
  expect(ids({ task: 'language-model', causal: false })).not.toContain('nope');
});

test('tables that end, or have to be trained, fall where that is not wanted', () => {
  const rank = (needs: Needs, id: string): number => (ids(needs).includes(id) ? ids(needs).indexOf(id) : Infinity);
  const short: Needs = { task: 'text-encoder' };
  expect(rank({ ...short, longestLength: 4096 }, 'learned')).toBeGreaterThan(rank(short, 'learned'));
  expect(rank({ ...short, parameters: 'none' }, 'learned')).toBe(Infinity);
});

test.each(tasks)('%s without parameters: what is offered has nothing to train', async (task) => {
  const posenc = await loadPosenc();
  const sizes: Record<string, number> = { dim: 12, headDim: 12, heads: 2, frequencies: 2, nodes: 3, vectors: 2 };
  const found = recommend({ task, parameters: 'none' });
  expect(found.length).toBeGreaterThan(0);
  for (const { id, options } of found) {
    const fields = catalog.encodings.find((entry) => entry.id === id)?.fields ?? [];
    const needed = fields.filter(({ name, required, condition }) => required && Object.hasOwn(sizes, name) && condition?.field !== 'ffn');
    const given = { ...Object.fromEntries(needed.map(({ name }) => [name, sizes[name]])), ...options };
    const made = (posenc as unknown as Record<string, (options: object) => Encoding>)[id]!(given);
    expect(made.trainable).toEqual([]);
    made.dispose();
  }
});

test.each([
  [{ task: 'cooking' }, 'task', /'cooking'|"cooking"/],
  [{ task: 'set', trainedLength: 0 }, 'trainedLength', /0/],
  [{ task: 'set', parameters: 'many' }, 'parameters', /many/],
  [{}, 'task', /nothing/],
  [{ task: 'set', causal: 1 }, 'causal', /1/],
  [{ task: 'set', variableSize: 'yes' }, 'variableSize', /yes/],
  [['set'], 'needs', /Array/],
  [{ task: 'set', lenght: 4 }, 'lenght', /lenght/],
] as const)('%o is refused', (needs, parameter, received) => {
  let error: unknown;
  try {
    recommend(needs as unknown as Needs);
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toBeInstanceOf(PosencError);
  expect((error as PosencError).parameter).toBe(parameter);
  expect((error as PosencError).received).toMatch(received);
});

test('nobody can change the catalogue, which recommending reads too', () => {
  const open: string[] = [];
  const visit = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null) return;
    if (!Object.isFrozen(value)) open.push(path);
    for (const [name, member] of Object.entries(value)) visit(member, `${path}.${name}`);
  };
  visit(catalog, 'catalog');
  expect(open).toEqual([]);
  expect(() => (catalog.encodings as unknown[]).pop()).toThrow(TypeError);
});
