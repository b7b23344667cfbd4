// Encodings beyond the trained length.
import type { Posenc } from 'posenc';
import { makeControlPanel } from '../controls/control-panel.js';
import { PictureList } from '../figures/picture-list.js';
import { gridPictures, gridsOf, gridTable } from '../lengths/grid.js';
import { alibiPicture, learnedPicture, t5Picture } from '../lengths/others.js';
import { makePictureSource } from '../lengths/picture.js';
import { countPairs, ropePictures, turnsOf } from '../lengths/rope.js';
import { factors } from 'virtual:longrope-factors';
import { allFields, fieldsOf, readSetup, ropeOptions, scalings, type Setup } from '../lengths/setup.js';
import { find, make, oncePerFrame, whenAtRest } from '../lib/dom.js';
import { formatHash, onHashChange, readHash, writeHash } from '../lib/hash.js';
import { t } from '../lib/language.js';
import { startPage } from '../lib/page.js';
import { parseValue, printValue, type FieldValue, type Values } from '../model/fields.js';
import { flattenOptions } from '../model/options.js';
import { explain, library } from '../model/library.js';
import { makeKeep } from '../model/keep.js';

let values: Values = readValues();
let posenc: Posenc | undefined;
const { keep } = makeKeep();
const redraw = oncePerFrame(draw);
const lead = new PictureList(find('lead', HTMLElement));
const status = find('status', HTMLElement);
const source = makePictureSource(redraw, (message) => void (status.textContent = message));
const more = new PictureList(find('more', HTMLElement), ({ key }) => (key === 'grid-similarity' ? source.button() : undefined));
const panel = makeControlPanel('set', (name, value) => {
  const { [name]: _, ...others } = values;
  change(value === undefined ? others : { ...others, [name]: value });
});

function readValues(): Values {
  const hash = readHash();
  const found: Record<string, FieldValue> = {};
  for (const field of allFields) {
    const text = hash.get(field.name);
    const value = text === undefined ? undefined : parseValue(field, text);
    if (value !== undefined) found[field.name] = value;
  }
  return found;
}

function change(next: Values): void {
  values = next;
  writeHash(Object.entries(values).map(([name, value]): [string, string] => [name, printValue(value)]));
  redraw();
}

function showTable(library_: Posenc, setup: Setup): void {
  const plain = turnsOf(library_, setup, 'default');
  const rows = scalings.map((scaling) => {
    const { slow, past, blurred } = countPairs(setup, plain, turnsOf(library_, setup, scaling));
    const address = formatHash([['id', 'rope'], ...flattenOptions(ropeOptions(setup, scaling))]);
    const name = make('th', { scope: 'row' }, make('a', { href: `encoding.html${address}`, textContent: scaling === 'default' ? t('none') : scaling }));
    return make('tr', {}, name, ...[t('{0} of {1}', past, slow), String(blurred)].map((textContent) => make('td', { textContent })));
  });
  const heads = [t('scaling'), t('slow pairs that turn past what was seen'), t('fast pairs slowed by more than a tenth')];
  const head = make('tr', {}, ...heads.map((textContent) => make('th', { scope: 'col', textContent })));
  find('scalings', HTMLElement).replaceChildren(make('table', { className: 'plain' }, make('thead', {}, head), make('tbody', {}, ...rows)));
  find('table-about', HTMLElement).textContent =
    t('The first number is what a scaling has to bring down; the second is its price: pairs that had seen all angles, and tell neighbours apart, turn slower.') +
    ` ${t('LongRoPE takes the factors of {0}, with values between them where a head has another number of pairs.', factors.model)}`;
}

const atRest = whenAtRest();

/** Once the sliders rest: the table makes every scaling anew, which would hold up the pictures. */
function showTableSoon(library_: Posenc, setup: Setup): void {
  if (find('scalings', HTMLElement).childElementCount === 0) showTable(library_, setup);
  else atRest(() => showTable(library_, setup));
}

function draw(): void {
  const setup = readSetup(values);
  panel.update(fieldsOf(setup), values);
  if (!posenc) return;
  try {
    const { heads, scaling, gridTrained, gridTarget, resample, patch, ...lengths } = setup;
    const { trained, target } = lengths;
    const plain = keep('plain', [lengths], () => turnsOf(posenc!, setup, 'default'));
    const scaled = keep('scaled', [lengths, scaling], () => turnsOf(posenc!, setup, scaling));
    const [first, ...others] = keep('rope', [lengths, scaling], () => ropePictures(setup, plain, scaled));
    const alibi = keep('alibi', [trained, target, heads], () => alibiPicture(posenc!, setup));
    const learned = keep('learned', [trained, target], () => learnedPicture(posenc!, setup));
    const t5 = keep('t5', [trained, target], () => t5Picture(posenc!, setup));
    const table = keep('grid-table', [gridTrained], () => gridTable(setup));
    const grids = keep('grids', [gridTrained, gridTarget, resample], () => gridsOf(posenc!, setup, table));
    const { backdrop } = source;
    const choose = (chosen: number): void => change({ ...values, patch: chosen });
    const grid = keep('grid', [gridTrained, gridTarget, resample, patch, backdrop?.name], () => gridPictures(grids, setup, { backdrop, choose }));
    lead.show(first ? [first] : []);
    more.show([...others, alibi, t5, ...(learned ? [learned] : []), ...grid]);
    keep('table', [lengths], () => showTableSoon(posenc!, setup));
    status.textContent = '';
  } catch (error) {
    status.textContent = explain(error);
  }
}

startPage();
find('settings', HTMLElement).append(panel.element);
find('reset', HTMLButtonElement).addEventListener('click', () => change({}));
onHashChange(() => {
  values = readValues();
  redraw();
});
draw();
try {
  posenc = await library();
  draw();
} catch (error) {
  status.textContent = explain(error);
}
