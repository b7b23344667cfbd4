import * as attention from './attention.mjs';
import * as calls from './calls.mjs';
import * as inputs from './inputs.mjs';
import * as lengths from './lengths.mjs';
import * as tables from './tables.mjs';

export const allCases = [tables, attention, calls, lengths, inputs].flatMap(({ cases }) => cases);
