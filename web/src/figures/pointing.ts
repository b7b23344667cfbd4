// Choosing a place in a picture: by pointer, by touch, or by the arrow keys once the picture has the focus.
import { t } from '../lib/language.js';

export interface Place {
  /** From the left, and from the top. */
  column: number;
  row: number;
}

export interface Pointing {
  /** How many places there are to choose from. */
  size: () => { columns: number; rows: number };
  /** The row meant by a height (0 at the top, 1 at the bottom); by default rows fill the height evenly. */
  rowAt?: (column: number, height: number) => number;
  /** The place meant by a point, both from 0 to 1, where places are not in columns. */
  placeAt?: (x: number, y: number) => Place;
  show: (place: Place | undefined) => void;
  /** A click, or Enter on the place that is shown. */
  choose?: (place: Place) => void;
}

const steps: Record<string, Place> = {
  ArrowLeft: { column: -1, row: 0 },
  ArrowRight: { column: 1, row: 0 },
  ArrowUp: { column: 0, row: -1 },
  ArrowDown: { column: 0, row: 1 },
};

const bound = (value: number, count: number): number => Math.min(count - 1, Math.max(0, value));

/** Listens on `area`; calls `show` with the place, or with undefined when nothing is pointed at any more. */
export function startPointing(area: HTMLElement, { size, rowAt, placeAt, show, choose }: Pointing): void {
  let place: Place | undefined;
  const move = (next: Place | undefined): void => {
    place = next;
    show(place);
  };
  const fromPointer = (event: PointerEvent): void => {
    const box = area.getBoundingClientRect();
    const { columns, rows } = size();
    const column = bound(Math.floor(((event.clientX - box.left) / box.width) * columns), columns);
    const height = (event.clientY - box.top) / box.height;
    if (placeAt) return move(placeAt((event.clientX - box.left) / box.width, height));
    move({ column, row: rowAt ? rowAt(column, height) : bound(Math.floor(height * rows), rows) });
  };
  area.tabIndex = 0;
  area.setAttribute('role', 'group');
  area.setAttribute('aria-label', t('Values: move with the arrow keys, by ten with shift'));
  area.addEventListener('pointermove', fromPointer);
  area.addEventListener('pointerdown', fromPointer);
  area.addEventListener('click', () => place && choose?.(place));
  area.addEventListener('pointerleave', () => move(undefined));
  area.addEventListener('blur', () => move(undefined));
  area.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') return move(undefined);
    if (event.key === 'Enter' && place) return choose?.(place);
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    const { columns, rows } = size();
    const from = place ?? { column: 0, row: rows - 1 };
    const stride = event.shiftKey ? 10 : 1;
    move(
      place
        ? { column: bound(from.column + stride * step.column, columns), row: bound(from.row + stride * step.row, rows) }
        : from,
    );
  });
}
