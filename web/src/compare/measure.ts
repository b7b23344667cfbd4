// What is said of an encoding in its column: what it notices, and what it costs.
import type { Posenc } from 'posenc';
import { formatDuration, formatValue } from '../lib/format.js';
import { t } from '../lib/language.js';
import { countParameters, createEncoding } from '../model/create.js';
import type { Options } from '../model/options.js';
import { reorder, reordered, shuffled } from './material.js';
import { largestDifference, run, type Outcome, type Trial } from './run.js';

export interface Measured {
  shown: Outcome;
  notes: [name: string, text: string][];
}

const unchanged = 1e-5;

/** The largest size among finite values, so that "the same" means the same for small numbers and for large ones. */
const sizeOf = (values: Float32Array): number => values.reduce((largest, value) => Math.max(largest, Math.abs(value)), 1);

/** What an encoding does with the material, and what it notices of a shift and of another order. */
export function measure(posenc: Posenc, id: string, options: Options, trial: Trial, shuffle: boolean, nanoseconds?: number): Measured {
  const before = posenc.memory().usedBytes;
  const encoding = createEncoding(posenc, id, options);
  const bytes = posenc.memory().usedBytes - before;
  try {
    const order = shuffled(trial.material.count);
    const plain = run(posenc, encoding, trial);
    const mixed = run(posenc, encoding, { ...trial, material: reordered(trial.material, order) });
    const moved = largestDifference(mixed.out, reorder(plain.out, order)) / sizeOf(plain.out);
    const notes: Measured['notes'] = [
      [t('Other order'), moved < unchanged ? t('the outputs change places with the tokens, nothing else') : t('outputs differ by up to {0}', formatValue(moved))],
    ];
    if (trial.shift > 0) {
      const atZero = run(posenc, encoding, { ...trial, shift: 0 });
      const shifted = largestDifference(plain.weights, atZero.weights);
      notes.push([t('Shift by {0}', trial.shift), shifted < unchanged ? t('weights stay the same') : t('weights differ by up to {0}', formatValue(shifted))]);
    }
    const trained = encoding.trainable.length > 0 ? countParameters(encoding) : 0;
    notes.push([t('Parameters'), trained > 0 ? t('{0}, trained', trained.toLocaleString('en')) : t('none')]);
    notes.push([t('Memory'), t('{0} bytes', bytes.toLocaleString('en'))]);
    if (nanoseconds !== undefined) notes.push([t('Time of attention'), formatDuration(nanoseconds)]);
    return { shown: shuffle ? mixed : plain, notes };
  } finally {
    encoding.dispose();
  }
}
