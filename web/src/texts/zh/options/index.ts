// What the catalogue says of options.
import { pairs } from './pairs.js';
import { rows } from './rows.js';

export const options: Readonly<Record<string, string>> = { ...rows, ...pairs };
