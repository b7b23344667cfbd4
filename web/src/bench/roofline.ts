// The roofline: how fast what can be counted runs, against how much arithmetic it does for each byte. The roofs are what
// copies and multiply-adds were measured to reach on the same machine.
import { make, makeSvg, setAttributes } from '../lib/dom.js';
import { t } from '../lib/language.js';
import { formatTick } from '../lib/format.js';
import { onResize } from '../lib/resize.js';
import { peakFor } from './machine.js';
import { digits3, statisticsOf, titleOf } from './report.js';
import type { Report, Row } from './results.js';

interface Point {
  intensity: number;
  speed: number;
  row: Row;
}

const height = 350;
const margin = { left: 48, right: 12, top: 24, bottom: 40 };

function pointsOf({ rows }: Report): Point[] {
  return rows.flatMap((row) => {
    const own = statisticsOf(row, 'posenc');
    return own && row.flops ? [{ intensity: row.flops / row.bytes, speed: row.flops / own.median, row }] : [];
  });
}

const powers = (low: number, high: number): number[] => {
  const first = Math.ceil(Math.log10(low) - 1e-9);
  return Array.from({ length: Math.floor(Math.log10(high) + 1e-9) - first + 1 }, (_, i) => 10 ** (first + i));
};

/** A scale from numbers to pixels, logarithmic. */
const scale = (low: number, high: number, from: number, to: number) => (value: number): number =>
  from + ((to - from) * Math.log(value / low)) / Math.log(high / low);

const label = (x: number, y: number, text: string, anchor = 'start'): SVGElement => {
  const element = makeSvg('text', { x, y, 'text-anchor': anchor });
  element.textContent = text;
  return element;
};

/** Below this width the names of the two roofs have no room side by side. */
const narrow = 480;

function draw(svg: SVGSVGElement, width: number, report: Report, points: readonly Point[]): void {
  const peak = peakFor(report.engine) ?? 0;
  const copies = report.engine.limits.bandwidth;
  const intensities = points.map(({ intensity }) => intensity);
  const [xLow, xHigh] = [Math.min(...intensities, 0.3) / 1.5, Math.max(...intensities, 30) * 1.5];
  const [yLow, yHigh] = [Math.min(...points.map(({ speed }) => speed), 1) / 1.5, Math.max(peak, ...points.map(({ speed }) => speed)) * 2];
  const x = scale(xLow, xHigh, margin.left, width - margin.right);
  const y = scale(yLow, yHigh, height - margin.bottom, margin.top);
  const parts: SVGElement[] = [];
  for (const tick of powers(xLow, xHigh)) {
    parts.push(makeSvg('line', { x1: x(tick), x2: x(tick), y1: margin.top, y2: height - margin.bottom, class: 'grid' }), label(x(tick), height - margin.bottom + 16, formatTick(tick), 'middle'));
  }
  for (const tick of powers(yLow, yHigh)) {
    parts.push(makeSvg('line', { x1: margin.left, x2: width - margin.right, y1: y(tick), y2: y(tick), class: 'grid' }), label(margin.left - 6, y(tick) + 4, formatTick(tick), 'end'));
  }
  for (const { bytes, copy } of copies) {
    const ridge = peak > 0 ? Math.min(xHigh, peak / copy) : xHigh;
    const start = Math.max(xLow, yLow / copy);
    if (ridge > start) parts.push(makeSvg('line', { x1: x(start), y1: y(copy * start), x2: x(ridge), y2: y(copy * ridge), class: 'roof' }, titled(t('copy {0} MiB: {1} GB/s', digits3(bytes / 2 ** 20), digits3(copy)))));
  }
  const slowest = Math.min(...copies.map(({ copy }) => copy));
  if (peak > 0) {
    const from = Math.max(xLow, Math.min(xHigh, peak / Math.max(...copies.map(({ copy }) => copy))));
    parts.push(makeSvg('line', { x1: x(from), y1: y(peak), x2: x(xHigh), y2: y(peak), class: 'roof' }), label(width - margin.right, y(peak) + (width < narrow ? 16 : -6), t('multiply-adds: {0} GFLOP/s', digits3(peak)), 'end'));
  }
  if (copies.length > 0) parts.push(label(margin.left + 6, y(yHigh) + 12, t('copy: {0} to {1} GB/s', digits3(slowest), digits3(Math.max(...copies.map(({ copy }) => copy))))));
  for (const { intensity, speed, row } of points) {
    parts.push(makeSvg('circle', { cx: x(intensity), cy: y(speed), r: 5, class: `point at-${row.operation}` }, titled(`${t(titleOf(row))}, ${row.operation}, ${row.size}, ${row.output}: ${digits3(speed)} GFLOP/s`)));
  }
  parts.push(label((margin.left + width - margin.right) / 2, height - 6, t('operations for each byte'), 'middle'), label(0, 12, '\u2191 GFLOP/s'));
  setAttributes(svg, { viewBox: `0 0 ${width} ${height}`, width, height });
  svg.replaceChildren(...parts);
}

function titled(text: string): SVGElement {
  const title = makeSvg('title');
  title.textContent = text;
  return title;
}

/** The picture, drawn anew when its width changes; undefined where no operations were counted. */
export function makeRoofline(report: Report): HTMLElement | undefined {
  const points = pointsOf(report);
  if (points.length === 0) return undefined;
  const shares = points.map(({ speed, row }) => `${t(titleOf(row))} ${row.operation} ${digits3(speed)}`).slice(0, 12).join('; ');
  const svg = makeSvg('svg', { role: 'img', 'aria-label': t('Speed in GFLOP/s against operations for each byte: {0}. The table has all numbers.', shares) });
  const box = make('div', { className: 'roofline' });
  box.append(svg);
  onResize(box, () => {
    if (box.clientWidth > 0) draw(svg, box.clientWidth, report, points);
  });
  return box;
}
