// What every picture has around it: axis labels and ticks, a line that reads out the value under the pointer, a legend,
// and the values as a table for those who cannot or do not want to look.
import { make } from '../lib/dom.js';
import { t } from '../lib/language.js';
import { onResize } from '../lib/resize.js';
import type { Tick } from './axis.js';
import { makeSaveButtons, titleOf } from './save.js';
import { makeSheet, type Surroundings } from './sheet.js';

/** A table of values, made only when it is opened. */
export interface ValueTable {
  columns: () => string[];
  rows: () => string[][];
  /** Said above the table, where it shows a part only. */
  note: string;
}

export interface Frame {
  /** The drawing goes in here. */
  area: HTMLDivElement;
  /** Width of the drawing in CSS pixels, known without laying out. */
  readonly width: number;
  setTicks(x: Tick[], y: Tick[]): void;
  setLabels(x: string, y: string): void;
  setReadout(text: string): void;
  /** A bar of these colours from left to right, and what its ends (and middle) stand for; none without colours. */
  setLegend(colours: readonly string[], names: readonly string[]): void;
  /** A colour and a name for each line. */
  setKey(entries: readonly (readonly [colour: string, name: string])[]): void;
  setTable(table: ValueTable): void;
}

/** What a picture has to give, for others to be able to keep it. */
export interface Content {
  /** The drawing without its surroundings, of any size; its colours are written out. */
  drawing: () => SVGElement;
  /** All values, the names of the columns first. */
  table: () => string[][];
}

const hint = t('Point at the picture, or focus it and use the arrow keys, to read a value.');

/** Runs `change` only if what it would show is not what is shown: every change makes the browser lay out anew. */
function onlyIfNew(): (content: string, change: () => void) => void {
  let shown: string | undefined;
  return (content, change) => {
    if (content === shown) return;
    shown = content;
    change();
  };
}

function tickElements(ticks: Tick[], side: 'left' | 'bottom'): HTMLElement[] {
  return ticks.map(({ at, text }) => {
    const tick = make('span', { textContent: text });
    tick.style.setProperty(side, `${(100 * at).toFixed(3)}%`);
    return tick;
  });
}

function fillTable(box: HTMLElement, table: ValueTable): void {
  const head = make('tr', {}, ...table.columns().map((name) => make('th', { textContent: name, scope: 'col' })));
  const body = table.rows().map(([name = '', ...cells]) =>
    make('tr', {}, make('th', { textContent: name, scope: 'row' }), ...cells.map((text) => make('td', { textContent: text }))),
  );
  const element = make('table', {}, make('thead', {}, head), make('tbody', {}, ...body));
  const scroller = make('div', { className: 'values-scroll', tabIndex: 0, attributes: { role: 'group', 'aria-label': t('Table of values') } }, element);
  box.replaceChildren(make('p', { className: 'small soft', textContent: table.note }), scroller);
}

/** Builds the frame inside `host`; `resized` is called when the drawing's width has changed. */
export function makeFrame(host: HTMLElement, resized: () => void, content: Content): Frame {
  const area = make('div', { className: 'plot-area' });
  const xTicks = make('div', { className: 'ticks-x', attributes: { 'aria-hidden': 'true' } });
  const yTicks = make('div', { className: 'ticks-y', attributes: { 'aria-hidden': 'true' } });
  const xLabel = make('div', { className: 'label-x', attributes: { 'aria-hidden': 'true' } });
  const yLabel = make('div', { className: 'label-y', attributes: { 'aria-hidden': 'true' } });
  const readout = make('output', { className: 'readout', textContent: hint });
  const legend = make('div', { className: 'legend' });
  const tableBox = make('div');
  const details = make('details', { className: 'values' }, make('summary', { textContent: t('Values') }), tableBox);
  const [ifNewTicks, ifNewLabels, ifNewReadout, ifNewLegend] = [onlyIfNew(), onlyIfNew(), onlyIfNew(), onlyIfNew()];
  let table: ValueTable | undefined;
  const around: Surroundings = { x: [], y: [], labels: ['', ''], legend: { colours: [], names: [], lines: false } };
  const savable = {
    svg: () => makeSheet(host, titleOf(host), [area.clientWidth, area.clientHeight], content.drawing(), around),
    table: content.table,
  };
  const refresh = (): void => {
    if (details.open && table) fillTable(tableBox, table);
  };
  details.addEventListener('toggle', refresh);
  host.replaceChildren(
    make('div', { className: 'plot' }, yLabel, yTicks, area, xTicks, xLabel),
    make('div', { className: 'plot-foot' }, readout, legend),
    make('div', { className: 'plot-tools' }, details, makeSaveButtons(host, savable)),
  );
  let width = area.clientWidth;
  onResize(area, () => {
    if (area.clientWidth === width) return;
    width = area.clientWidth;
    resized();
  });
  return {
    area,
    get width() {
      return width;
    },
    setTicks(x, y) {
      Object.assign(around, { x, y });
      ifNewTicks(JSON.stringify([x, y]), () => {
        xTicks.replaceChildren(...tickElements(x, 'left'));
        yTicks.replaceChildren(...tickElements(y, 'bottom'));
      });
    },
    setLabels(x, y) {
      around.labels = [x && `${x} \u2192`, y && `\u2191 ${y}`];
      ifNewLabels(around.labels.join(), () => {
        [xLabel.textContent, yLabel.textContent] = around.labels;
      });
    },
    setReadout(text) {
      ifNewReadout(text, () => {
        readout.textContent = text || hint;
        readout.classList.toggle('is-hint', !text);
      });
    },
    setLegend(colours, names) {
      around.legend = { colours, names, lines: false };
      ifNewLegend([...colours, ...names].join(), () => {
        const bar = make('div', { className: 'legend-bar' });
        bar.style.background = `linear-gradient(to right in oklab, ${colours.join(', ')})`;
        const numbers = names.map((textContent) => make('span', { textContent }));
        legend.replaceChildren(...(colours.length > 0 ? [bar, make('div', { className: 'legend-numbers' }, ...numbers)] : []));
      });
    },
    setKey(entries) {
      around.legend = { colours: entries.map(([colour]) => colour), names: entries.map(([, name]) => name), lines: true };
      ifNewLegend(entries.join(), () => {
        const items = entries.map(([colour, name]) => {
          const item = make('li', { textContent: name });
          item.style.setProperty('--key', colour);
          return item;
        });
        legend.replaceChildren(make('ul', { className: 'key' }, ...items));
      });
    },
    setTable(next) {
      table = next;
      refresh();
    },
  };
}
