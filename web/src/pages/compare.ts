// Two to four encodings on the same tokens.
import { PosencError, type Posenc } from 'posenc';
import { makeChosenList } from '../compare/chosen-list.js';
import { columnPictures, distancePicture, type Result } from '../compare/pictures.js';
import { largestDifference, reorder, run, shuffled, tokensOf, type Outcome, type Trial } from '../compare/run.js';
import { optionsOf, printState, readState, settings, type Chosen, type State } from '../compare/state.js';
import { makeControlPanel } from '../controls/control-panel.js';
import { wholeSetting } from '../families/family.js';
import { PictureList } from '../figures/picture-list.js';
import { find, make, oncePerFrame } from '../lib/dom.js';
import { formatValue } from '../lib/format.js';
import { formatHash, onHashChange, readHash, writeHash } from '../lib/hash.js';
import { startPage } from '../lib/page.js';
import { createEncoding } from '../model/create.js';
import { printValue, toOptions } from '../model/fields.js';
import { explain, library } from '../model/library.js';

let state: State = readState(readHash());
let posenc: Posenc | undefined;
const redraw = oncePerFrame(draw);
const panel = makeControlPanel('set', (name, value) => {
  const { [name]: _, ...others } = state.settings;
  change({ ...state, settings: value === undefined ? others : { ...others, [name]: value } });
});
const chosenList = makeChosenList(find('chosen', HTMLElement), find('add', HTMLButtonElement), (chosen) => change({ ...state, chosen }));
const lead = new PictureList(find('lead', HTMLElement));

function change(next: State): void {
  state = next;
  writeHash(printState(state));
  redraw();
}

interface Column {
  element: HTMLElement;
  title: HTMLElement;
  notes: HTMLElement;
  pictures: PictureList;
}

let columns: Column[] = [];

function showColumns(count: number): void {
  if (columns.length === count) return;
  columns = Array.from({ length: count }, () => {
    const title = make('h2');
    const notes = make('dl', { className: 'facts small' });
    const pictures = make('div', { className: 'column-pictures' });
    return { element: make('section', { className: 'column' }, title, notes, pictures), title, notes, pictures: new PictureList(pictures, () => undefined, 'h3') };
  });
  find('more', HTMLElement).replaceChildren(...columns.map(({ element }) => element));
}

function readTrial(): Trial & { head: number; shuffle: boolean } {
  const { settings: given } = state;
  const whole = (name: string): number => {
    const field = settings.find((candidate) => candidate.name === name)!;
    return Math.min(field.maximum!, Math.max(field.minimum!, Math.round(wholeSetting(given, name, Number(field.default)))));
  };
  const count = whole('length');
  const tokens = tokensOf(given['tokens'] === 'alike' ? 'alike' : 'random', count);
  return { tokens, count, causal: given['causal'] !== false, shift: whole('shift'), head: whole('head'), shuffle: given['shuffle'] === true };
}

interface Measured {
  shown: Outcome;
  notes: [string, string][];
}

const unchanged = 1e-5;

/** What an encoding does with the tokens, and what it notices of a shift and of another order. */
function measure(library_: Posenc, one: Chosen, trial: Trial, shuffle: boolean): Measured {
  const { entry } = one;
  const encoding = createEncoding(library_, entry.id, toOptions(entry.fields, optionsOf(one)));
  try {
    const order = shuffled(trial.count);
    const plain = run(library_, encoding, trial);
    const mixed = run(library_, encoding, { ...trial, tokens: reorder(trial.tokens, order) });
    const moved = largestDifference(mixed.out, reorder(plain.out, order));
    const notes: [string, string][] = [
      ['Other order', moved < unchanged ? 'the outputs change places with the tokens, nothing else' : `outputs differ by up to ${formatValue(moved)}`],
    ];
    if (trial.shift > 0) {
      const atZero = run(library_, encoding, { ...trial, shift: 0 });
      const shifted = largestDifference(plain.weights, atZero.weights);
      notes.push([`Shift by ${trial.shift}`, shifted < unchanged ? 'weights stay the same' : `weights differ by up to ${formatValue(shifted)}`]);
    }
    return { shown: shuffle ? mixed : plain, notes };
  } finally {
    encoding.dispose();
  }
}

function draw(): void {
  panel.update(settings, state.settings);
  chosenList.update(state.chosen);
  if (!posenc) return;
  const { head, shuffle, ...trial } = readTrial();
  showColumns(state.chosen.length);
  const results: (Result & { index: number })[] = [];
  for (const [index, one] of state.chosen.entries()) {
    const { title, notes, pictures } = columns[index]!;
    const address = formatHash([['id', one.entry.id], ...Object.entries(optionsOf(one)).map(([name, value]): [string, string] => [name, printValue(value)])]);
    title.replaceChildren(make('a', { href: `encoding.html${address}`, textContent: one.entry.title }));
    try {
      const { shown, notes: facts } = measure(posenc, one, trial, shuffle);
      results.push({ title: one.entry.title, outcome: shown, index });
      notes.replaceChildren(...facts.map(([name, text]) => make('div', {}, make('dt', { textContent: name }), make('dd', { textContent: text }))));
      chosenList.tell(index, '');
    } catch (error) {
      chosenList.tell(index, explain(error), error instanceof PosencError ? error.parameter : undefined);
      notes.replaceChildren();
      pictures.show([]);
    }
  }
  lead.show(results.length > 0 ? [distancePicture(results, trial, head)] : []);
  for (const [i, pictures] of columnPictures(results, trial, head).entries()) columns[results[i]!.index]!.pictures.show(pictures);
}

startPage();
find('settings', HTMLElement).append(panel.element);
onHashChange(() => {
  state = readState(readHash());
  redraw();
});
draw();
try {
  posenc = await library();
  draw();
} catch (error) {
  find('status', HTMLElement).textContent = explain(error);
}
