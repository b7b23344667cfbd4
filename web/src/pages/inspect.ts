// The inspector: a config.json or a safetensors file comes in, and what it says about positions is shown.
import { PosencError } from 'posenc';
import { describeConfig, type ModelConfig } from 'posenc/config';
import { examples } from 'virtual:model-examples';
import { find, make } from '../lib/dom.js';
import { onHashChange, readHash, writeHash } from '../lib/hash.js';
import { t } from '../lib/language.js';
import { startPage } from '../lib/page.js';
import { showFile } from '../inspect/show-file.js';
import { explain, library } from '../model/library.js';
import { showDescription } from './inspect-result.js';

const text = find('config', HTMLTextAreaElement);
const status = find('status', HTMLElement);
const result = find('result', HTMLElement);

/** What is wrong with the text itself, in words that a visitor can act on. */
function parse(json: string): ModelConfig {
  try {
    return JSON.parse(json) as ModelConfig;
  } catch (error) {
    throw new PosencError('invalidType', 'config', error instanceof Error ? error.message : 'no JSON', 'JSON text');
  }
}

async function inspect(): Promise<void> {
  result.replaceChildren();
  status.textContent = '';
  const json = text.value;
  if (json.trim() === '') return;
  try {
    const description = describeConfig(parse(json));
    const posenc = await library();
    if (text.value === json) showDescription(result, description, posenc);
  } catch (error) {
    status.textContent = explain(error);
  }
}

/** Files made for this page, by what they are shaped after. */
const tensorExamples: readonly (readonly [file: string, text: string])[] = [
  ['text-table', t('a language model\u2019s table')],
  ['image-grid', t('an image model\u2019s grid')],
  ['buckets', t('T5\u2019s buckets')],
  ['window', t('a window\u2019s biases')],
  ['frequencies', t('scaled frequencies')],
];

const tensors = find('tensors', HTMLElement);

/** The config in the text, where there is one. */
function configNow(): ModelConfig | undefined {
  try {
    return text.value.trim() === '' ? undefined : parse(text.value);
  } catch {
    return undefined;
  }
}

async function inspectTensors(tensorFile: Blob, name: string): Promise<void> {
  status.textContent = t('Reading\u2026');
  try {
    await showFile(tensors, await library(), tensorFile, name, configNow());
    status.textContent = '';
  } catch (error) {
    tensors.replaceChildren();
    status.textContent = explain(error);
  }
}

function mark(list: string, name: string | undefined): void {
  for (const link of document.querySelectorAll<HTMLAnchorElement>(`#${list} a`)) {
    if (link.dataset['model'] === name) link.setAttribute('aria-current', 'true');
    else link.removeAttribute('aria-current');
  }
}

/** The examples that the address names: a file of tensors, a config, or the first config. */
async function showExample(): Promise<void> {
  const hash = readHash();
  const made = tensorExamples.find(([name]) => name === hash.get('file'));
  const name = hash.get('model') ?? (made ? undefined : examples[0]?.model);
  const example = examples.find(({ model }) => model === name);
  mark('examples', name);
  mark('tensor-examples', made?.[0]);
  text.value = example ? JSON.stringify(example.config, null, 2) : '';
  tensors.replaceChildren();
  await inspect();
  if (!made) return;
  const answer = await fetch(`examples/${made[0]}.safetensors`);
  await inspectTensors(await answer.blob(), t('{0}: made up for this page, shaped as a real one is', made[1]));
}

async function readFile(file: File | undefined): Promise<void> {
  if (!file) return;
  if (/\.safetensors$/i.test(file.name)) return inspectTensors(file, file.name);
  text.value = await file.text();
  edited();
}

function edited(): void {
  writeHash([]);
  mark('examples', undefined);
  void inspect();
}

function exampleLink(key: string, name: string, shown: string): HTMLElement {
  const link = make('a', { href: `#${key}=${encodeURIComponent(name)}`, textContent: shown });
  link.dataset['model'] = name;
  return make('li', {}, link);
}

startPage();
find('examples', HTMLElement).replaceChildren(...examples.map(({ model }) => exampleLink('model', model, model.replace(/^[^/ ]+\//, ''))));
find('tensor-examples', HTMLElement).replaceChildren(...tensorExamples.map(([name, shown]) => exampleLink('file', name, shown)));
const file = find('file', HTMLInputElement);
find('open', HTMLButtonElement).addEventListener('click', () => file.click());
file.addEventListener('change', () => void readFile(file.files?.[0]));
text.addEventListener('input', edited);
document.addEventListener('dragover', (event) => event.preventDefault());
document.addEventListener('drop', (event) => {
  event.preventDefault();
  void readFile(event.dataTransfer?.files[0]);
});
onHashChange(() => void showExample());
void showExample();
