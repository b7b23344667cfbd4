// What describeConfig found, tower by tower and group by group.
import type { Posenc } from 'posenc';
import type { AttentionChoice, ConfigDescription, EncodingChoice, LayerGroup, Tower } from 'posenc/config';
import { make, type Child } from '../lib/dom.js';
import { formatValue } from '../lib/format.js';
import { formatHash } from '../lib/hash.js';
import { said, saySaid, t } from '../lib/language.js';
import { entryOf } from '../model/create.js';
import { drawFrequencies } from './frequencies.js';

/** "layers 0–3, 5" */
function describeLayers({ layers }: LayerGroup): string {
  if (layers === 'all') return t('all layers');
  const runs: string[] = [];
  for (let i = 0; i < layers.length; ) {
    let end = i;
    while (layers[end + 1] === layers[end]! + 1) end++;
    runs.push(end > i ? `${layers[i]}\u2013${layers[end]}` : String(layers[i]));
    i = end + 1;
  }
  return t(layers.length === 1 ? 'layer {0}' : 'layers {0}', runs.join(', '));
}

/** { scaling: { type } } → [['scaling.type', ...]] */
function flatten(options: object, prefix = ''): [string, unknown][] {
  return Object.entries(options).flatMap(([name, value]): [string, unknown][] =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? flatten(value as object, `${prefix}${name}.`)
      : [[prefix + name, value]],
  );
}

function showValue(value: unknown): string {
  if (typeof value === 'number') return formatValue(value);
  if (!Array.isArray(value)) return String(value);
  const numbers = value.map((item) => formatValue(Number(item)));
  return numbers.length > 6 ? t('{0}, \u2026, {1} ({2} values)', numbers.slice(0, 3).join(', '), String(numbers.at(-1)), numbers.length) : numbers.join(', ');
}

function factList(facts: readonly (readonly [string, Child])[]): HTMLElement {
  const items = facts.map(([name, value]) => make('div', {}, make('dt', { textContent: name }), make('dd', {}, value)));
  return make('dl', { className: 'facts' }, ...items);
}

function attentionFacts({ heads, kvHeads, headDim, valueDim, causal, scale, softcap, window }: AttentionChoice): [string, string][] {
  const facts: [string, string][] = [
    [t('heads'), kvHeads === heads ? String(heads) : t(kvHeads === 1 ? '{0}, sharing {1} key/value head' : '{0}, sharing {1} key/value heads', heads, kvHeads)],
    [t('head width'), valueDim === headDim ? String(headDim) : t('{0}, values {1}', headDim, valueDim)],
    [t('keys ahead'), causal ? t('hidden (causal)') : t('seen')],
    [t('scale'), formatValue(scale)],
  ];
  if (softcap > 0) facts.push([t('softcap'), formatValue(softcap)]);
  if (window) {
    const side = (count: number | undefined): string => (count === undefined ? t('all') : String(count));
    facts.push([t('window'), causal ? t('{0} keys back', side(window.left)) : t('{0} back, {1} ahead', side(window.left), side(window.right))]);
  }
  return facts;
}

/** The encoding's name as a link to its page with these options, where it has one. */
function encodingTitle({ id, options }: EncodingChoice): HTMLElement {
  const entry = entryOf(id);
  if (!entry) return make('h4', { textContent: id });
  const state = flatten(options ?? {}).map(([name, value]): [string, string] => [name, String(value)]);
  return make('h4', {}, make('a', { href: `encoding.html${formatHash([['id', id], ...state])}`, textContent: t(entry.title) }));
}

function showEncoding(choice: EncodingChoice, tower: Tower, posenc: Posenc): HTMLElement {
  const { id, options, offset, scaled, about } = choice;
  const facts = flatten(options ?? {}).map(([name, value]) => [name, showValue(value)] as const);
  if (offset) facts.push([t('first position'), String(offset)]);
  for (const [tensor, factor] of Object.entries(scaled ?? {})) facts.push([tensor, t('times {0}', formatValue(factor))]);
  const box = make('section', { className: 'found' }, encodingTitle(choice), saySaid('p', about, 'soft'));
  if (!options) box.append(make('p', { className: 'small', textContent: t('posenc does not make "{0}" from a config yet.', id) }));
  if (options) drawFrequencies(box, id, options, tower, posenc);
  if (facts.length > 0) box.append(factList(facts));
  return box;
}

function showGroup(group: LayerGroup, tower: Tower, posenc: Posenc): HTMLElement {
  const layers = describeLayers(group);
  const title = make('h3', { textContent: `${layers}: ${said(group.kind.replaceAll('_', ' '))}` });
  const facts = attentionFacts(group.attention);
  if (group.layout) facts.push([t('pairs'), group.layout === 'half' ? t('channel m with m + d/2 (half)') : t('channel 2m with 2m + 1 (interleaved)')]);
  if (group.sinks) facts.push([t('sinks'), t('a learned one per head')]);
  return make('section', { className: 'group' }, title, factList(facts), ...group.encodings.map((choice) => showEncoding(choice, tower, posenc)));
}

function showTower(tower: Tower, posenc: Posenc): HTMLElement {
  const { name, modelType, layers, hiddenSize, maxPositions, input, groups, warnings } = tower;
  const size = [
    layers === undefined ? '' : t(layers === 1 ? '{0} layer' : '{0} layers', layers),
    hiddenSize === undefined ? '' : t('width {0}', hiddenSize),
    maxPositions === undefined ? '' : t('trained for {0} positions', maxPositions.toLocaleString('en')),
  ];
  const box = make(
    'section',
    { className: 'tower' },
    make('h2', { textContent: `${t(name[0]!.toUpperCase() + name.slice(1))}: ${modelType}` }),
    make('p', { className: 'soft', textContent: size.filter(Boolean).join(', ') }),
  );
  box.dataset['tower'] = name;
  if (warnings.length > 0) {
    const items = warnings.map((warning) => saySaid('li', warning));
    box.append(make('ul', { className: 'warnings', attributes: { 'aria-label': t('Warnings') } }, ...items));
  }
  if (input.length > 0) {
    const title = make('h3', { textContent: t('before the first layer') });
    box.append(make('section', { className: 'group' }, title, ...input.map((choice) => showEncoding(choice, tower, posenc))));
  }
  box.append(...groups.map((group) => showGroup(group, tower, posenc)));
  return box;
}

export function showDescription(host: HTMLElement, { towers }: ConfigDescription, posenc: Posenc): void {
  host.replaceChildren(...towers.map((tower) => showTower(tower, posenc)));
}
