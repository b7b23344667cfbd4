// Every sample of a case as a stroke on a line for each contestant, the interval of the median as a bar, the median as
// a mark: all on one logarithmic axis of time.
import { make, makeSvg } from '../lib/dom.js';
import { formatDuration } from '../lib/format.js';
import { t } from '../lib/language.js';
import { labelOf, titleOf } from './report.js';
import type { Entry, Row } from './results.js';

const [width, height] = [1000, 20];

type Timed = Entry & Required<Pick<Entry, 'statistics'>>;
const isTimed = (entry: Entry): entry is Timed => entry.statistics !== undefined;

/** What is drawn of an entry: its samples, or where a link has none, the least and the 95th of a hundred. */
const placesOf = ({ samples, statistics: { min, p95 } }: Timed): readonly number[] => samples ?? [min, p95];

function line({ name, statistics, ...entry }: Timed, at: (time: number) => number): HTMLElement[] {
  const { low, median, high, n } = statistics;
  const path = placesOf({ name, statistics, ...entry }).map((time) => `M${at(time).toFixed(1)},4V16`).join('');
  const about = t('{0}: median {1}, 95 % interval {2} to {3}, {4} samples', t(labelOf(name)), formatDuration(median), formatDuration(low), formatDuration(high), n);
  const svg = makeSvg('svg', { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: 'none', role: 'img', 'aria-label': about, class: `strip-${name}` },
    makeSvg('line', { x1: 0, x2: width, y1: height / 2, y2: height / 2, class: 'ground' }),
    makeSvg('path', { d: path, class: 'samples' }),
    makeSvg('rect', { x: at(low), y: 7, width: Math.max(1, at(high) - at(low)), height: 6, class: 'interval' }),
    makeSvg('path', { d: `M${at(median).toFixed(1)},0V${height}`, class: 'median' }),
  );
  const graphic = make('div', { className: 'strip-line' });
  graphic.append(svg);
  return [make('span', { textContent: t(labelOf(name)) }), graphic, make('span', { className: 'strip-time', textContent: formatDuration(median) })];
}

/** The picture of one case; undefined where nothing was timed. */
export function makeStrip(row: Row): HTMLElement | undefined {
  const timed = row.entries.filter(isTimed);
  if (timed.length === 0) return undefined;
  const all = timed.flatMap(placesOf);
  const [low, high] = [Math.min(...all) / 1.1, Math.max(...all) * 1.1];
  const at = (time: number): number => (width * Math.log(time / low)) / Math.log(high / low);
  const caption = make('figcaption', { textContent: `${t(titleOf(row))}, ${row.operation}, ${row.size}, ${row.output}` });
  return make('figure', { className: 'strip' }, caption, make('div', { className: 'strip-lines' }, ...timed.flatMap((entry) => line(entry, at))));
}
