// The inspector: a config.json comes in, and what it says about positions is shown.
import { PosencError } from 'posenc';
import { describeConfig, type ModelConfig } from 'posenc/config';
import { examples } from 'virtual:model-examples';
import { find, make } from '../lib/dom.js';
import { onHashChange, readHash, writeHash } from '../lib/hash.js';
import { startPage } from '../lib/page.js';
import { library } from '../model/library.js';
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
    if (!(error instanceof PosencError)) throw error;
    status.textContent = error.message;
  }
}

/** The example that the address names, or the first. */
function showExample(): void {
  const name = readHash().get('model') ?? examples[0]?.model;
  const example = examples.find(({ model }) => model === name);
  for (const link of document.querySelectorAll<HTMLAnchorElement>('#examples a')) {
    if (link.dataset['model'] === name) link.setAttribute('aria-current', 'true');
    else link.removeAttribute('aria-current');
  }
  if (!example) return;
  text.value = JSON.stringify(example.config, null, 2);
  void inspect();
}

async function readFile(file: File | undefined): Promise<void> {
  if (!file) return;
  text.value = await file.text();
  edited();
}

function edited(): void {
  writeHash([]);
  void inspect();
}

startPage();
find('examples', HTMLElement).replaceChildren(
  ...examples.map(({ model }) => {
    const link = make('a', { href: `#model=${encodeURIComponent(model)}`, textContent: model.replace(/^[^/ ]+\//, '') });
    link.dataset['model'] = model;
    return make('li', {}, link);
  }),
);
const file = find('file', HTMLInputElement);
find('open', HTMLButtonElement).addEventListener('click', () => file.click());
file.addEventListener('change', () => void readFile(file.files?.[0]));
text.addEventListener('input', edited);
text.addEventListener('dragover', (event) => event.preventDefault());
text.addEventListener('drop', (event) => {
  const dropped = event.dataTransfer?.files[0];
  if (!dropped) return;
  event.preventDefault();
  void readFile(dropped);
});
onHashChange(showExample);
showExample();
