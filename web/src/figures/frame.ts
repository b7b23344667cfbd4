// What every picture has around it: axis labels and ticks, a line that reads out the value under the pointer, a legend,
// and the values as a table for those who cannot or do not want to look.
import { make } from '../lib/dom.js';
import type { Tick } from './axis.js';

/** A table of values; rows are made only when it is opened. */
export interface ValueTable {
  columns: string[];
  rows: () => string[][];
  /** Said above the table, where it shows a part only. */
  note: string;
}

export interface Frame {
  /** The drawing goes in here. */
  area: HTMLDivElement;
  setTicks(x: Tick[], y: Tick[]): void;
  setLabels(x: string, y: string): void;
  setReadout(text: string): void;
  setLegend(...children: Node[]): void;
  setTable(table: ValueTable): void;
}

const hint = 'Point at the picture, or focus it and use the arrow keys, to read a value.';

function tickElements(ticks: Tick[], side: 'left' | 'bottom'): HTMLElement[] {
  return ticks.map(({ at, text }) => {
    const tick = make('span', { textContent: text });
    tick.style.setProperty(side, `${(100 * at).toFixed(3)}%`);
    return tick;
  });
}

function fillTable(box: HTMLElement, table: ValueTable): void {
  const head = make('tr', {}, ...table.columns.map((name) => make('th', { textContent: name, scope: 'col' })));
  const body = table.rows().map(([name = '', ...cells]) =>
    make('tr', {}, make('th', { textContent: name, scope: 'row' }), ...cells.map((text) => make('td', { textContent: text }))),
  );
  const element = make('table', {}, make('thead', {}, head), make('tbody', {}, ...body));
  const scroller = make('div', { className: 'values-scroll', tabIndex: 0, attributes: { role: 'region', 'aria-label': 'Table of values' } }, element);
  box.replaceChildren(make('p', { className: 'small soft', textContent: table.note }), scroller);
}

/** Builds the frame inside `host`. */
export function makeFrame(host: HTMLElement): Frame {
  const area = make('div', { className: 'plot-area' });
  const xTicks = make('div', { className: 'ticks-x', attributes: { 'aria-hidden': 'true' } });
  const yTicks = make('div', { className: 'ticks-y', attributes: { 'aria-hidden': 'true' } });
  const xLabel = make('div', { className: 'label-x', attributes: { 'aria-hidden': 'true' } });
  const yLabel = make('div', { className: 'label-y', attributes: { 'aria-hidden': 'true' } });
  const readout = make('output', { className: 'readout', textContent: hint });
  const legend = make('div', { className: 'legend' });
  const tableBox = make('div');
  const details = make('details', { className: 'values' }, make('summary', { textContent: 'Values' }), tableBox);
  let table: ValueTable | undefined;
  const refresh = (): void => {
    if (details.open && table) fillTable(tableBox, table);
  };
  details.addEventListener('toggle', refresh);
  host.replaceChildren(
    make('div', { className: 'plot' }, yLabel, yTicks, area, xTicks, xLabel),
    make('div', { className: 'plot-foot' }, readout, legend),
    details,
  );
  return {
    area,
    setTicks(x, y) {
      xTicks.replaceChildren(...tickElements(x, 'left'));
      yTicks.replaceChildren(...tickElements(y, 'bottom'));
    },
    setLabels(x, y) {
      xLabel.textContent = `${x} \u2192`;
      yLabel.textContent = `\u2191 ${y}`;
    },
    setReadout(text) {
      readout.textContent = text || hint;
      readout.classList.toggle('is-hint', !text);
    },
    setLegend(...children) {
      legend.replaceChildren(...children);
    },
    setTable(next) {
      table = next;
      refresh();
    },
  };
}
