// Encodings that posenc does not make from a config yet: a description names them, and creating them is an error.
import type { Describe } from '../context.js';
import { stack, type Stack } from '../stack.js';
import { learnedTable, type TableForm } from '../tables.js';
import type { EncodingChoice } from '../types.js';

/** Encodings that enter at the input. */
const atInput = new Set(['learned', 'gridLearned', 'grid', 'conv']);

/** A choice without options. */
export function missing(id: string, about: string): EncodingChoice {
  return { id, name: id, options: null, about };
}

/** A stack with such an encoding. */
export function pending(id: string, about: string, model: Partial<Stack> = {}): Describe {
  const choice = () => [missing(id, about)];
  return stack({ causal: true, ...(atInput.has(id) ? { input: choice } : { encodings: choice }), ...model });
}

/** A stack with a learned table at the input. */
export function learned(model: Partial<Stack> = {}, form: TableForm = {}): Describe {
  return stack({ causal: true, input: learnedTable(form), ...model });
}
