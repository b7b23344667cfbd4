// Stacks with a learned table at the input, and stacks with an encoding that posenc does not make from a config.
import type { Describe } from '../context.js';
import { stack, type Stack } from '../stack.js';
import { learnedTable, type TableForm } from '../tables.js';

/** A stack with a learned table at the input. */
export function learned(model: Partial<Stack> = {}, form: TableForm = {}): Describe {
  return stack({ causal: true, input: learnedTable(form), ...model });
}

/** A stack whose encoding is named without options: a description says what it is, and creating it is an error. */
export function notMade(id: string, about: string, model: Partial<Stack> = {}): Describe {
  return stack({ causal: true, encodings: () => [{ id, name: id, options: null, about }], ...model });
}
