// A rotary encoding's wavelengths against the lengths that a model was trained for.
import type { Posenc, RotaryEncoding } from 'posenc';
import type { EncodingChoice, Tower } from 'posenc/config';
import { periodOf } from '../figures/pair-circles.js';
import { LinePlot } from '../figures/line-plot.js';
import { make } from '../lib/dom.js';
import { t } from '../lib/language.js';
import { createEncoding, entryOf } from '../model/create.js';
import type { Options } from '../model/options.js';

/** Periods of all pairs in positions, from the angles at position 1. */
function periodsOf(posenc: Posenc, id: string, options: Options): Float64Array {
  const rope = createEncoding(posenc, id, options) as RotaryEncoding;
  try {
    const { cos, sin } = rope.table([1]);
    return Float64Array.from(cos.data, (value, pair) => periodOf(value, sin.data[pair]!));
  } finally {
    rope.dispose();
  }
}

/** Lengths to compare with, by what they are called. */
function trainedLengths(options: object, { maxPositions }: Tower): { value: number; text: string }[] {
  const { scaling } = options as { scaling?: Readonly<Record<string, unknown>> };
  const original = Object.entries(scaling ?? {}).find(([name]) => name.startsWith('original'))?.[1];
  const marks: { value: number; text: string }[] = [];
  if (maxPositions !== undefined) marks.push({ value: maxPositions, text: t('{0} positions', maxPositions) });
  if (typeof original === 'number' && original !== maxPositions) marks.push({ value: original, text: t('{0} before scaling', original) });
  return marks;
}

/** Adds the plot to `box` if the encoding turns pairs of channels along one axis. */
export function drawFrequencies(box: HTMLElement, id: string, options: NonNullable<EncodingChoice['options']>, tower: Tower, posenc: Posenc): void {
  const entry = entryOf(id);
  if (entry?.family !== 'rotary' || entry.domain.axes !== 1) return;
  const periods = periodsOf(posenc, id, options as Options);
  const marks = trainedLengths(options, tower);
  const slow = marks[0] && periods.filter((period) => period > marks[0]!.value).length;
  const plot = new LinePlot();
  plot.data = {
    values: periods,
    shape: [1, periods.length],
    names: [t('wavelength')],
    x: { label: t('pair') },
    y: { label: t('wavelength in positions'), log: true },
    marks,
    dots: true,
    about: t('Wavelength of each pair'),
  };
  const caption = slow === undefined ? '' : t('{0} of {1} pairs make less than one turn within {2} positions.', slow, periods.length, marks[0]!.value);
  box.append(make('figure', { className: 'picture' }, plot, make('figcaption', { textContent: caption })));
}
