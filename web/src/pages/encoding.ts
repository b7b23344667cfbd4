// One encoding: pictures and controls side by side, and everything else that the catalogue and the docs say of it.
import { PosencError, type Encoding, type Posenc } from 'posenc';
import { formulas } from 'virtual:formulas';
import { makeControlPanel } from '../controls/control-panel.js';
import { startCopyButton } from '../controls/copy-button.js';
import { makePlayer } from '../controls/player.js';
import { PictureList } from '../figures/picture-list.js';
import { familyOf } from '../families/index.js';
import { find, make, oncePerFrame, setText, whenAtRest } from '../lib/dom.js';
import { onHashChange, readHash, writeHash } from '../lib/hash.js';
import { t } from '../lib/language.js';
import { setMarkup } from '../lib/markup.js';
import { startPage } from '../lib/page.js';
import { writeFactory } from '../model/code.js';
import { createEncoding } from '../model/create.js';
import { printValue, type FieldValue } from '../model/fields.js';
import { complete, toOptions, type Options } from '../model/options.js';
import { makeKeep } from '../model/keep.js';
import { explain, library } from '../model/library.js';
import { fillZeros } from '../model/stand-ins.js';
import { printState, readState, readView, type PageState } from '../model/state.js';
import { makeEmbedCode } from './embed-code.js';
import { fillChooser, hasParameters, showFacts, showNotes, updateFacts } from './encoding-text.js';
import { linkSymbols } from './symbols.js';

let state: PageState = readState(readHash());
let posenc: Posenc | undefined;

const optionPanel = makeControlPanel('option', changeOption);
const settingPanel = makeControlPanel('show', changeSetting);
const lead = new PictureList(find('lead', HTMLElement), ({ plays }) => (plays ? makePlayer(() => step(plays)) : undefined));
const more = new PictureList(find('more', HTMLElement));
const status = find('status', HTMLElement);
const code = find('code', HTMLElement);
const redraw = oncePerFrame(draw);
const embedCode = makeEmbedCode();

function changeOption(name: string, value: FieldValue | undefined): void {
  const { [name]: _, ...others } = state.options;
  state = { ...state, options: complete(state.entry.fields, value === undefined ? others : { ...others, [name]: value }) };
  changed();
}

function changeSetting(name: string, value: FieldValue | undefined): void {
  const { [name]: _, ...others } = state.view;
  state = { ...state, view: value === undefined ? others : { ...others, [name]: printValue(value) } };
  changed();
}

function changed(): void {
  writeHash(printState(state));
  redraw();
}

/** Moves a setting on by one, back to its start at the end. */
function step(name: string): void {
  const setting = settings.find((field) => field.name === name);
  if (!setting?.shown) return;
  const value = Number(state.view[name] ?? setting.default);
  changeSetting(name, value >= setting.shown.high ? setting.shown.low : value + 1);
}

let settings: ReturnType<ReturnType<typeof familyOf>['settings']> = [];

/** The encoding that is shown, for as long as its options are the same. */
let shown: { key: string; encoding: Encoding; standIns: string[] } | undefined;
const { keep, clear } = makeKeep();

function encodingOf(library: Posenc, id: string, options: Options): NonNullable<typeof shown> {
  const key = writeFactory(id, options);
  if (shown?.key === key) return shown;
  const encoding = createEncoding(library, id, options);
  shown?.encoding.dispose();
  shown = { key, encoding, standIns: fillZeros(encoding) };
  clear();
  return shown;
}

function draw(): void {
  if (!posenc) return;
  const { entry } = state;
  const options = toOptions(entry.fields, state.options);
  optionPanel.update(entry.fields, state.options);
  try {
    drawWith(posenc, encodingOf(posenc, entry.id, options), options);
    tell('');
  } catch (error) {
    tell(explain(error), error instanceof PosencError ? error.parameter : undefined);
  }
}

/** Says what is wrong, at the option if it is one, and in place of the pictures where there are none. */
function tell(message: string, parameter?: string): void {
  if (lead.isEmpty) find('lead', HTMLElement).replaceChildren(make('p', { className: 'soft', textContent: message }));
  const atOption = optionPanel.mark(parameter, message);
  setText(status, message);
  status.classList.toggle('visually-hidden', atOption);
}

function drawWith(library: Posenc, { encoding, standIns }: NonNullable<typeof shown>, options: Options): void {
  const { entry } = state;
  const family = familyOf(entry.family);
  // Ranges may depend on other settings: read once to have those, and once more for the ranges.
  const first = readView(family.settings({ posenc: library, encoding, view: {} }), state.view);
  settings = family.settings({ posenc: library, encoding, view: first });
  const view = readView(settings, state.view);
  settingPanel.update(settings, view);
  const scene = { posenc: library, encoding, view, keep };
  const [large, ...others] = family.pictures(scene);
  const initial = encoding.trainable.length > 0 ? ` ${t('Its trained parts hold their initial values here.')}` : '';
  const untrained = standIns.length > 0 ? ` ${t('Its trained parts begin at zero; random numbers stand for trained ones here.')}` : initial;
  lead.show(large ? [{ ...large, caption: large.caption + untrained }] : []);
  more.show(others);
  embedCode.update(large ? [large, ...others] : others, t(entry.title), printState(state));
  const lines = [
    "import { load } from 'posenc';",
    '',
    'const posenc = await load();',
    `const encoding = ${writeFactory(entry.id, options)};`,
    ...standIns,
    ...family.code(scene),
  ];
  setText(code, lines.join('\n'));
  keep('facts', [], () => showParameters(entry, encoding));
}

const atRest = whenAtRest();

/** Counting copies all tables, which may wait: but for the first ones, until the sliders rest. */
function showParameters(entry: PageState['entry'], encoding: Encoding): void {
  const update = (): void => void (encoding === shown?.encoding && updateFacts(entry, encoding));
  if (hasParameters()) atRest(update);
  else update();
}

let openEntry: PageState['entry'] | undefined;

/** All that depends on which encoding it is, and not on its options. */
function open(): void {
  const { entry } = state;
  if (entry !== openEntry) for (const list of [lead, more]) list.show([]);
  openEntry = entry;
  document.title = `${t(entry.title)} \u00b7 posenc`;
  find('title', HTMLElement).textContent = t(entry.title);
  find('summary', HTMLElement).textContent = t(entry.summary);
  find('family', HTMLElement).textContent = familyOf(entry.family).text;
  find('choose', HTMLSelectElement).value = entry.id;
  const formula = find('formula', HTMLElement);
  setMarkup(formula, formulas[entry.id] ?? '');
  linkSymbols(formula, entry, { options: optionPanel, settings: settingPanel });
  optionPanel.update(entry.fields, state.options);
  showFacts(entry);
  void showNotes(entry.id);
  redraw();
}

startPage();
find('options', HTMLElement).append(optionPanel.element);
find('settings', HTMLElement).append(settingPanel.element);
fillChooser(find('choose', HTMLSelectElement));
startCopyButton(find('copy', HTMLButtonElement), () => code.textContent);
find('reset', HTMLButtonElement).addEventListener('click', () => {
  state = { entry: state.entry, options: complete(state.entry.fields, {}), view: {} };
  changed();
});
onHashChange(() => {
  state = readState(readHash());
  open();
});
open();
try {
  posenc = await library();
  draw();
} catch (error) {
  tell(explain(error));
}
