// What a family brings to the site: which pictures show its encodings, the settings of those pictures, and the code
// that makes them. It never looks at an id.
import type { Encoding, Posenc } from 'posenc';
import type { CatalogField } from 'posenc/catalog';
import type { GraphDrawingData } from '../figures/graph-drawing.js';
import type { HeatMapData } from '../figures/heat-map.js';
import type { LinePlotData } from '../figures/line-plot.js';
import type { PairCirclesData } from '../figures/pair-circles.js';
import type { Values } from '../model/fields.js';
import type { Keep } from '../model/keep.js';

export type Drawing =
  | { figure: 'heat-map'; data: HeatMapData }
  | { figure: 'graph-drawing'; data: GraphDrawingData }
  | { figure: 'line-plot'; data: LinePlotData }
  | { figure: 'pair-circles'; data: PairCirclesData };

export type Picture = Drawing & {
  /** Stays the same while numbers change. */
  key: string;
  title: string;
  caption: string;
  /** `wide` over the whole column, `square` for a matrix, `half` beside another. */
  size: 'wide' | 'square' | 'half';
  /** A setting that a play button may run through. */
  plays?: string;
};

/** What the pictures are made from. */
export interface Scene {
  posenc: Posenc;
  encoding: Encoding;
  /** Values of the family's settings. */
  view: Values;
  /** Keeps results that do not depend on what has changed. */
  keep: Keep;
}

export interface Family {
  title: string;
  /** Where position enters, in one sentence. */
  text: string;
  /** The settings of the pictures, for this encoding and these values of them. */
  settings(scene: Omit<Scene, 'keep'>): readonly CatalogField[];
  /** The small picture of the gallery. */
  thumbnail(scene: Scene): Drawing;
  /** The first is the large one. */
  pictures(scene: Scene): Picture[];
  /** Lines of code that make the pictures from `encoding`, a variable of that name. */
  code(scene: Scene): string[];
}

/** A whole number among the settings. */
export function wholeSetting(view: Values, name: string, fallback: number): number {
  const value = view[name];
  return typeof value === 'number' ? value : fallback;
}
