// A picture as one SVG file: drawing, axes, legend and title, with all colours and fonts written out.
import { makeSvg } from '../lib/dom.js';
import type { Tick } from './axis.js';

/** What a picture says around its drawing. */
export interface Surroundings {
  x: readonly Tick[];
  y: readonly Tick[];
  labels: readonly [x: string, y: string];
  /** A bar of colours with what its ends stand for, or a colour and a name for each line. */
  legend: { colours: readonly string[]; names: readonly string[]; lines: boolean };
}

const margin = { left: 70, right: 20, top: 60, bottom: 96 } as const;
const barWidth = 200;
const font = 'system-ui, sans-serif';

let probe: CanvasRenderingContext2D | null = null;

/** Any CSS colour as a plain one that programs other than browsers read too. */
function plainColour(colour: string): string {
  probe ??= Object.assign(document.createElement('canvas'), { width: 1, height: 1 }).getContext('2d', { willReadFrequently: true });
  if (!probe) return colour;
  probe.clearRect(0, 0, 1, 1);
  probe.fillStyle = colour;
  probe.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0, alpha = 255] = probe.getImageData(0, 0, 1, 1).data;
  return alpha === 255 ? `rgb(${red},${green},${blue})` : `rgba(${red},${green},${blue},${(alpha / 255).toFixed(3)})`;
}

/** A colour as it is where `element` stands, variables of the page's styles and all. */
export function colourAt(element: Element, colour: string): string {
  const box = element.appendChild(document.createElement('span'));
  box.style.color = colour;
  const found = getComputedStyle(box).color;
  box.remove();
  return plainColour(found);
}

function text(x: number, y: number, content: string, anchor: 'start' | 'middle' | 'end', fill: string, size = 12): SVGElement {
  const element = makeSvg('text', { x, y, fill, 'font-size': size, 'font-family': font, 'text-anchor': anchor });
  element.textContent = content;
  return element;
}

function axes(width: number, height: number, { x, y, labels }: Surroundings, soft: string): SVGElement[] {
  return [
    ...x.map(({ at, text: name }) => text(margin.left + at * width, margin.top + height + 18, name, 'middle', soft)),
    ...y.map(({ at, text: name }) => text(margin.left - 8, margin.top + (1 - at) * height + 4, name, 'end', soft)),
    text(margin.left + width, margin.top + height + 38, labels[0], 'end', soft),
    text(margin.left, margin.top - 10, labels[1], 'start', soft),
  ];
}

function legendOf(host: Element, width: number, top: number, { legend: { colours, names, lines } }: Surroundings, soft: string): SVGElement[] {
  const fills = colours.map((colour) => colourAt(host, colour));
  if (lines) {
    const step = width / Math.max(1, names.length);
    return names.flatMap((name, i) => [
      makeSvg('rect', { x: margin.left + i * step, y: top + 4, width: 18, height: 3, fill: fills[i]! }),
      text(margin.left + i * step + 24, top + 10, name, 'start', soft),
    ]);
  }
  if (fills.length === 0) return [];
  const [whole, step] = [barWidth, barWidth / fills.length];
  const last = Math.max(1, names.length - 1);
  return [
    ...fills.map((fill, i) => makeSvg('rect', { x: margin.left + i * step, y: top, width: step + 0.5, height: 8, fill })),
    ...names.map((name, i) => text(margin.left + (whole * i) / last, top + 24, name, i === 0 ? 'start' : i === last ? 'end' : 'middle', soft)),
  ];
}

/** `drawing` in a box of its own, with all that stands around it; sizes in CSS pixels. */
export function makeSheet(host: Element, title: string, [width, height]: readonly [number, number], drawing: SVGElement, around: Surroundings): SVGSVGElement {
  const [ink, soft, paper] = ['var(--ink)', 'var(--ink-soft)', 'var(--paper)'].map((name) => colourAt(host, name)) as [string, string, string];
  const [wide, high] = [width + margin.left + margin.right, height + margin.top + margin.bottom];
  for (const [name, value] of Object.entries({ x: margin.left, y: margin.top, width, height })) drawing.setAttribute(name, String(value));
  return makeSvg(
    'svg',
    { xmlns: 'http://www.w3.org/2000/svg', width: wide, height: high, viewBox: `0 0 ${wide} ${high}` },
    makeSvg('rect', { width: wide, height: high, fill: paper }),
    text(margin.left, 26, title, 'start', ink, 17),
    drawing,
    ...axes(width, height, around, soft),
    ...legendOf(host, width, margin.top + height + 56, around, soft),
  );
}
