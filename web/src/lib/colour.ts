// Colour maps. Signed values go from blue over the page's own shade to red; shares (0..1) go from the page's shade to
// its opposite. Steps are even in OKLab, and lightness alone tells the size of a value, blue and red its sign: safe
// for colour-blind eyes.
import { currentTheme, type Theme } from './theme.js';
import { difference, fromLch, mix, toRgb, type Lab } from './oklab.js';

export type ColourScale = 'signed' | 'share';

const size = 256;

// From the middle (signed) or the low end (share) outwards.
type Arm = readonly Lab[];

const negative: Record<Theme, Arm> = {
  light: [fromLch(0.97, 0.004, 95), fromLch(0.67, 0.12, 250), fromLch(0.36, 0.13, 262)],
  dark: [fromLch(0.24, 0.008, 265), fromLch(0.56, 0.14, 258), fromLch(0.86, 0.09, 245)],
};

const positive: Record<Theme, Arm> = {
  light: [fromLch(0.97, 0.004, 95), fromLch(0.67, 0.14, 38), fromLch(0.36, 0.13, 25)],
  dark: [fromLch(0.24, 0.008, 265), fromLch(0.56, 0.16, 30), fromLch(0.86, 0.1, 60)],
};

const share: Record<Theme, Arm> = {
  light: [fromLch(0.97, 0.012, 100), fromLch(0.72, 0.1, 195), fromLch(0.5, 0.12, 245), fromLch(0.26, 0.09, 275)],
  dark: [fromLch(0.22, 0.02, 275), fromLch(0.46, 0.12, 262), fromLch(0.7, 0.11, 200), fromLch(0.96, 0.08, 105)],
};

/** The colour at that part of an arm's length, measured in visible difference. */
function along(arm: Arm, part: number): Lab {
  const steps = arm.slice(1).map((stop, i) => difference(arm[i]!, stop));
  let left = part * steps.reduce((sum, step) => sum + step, 0);
  for (const [i, step] of steps.entries()) {
    if (left <= step) return mix(arm[i]!, arm[i + 1]!, left / step);
    left -= step;
  }
  return arm.at(-1)!;
}

/** `count` colours from the lowest value to the highest, evenly apart. */
export function sampleColours(scale: ColourScale, theme: Theme, count: number): Lab[] {
  return Array.from({ length: count }, (_, i) => {
    const part = i / (count - 1);
    if (scale === 'share') return along(share[theme], part);
    return part < 0.5 ? along(negative[theme], 1 - 2 * part) : along(positive[theme], 2 * part - 1);
  });
}

const tables = new Map<string, Uint32Array>();

/** 256 colours as little-endian RGBA words, for an ImageData of the present theme. */
function tableOf(scale: ColourScale): Uint32Array {
  const theme = currentTheme();
  const key = `${scale} ${theme}`;
  let table = tables.get(key);
  if (!table) {
    const words = sampleColours(scale, theme, size).map((colour) => {
      const [red, green, blue] = toRgb(colour);
      return ((255 << 24) | (Math.round(blue) << 16) | (Math.round(green) << 8) | Math.round(red)) >>> 0;
    });
    table = Uint32Array.from(words);
    tables.set(key, table);
  }
  return table;
}

/** Paints values in [low, high] into RGBA words; values beyond take the end's colour, NaN stays clear. */
export function paint(values: ArrayLike<number>, scale: ColourScale, low: number, high: number, out: Uint32Array): void {
  const table = tableOf(scale);
  const factor = high > low ? (size - 1) / (high - low) : 0;
  for (let i = 0; i < out.length; i++) {
    const value = values[i]!;
    const place = Math.round((value - low) * factor);
    out[i] = value === value ? table[Math.min(size - 1, Math.max(0, place))]! : 0;
  }
}

/** Each value's colour for CSS; transparent for NaN. */
export function colours(values: ArrayLike<number>, scale: ColourScale, low: number, high: number): string[] {
  const words = new Uint32Array(values.length);
  paint(values, scale, low, high, words);
  return Array.from(words, (word) => (word === 0 ? 'transparent' : `rgb(${word & 255} ${(word >> 8) & 255} ${(word >> 16) & 255})`));
}

const gradients = new Map<string, readonly string[]>();

/** CSS colours along the map, for a legend's gradient. */
export function gradient(scale: ColourScale, count: number): readonly string[] {
  const theme = currentTheme();
  const key = `${scale} ${theme} ${count}`;
  const found = gradients.get(key) ?? sampleColours(scale, theme, count).map((colour) => `rgb(${toRgb(colour).map(Math.round).join(' ')})`);
  gradients.set(key, found);
  return found;
}
