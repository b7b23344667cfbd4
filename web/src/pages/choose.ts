// A questionnaire, and what `recommend` makes of the answers.
import { PosencError, type Posenc } from 'posenc';
import type { CatalogEncoding, CatalogField } from 'posenc/catalog';
import { recommend, tasks, type Needs, type Reason, type Recommendation } from 'posenc/recommend';
import { encodingTable, modelTable } from '../choose/tables.js';
import { makeControlPanel } from '../controls/control-panel.js';
import { startCopyButton } from '../controls/copy-button.js';
import { drawExamples } from '../families/example.js';
import { find, make, oncePerFrame } from '../lib/dom.js';
import { formatHash, onHashChange, readHash, writeHash } from '../lib/hash.js';
import { say, t } from '../lib/language.js';
import { startPage } from '../lib/page.js';
import { explain, library } from '../model/library.js';
import { writeOptions } from '../model/code.js';
import { entryOf } from '../model/create.js';
import { parseValue, printValue, type FieldValue, type Values } from '../model/fields.js';
import { flattenOptions, toOptions, type Options } from '../model/options.js';

const length = { type: 'integer', required: false, minimum: 1, maximum: 16777216, shown: { low: 16, high: 1048576, log: true } } as const;

/** The questions, described as options are. What is left at "by the task" is not passed on. */
const questions: readonly CatalogField[] = [
  { name: 'task', type: 'choice', required: true, default: 'language-model', choices: tasks, doc: 'what the model is for' },
  { ...length, name: 'trainedLength', default: 512, doc: 'tokens in a sequence during training (along one side)' },
  { ...length, name: 'longestLength', default: null, defaultDoc: 'as trained', doc: 'the longest that it has to run at' },
  { name: 'causal', type: 'choice', required: false, default: 'by the task', choices: ['by the task', 'yes', 'no'], doc: 'does a token see only those before it?' },
  { name: 'absolute', type: 'choice', required: false, default: 'by the task', choices: ['by the task', 'yes', 'no'], doc: 'does it matter where a thing is, not only what is around it?' },
  { name: 'variableSize', type: 'boolean', required: false, default: false, doc: 'images or grids come in other sizes than in training' },
  { name: 'parameters', type: 'choice', required: false, default: 'any', choices: ['any', 'few', 'none'], doc: 'trained parameters that positions may take' },
];

const bySentence: Readonly<Record<string, boolean>> = { yes: true, no: false };
let answers: Values = readAnswers();
const redraw = oncePerFrame(draw);
const panel = makeControlPanel('need', (name, value) => {
  const { [name]: _, ...others } = answers;
  change(value === undefined ? others : { ...others, [name]: value });
});

function readAnswers(): Values {
  const hash = readHash();
  const found: Record<string, FieldValue> = { task: 'language-model' };
  for (const field of questions) {
    const text = hash.get(field.name);
    const value = text === undefined ? undefined : parseValue(field, text);
    if (value !== undefined) found[field.name] = value;
  }
  return found;
}

function change(next: Values): void {
  answers = next;
  writeHash(Object.entries(answers).map(([name, value]): [string, string] => [name, printValue(value)]));
  redraw();
}

/** The answers as `recommend` takes them. */
function needsOf(): Needs & Options {
  const given = toOptions(questions, answers);
  const needs = Object.entries(given).map(([name, value]) => [name, typeof value === 'string' && value in bySentence ? bySentence[value]! : value]);
  return Object.fromEntries(needs) as Needs & Options;
}

function showReason({ text, source }: Reason): HTMLElement {
  const item = say('li', text);
  if (source) item.append(' ', make('a', { className: 'small', href: source.url, textContent: source.text, lang: 'en' }));
  return item;
}

/** Small pictures, each drawn once. */
const pictures = new Map<CatalogEncoding, HTMLElement>();
let posenc: Posenc | undefined;

/** The place of an encoding's picture, filled when the library is there. */
function pictureOf(entry: CatalogEncoding): HTMLElement {
  const found = pictures.get(entry);
  if (found) return found;
  const place = make('div', { className: 'card-picture' });
  pictures.set(entry, place);
  if (posenc) void drawExamples(posenc, [[entry, place]]);
  return place;
}

function showOne({ id, options, reasons, cautions }: Recommendation): HTMLElement {
  const entry = entryOf(id);
  const given = Object.keys(options).length > 0 ? (options as Options) : undefined;
  const address = formatHash([['id', id], ...flattenOptions(given ?? {})]);
  const box = make(
    'li',
    {},
    make('h2', {}, make('a', { href: `encoding.html${address}`, textContent: entry ? t(entry.title) : id })),
    ...(entry ? [pictureOf(entry)] : []),
    say('p', entry?.summary ?? ''),
    make('ul', { className: 'reasons', attributes: { 'aria-label': t('For it') } }, ...reasons.map(showReason)),
  );
  if (cautions.length > 0) box.append(make('ul', { className: 'cautions', attributes: { 'aria-label': t('Mind') } }, ...cautions.map(showReason)));
  if (given) box.append(make('p', { className: 'small' }, `${t('To begin with:')} `, make('code', { textContent: writeOptions(given) })));
  if (entry) box.append(make('p', { className: 'small soft' }, make('a', { href: entry.url, textContent: entry.paper, lang: 'en' })));
  box.dataset['id'] = id;
  return box;
}

function draw(): void {
  panel.update(questions, answers);
  const needs = needsOf();
  const result = find('result', HTMLElement);
  find('code', HTMLElement).textContent = [
    "import { recommend } from 'posenc/recommend';",
    '',
    `const [best, ...others] = recommend(${writeOptions(needs)});`,
    'console.log(best.id, best.reasons);',
  ].join('\n');
  try {
    const found = recommend(needs);
    result.replaceChildren(...found.map(showOne));
    find('status', HTMLElement).textContent = '';
    panel.mark();
  } catch (error) {
    if (!(error instanceof PosencError)) throw error;
    find('status', HTMLElement).textContent = explain(error);
    panel.mark(error.parameter, explain(error));
  }
}

startPage();
find('questions', HTMLElement).append(panel.element);
find('models', HTMLElement).append(modelTable());
find('strengths', HTMLElement).append(encodingTable());
startCopyButton(find('copy', HTMLButtonElement), () => find('code', HTMLElement).textContent);
find('reset', HTMLButtonElement).addEventListener('click', () => change({ task: 'language-model' }));
onHashChange(() => {
  answers = readAnswers();
  redraw();
});
draw();
try {
  posenc = await library();
  await drawExamples(posenc, [...pictures]);
} catch (error) {
  // The list stands without pictures.
  if (!(error instanceof PosencError)) throw error;
}
