// What RoPE's pairs do between the trained length and the target, with and without a scaling.
import type { Posenc, RotaryEncoding } from 'posenc';
import { periodOf } from '../figures/pair-circles.js';
import type { Picture } from '../families/family.js';
import { t } from '../lib/language.js';
import { createEncoding } from '../model/create.js';
import { ropeOptions, type Setup } from './setup.js';

export interface Turns {
  scaling: string;
  /** Positions per turn, by pair. */
  periods: Float64Array;
  /** Mean cosine by sampled distance. */
  decay: Float64Array;
}

const samples = 512;

/** Distances from 0 to the target, evenly spread. */
export function distancesOf({ target }: Setup): Float64Array {
  const step = Math.ceil(target / samples);
  return Float64Array.from({ length: Math.ceil(target / step) }, (_, i) => i * step);
}

const rooms = new Map<string, Float32Array>();

/** Memory for a table that is read at once: new memory for each would take longer than the table. */
function roomFor(name: string, size: number): Float32Array {
  const found = rooms.get(name);
  const room = found && found.length >= size ? found : new Float32Array(size);
  rooms.set(name, room);
  return room.subarray(0, size);
}

/** The pairs' periods, and the product of equal vectors by distance, when the target is reached. */
export function turnsOf(posenc: Posenc, setup: Setup, scaling: string): Turns {
  const rope = createEncoding(posenc, 'rope', ropeOptions(setup, scaling)) as RotaryEncoding;
  try {
    const reached = scaling === 'default' ? setup.trained : setup.target;
    const { cos, sin } = rope.table([1], { reached });
    const periods = Float64Array.from(cos.data, (value, pair) => periodOf(value, sin.data[pair]!));
    const amplitude = Math.hypot(cos.data[0]!, sin.data[0]!);
    const distances = distancesOf(setup);
    const pairs = periods.length;
    const table = roomFor('cos', distances.length * pairs);
    rope.table(distances, { reached, into: { cos: table, sin: roomFor('sin', table.length) } });
    const decay = Float64Array.from(distances, (_, i) => {
      let sum = 0;
      for (let pair = 0; pair < pairs; pair++) sum += table[i * pairs + pair]!;
      return sum / pairs / amplitude;
    });
    return { scaling, periods, decay };
  } finally {
    rope.dispose();
  }
}

export interface Counts {
  /** Pairs that make less than a turn within the trained length. */
  slow: number;
  /** Those of them that turn further at the target than training went. */
  past: number;
  /** Those faster pairs whose period a scaling has changed by more than a tenth. */
  blurred: number;
}

export function countPairs({ trained, target }: Setup, plain: Turns, scaled: Turns): Counts {
  let [slow, past, blurred] = [0, 0, 0];
  for (const [pair, period] of plain.periods.entries()) {
    const seen = trained / period;
    const reached = target / scaled.periods[pair]!;
    if (seen < 1) {
      slow++;
      if (reached > seen * (1 + 1e-6)) past++;
    } else if (scaled.periods[pair]! > 1.1 * period) {
      blurred++;
    }
  }
  return { slow, past, blurred };
}

/** Two lines, or one where the scaling is none. */
function both(plain: ArrayLike<number>, scaled: ArrayLike<number>, isSame: boolean): Float64Array {
  const values = new Float64Array(plain.length * (isSame ? 1 : 2));
  values.set(plain);
  if (!isSame) values.set(scaled, plain.length);
  return values;
}

export function ropePictures(setup: Setup, plain: Turns, scaled: Turns): Picture[] {
  const { trained, target, scaling } = setup;
  const isSame = scaling === 'default';
  const names = isSame ? [t('as trained')] : [t('as trained'), scaling];
  const { slow, past } = countPairs(setup, plain, scaled);
  const pairs = plain.periods.length;
  const distances = distancesOf(setup);
  const byPair = { shape: [names.length, pairs], names, x: { label: t('pair') }, dots: true, named: true } as const;
  const turns = (periods: Float64Array): Float64Array => periods.map((period) => target / period);
  return [
    {
      key: 'wavelengths',
      title: t('Wavelength of every pair'),
      caption:
        `${t('{0} of {1} pairs make less than one turn in {2} positions.', slow, pairs, trained)} ` +
        (isSame ? t('At {0} positions {1} of them turn past what was seen.', target, past) : t('With {0}, {1} of them turn past that at {2}.', scaling, past, target)),
      size: 'wide',
      figure: 'line-plot',
      data: {
        ...byPair,
        values: both(plain.periods, scaled.periods, isSame),
        y: { label: t('positions per turn'), log: true },
        marks: [{ value: trained, text: t('trained: {0}', trained) }, ...(target === trained ? [] : [{ value: target, text: t('in use: {0}', target) }])],
        about: t('Wavelength of every pair'),
      },
    },
    {
      key: 'turns',
      title: t('Turns made at {0} positions', target),
      caption: t('Below one turn a pair is safe only up to what it reached in training: {0} positions.', trained),
      size: 'half',
      figure: 'line-plot',
      data: {
        ...byPair,
        values: both(turns(plain.periods), turns(scaled.periods), isSame),
        y: { label: t('turns'), log: true },
        marks: [{ value: 1, text: t('one turn') }],
        about: t('Turns of every pair at the target length'),
      },
    },
    {
      key: 'decay',
      title: t('Product of equal vectors by distance'),
      caption: t('The mean cosine over all pairs. A larger base or a scaling makes it fall later.'),
      size: 'half',
      figure: 'line-plot',
      data: {
        values: both(plain.decay, scaled.decay, isSame),
        shape: [names.length, distances.length],
        names,
        named: true,
        x: { label: t('distance'), values: distances },
        y: { label: t('mean cosine') },
        about: t('Product of equal vectors by distance'),
      },
    },
  ];
}
