// A small picture of every encoding, with example values: on the gallery's cards and beside what is recommended.
import type { Posenc } from 'posenc';
import type { CatalogEncoding } from 'posenc/catalog';
import { makeThumbnail } from '../figures/picture-list.js';
import { make } from '../lib/dom.js';
import { createEncoding } from '../model/create.js';
import { complete, toOptions } from '../model/options.js';
import { explain } from '../model/library.js';
import { fillZeros } from '../model/stand-ins.js';
import type { Scene } from './family.js';
import { familyOf } from './index.js';

/** Makes an encoding with example values, and hands it to `use`. */
export function withExample(posenc: Posenc, entry: CatalogEncoding, use: (scene: Scene) => void): void {
  const encoding = createEncoding(posenc, entry.id, toOptions(entry.fields, complete(entry.fields, {})));
  try {
    fillZeros(encoding);
    use({ posenc, encoding, view: {}, keep: (_name, _dependsOn, compute) => compute() });
  } finally {
    encoding.dispose();
  }
}

function drawSmall(posenc: Posenc, entry: CatalogEncoding, place: HTMLElement): void {
  try {
    withExample(posenc, entry, (scene) => place.replaceChildren(makeThumbnail(familyOf(entry.family).thumbnail(scene))));
  } catch (error) {
    place.replaceChildren(make('p', { className: 'small soft', textContent: explain(error) }));
  }
}

const atOnce = 4;

/** Draws small pictures into their places, a few at a time, so that the page stays free for the visitor in between. */
export async function drawExamples(posenc: Posenc, places: Iterable<readonly [CatalogEncoding, HTMLElement]>): Promise<void> {
  let drawn = 0;
  for (const [entry, place] of places) {
    drawSmall(posenc, entry, place);
    if (++drawn % atOnce === 0) await new Promise((done) => setTimeout(done));
  }
}
