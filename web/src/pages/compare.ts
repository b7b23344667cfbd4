// Two to four encodings on the same tokens.
import { PosencError, type Posenc } from 'posenc';
import { makeChosenList } from '../compare/chosen-list.js';
import { columnPictures, distancePicture, type Result } from '../compare/pictures.js';
import {
  describeMaterial, fileMaterial, ownMaterial, reordered, sentenceMaterial, shuffled, type Material, type MaterialKind,
} from '../compare/material.js';
import { measure } from '../compare/measure.js';
import type { Outcome, Trial } from '../compare/run.js';
import { makeStopwatch } from '../compare/stopwatch.js';
import { optionsOf, printState, readState, settings, type Chosen, type State } from '../compare/state.js';
import { makeControlPanel } from '../controls/control-panel.js';
import { wholeSetting } from '../families/family.js';
import { PictureList } from '../figures/picture-list.js';
import { find, make, oncePerFrame } from '../lib/dom.js';
import { formatHash, onHashChange, readHash, writeHash } from '../lib/hash.js';
import { t } from '../lib/language.js';
import { startPage } from '../lib/page.js';
import { printValue } from '../model/fields.js';
import { toOptions } from '../model/options.js';
import { explain, library } from '../model/library.js';
import { readTensors } from '../tensors/read.js';

let state: State = readState(readHash());
let posenc: Posenc | undefined;
/** Of the file that was opened last. */
let fromFile: Material | undefined;
let fileName = '';
const sentence = find('sentence', HTMLTextAreaElement);
const redraw = oncePerFrame(draw);
const panel = makeControlPanel('set', (name, value) => {
  const { [name]: _, ...others } = state.settings;
  change({ ...state, settings: value === undefined ? others : { ...others, [name]: value } });
});
const chosenList = makeChosenList(find('chosen', HTMLElement), find('add', HTMLButtonElement), (chosen) => change({ ...state, chosen }));
const stopwatch = makeStopwatch(
  () => ({
    trial: trialNow!,
    encodings: state.chosen.map((one) => ({ id: one.entry.id, options: toOptions(one.entry.fields, optionsOf(one, trialNow!.material)) })),
  }),
  redraw,
);
const lead = new PictureList(find('lead', HTMLElement));

function change(next: State): void {
  state = next;
  stopwatch.reset();
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

const whole = (name: string): number => {
  const field = settings.find((candidate) => candidate.name === name)!;
  return Math.min(field.maximum!, Math.max(field.minimum!, Math.round(wholeSetting(state.settings, name, Number(field.default)))));
};

/** What the settings ask for; random tokens until there is a file. */
function materialOf(): Material {
  const kind = (state.settings['tokens'] ?? 'random') as MaterialKind;
  if (kind === 'sentence') return sentenceMaterial(state.sentence);
  if (kind === 'file') return fromFile ?? ownMaterial('random', whole('length'));
  return ownMaterial(kind, whole('length'));
}

function showIntake(): void {
  const kind = state.settings['tokens'];
  find('sentence-row', HTMLElement).hidden = kind !== 'sentence';
  find('file-row', HTMLElement).hidden = kind !== 'file';
  if (document.activeElement !== sentence && sentence.value !== state.sentence) sentence.value = state.sentence;
  find('file-about', HTMLElement).textContent = fromFile
    ? `${fileName}: ${describeMaterial(fromFile)}. ${t('Input encodings are added to queries and keys, as there are no tokens. The address does not hold the file.')}`
    : t('.npy, .safetensors or .json with q, k and v [heads, tokens, dim]; one tensor alone is taken for all three. It is not sent anywhere.');
}

let trialNow: Trial | undefined;

function drawColumn(library_: Posenc, one: Chosen, index: number, trial: Trial, shuffle: boolean): Outcome | undefined {
  const { entry } = one;
  const { title, notes, pictures } = columns[index]!;
  const options = optionsOf(one, trial.material);
  const address = formatHash([['id', entry.id], ...Object.entries(options).map(([name, value]): [string, string] => [name, printValue(value)])]);
  title.replaceChildren(make('a', { href: `encoding.html${address}`, textContent: t(entry.title) }));
  try {
    const { shown, notes: facts } = measure(library_, entry.id, toOptions(entry.fields, options), trial, shuffle, stopwatch.medians?.[index]);
    notes.replaceChildren(...facts.map(([name, text]) => make('div', {}, make('dt', { textContent: name }), make('dd', { textContent: text }))));
    chosenList.tell(index, '');
    return shown;
  } catch (error) {
    chosenList.tell(index, explain(error), error instanceof PosencError ? error.parameter : undefined);
    notes.replaceChildren();
    pictures.show([]);
    return undefined;
  }
}

function draw(): void {
  panel.update(settings, state.settings);
  chosenList.update(state.chosen);
  showIntake();
  if (!posenc) return;
  const status = find('status', HTMLElement);
  try {
    drawWith(posenc, materialOf());
    status.textContent = '';
  } catch (error) {
    status.textContent = explain(error);
  }
}

function drawWith(library_: Posenc, material: Material): void {
  const causal = state.settings['causal'] !== false;
  const shuffle = state.settings['shuffle'] === true;
  const head = Math.min(whole('head'), material.heads - 1);
  trialNow = { material, causal, shift: whole('shift') };
  showColumns(state.chosen.length);
  const results: (Result & { index: number })[] = [];
  for (const [index, one] of state.chosen.entries()) {
    const outcome = drawColumn(library_, one, index, trialNow, shuffle);
    if (outcome) results.push({ title: t(one.entry.title), outcome, index });
  }
  const { count, names } = shuffle ? reordered(material, shuffled(material.count)) : material;
  const setup = { count, causal, ...(names ? { names } : {}) };
  lead.show(results.length > 0 ? [distancePicture(results, setup, head)] : []);
  for (const [i, pictures] of columnPictures(results, setup, head).entries()) columns[results[i]!.index]!.pictures.show(pictures);
}

async function takeFile(file: File | undefined): Promise<void> {
  if (!file || !posenc) return;
  try {
    fromFile = fileMaterial(await readTensors(file));
    fileName = file.name;
    change({ ...state, settings: { ...state.settings, tokens: 'file' } });
  } catch (error) {
    find('status', HTMLElement).textContent = explain(error);
  }
}

function startIntake(): void {
  const file = find('file', HTMLInputElement);
  find('open', HTMLButtonElement).addEventListener('click', () => file.click());
  file.addEventListener('change', () => void takeFile(file.files?.[0]));
  sentence.addEventListener('input', () => change({ ...state, sentence: sentence.value }));
  document.addEventListener('dragover', (event) => event.preventDefault());
  document.addEventListener('drop', (event) => {
    event.preventDefault();
    void takeFile(event.dataTransfer?.files[0]);
  });
}

startPage();
find('settings', HTMLElement).append(panel.element);
find('time', HTMLElement).append(...stopwatch.elements);
startIntake();
onHashChange(() => {
  state = readState(readHash());
  stopwatch.reset();
  redraw();
});
draw();
try {
  posenc = await library();
  draw();
} catch (error) {
  find('status', HTMLElement).textContent = explain(error);
}
