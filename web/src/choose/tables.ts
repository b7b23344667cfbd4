// Two tables to read beside the questionnaire: strengths and limits of every encoding, and what well-known models took.
import { catalog, type CatalogEncoding } from 'posenc/catalog';
import { familyOf } from '../families/index.js';
import { make, type Child } from '../lib/dom.js';
import { formatHash } from '../lib/hash.js';
import { say, t } from '../lib/language.js';
import { entryOf } from '../model/create.js';

const linkTo = (id: string): HTMLElement => make('a', { href: `encoding.html${formatHash([['id', id]])}`, textContent: t(entryOf(id)?.title ?? id) });

function table(caption: string, heads: readonly string[], groups: readonly (readonly [title: string, rows: readonly (readonly Child[])[]])[]): HTMLElement {
  const bodies = groups.map(([title, rows]) =>
    make(
      'tbody',
      {},
      make('tr', { className: 'group-row' }, make('th', { colSpan: heads.length, scope: 'rowgroup', textContent: title })),
      ...rows.map(([name = '', ...cells]) => make('tr', {}, make('th', { scope: 'row' }, name), ...cells.map((cell) => make('td', {}, cell)))),
    ),
  );
  const head = make('tr', {}, ...heads.map((textContent) => make('th', { scope: 'col', textContent })));
  const name = make('caption', { className: 'visually-hidden', textContent: caption });
  return make('table', { className: 'plain wordy' }, name, make('thead', {}, head), ...bodies);
}

const row = ({ id, good, bad, extrapolates, models }: CatalogEncoding): Child[] => [
  linkTo(id), say('span', good), say('span', bad), say('span', extrapolates), models.map((model) => t(model)).join(', '),
];

export function encodingTable(): HTMLElement {
  const families = [...new Set(catalog.encodings.map(({ family }) => family))];
  return table(
    t('Strengths and limits'),
    [t('Encoding'), t('Good at'), t('Bad at'), t('Beyond the trained length'), t('Used by')],
    families.map((name) => [familyOf(name).title, catalog.encodings.filter(({ family }) => family === name).map(row)]),
  );
}

type Model = readonly [models: string, ids: readonly string[], why: string];

/** In each group from the first to the latest. */
const models: readonly (readonly [group: string, rows: readonly Model[]])[] = [
  [t('Language'), [
    ['Transformer (2017)', ['sinusoidal'], t('sentences of any length, nothing to train')],
    ['BERT, RoBERTa, GPT-2, GPT-3', ['learned'], t('inputs never longer than in training')],
    ['Transformer-XL, XLNet', ['transformerXL'], t('text read in segments, with a memory of the last ones')],
    ['T5', ['t5'], t('one number per distance and head is enough')],
    ['Reformer', ['axial'], t('very long inputs, few parameters')],
    ['DeBERTa', ['deberta'], t('content and distance kept apart')],
    ['BLOOM, MPT', ['alibi'], t('trained short, run longer')],
    ['GPT-NeoX, LLaMA, Mistral, Qwen, gpt-oss', ['rope'], t('relative, no parameters, works with a cache; longer by a scaling')],
    ['SmolLM3, Llama 4', ['rope', 'nope'], t('some layers without positions, for longer contexts')],
  ]],
  [t('Vision'), [
    ['ViT, DeiT, DINOv2', ['gridLearned'], t('a row per patch, resampled for other sizes')],
    ['DETR', ['grid'], t('boxes need to know where they are')],
    ['CPVT, CvT', ['conv'], t('images of any size, positions from their edges')],
    ['Swin, Swin v2', ['swin', 'swinV2'], t('a small window, the same bias everywhere')],
    ['BEiT', ['beit'], t('a bias over the whole image')],
    ['MViTv2, SAM', ['decomposed'], t('rows and columns apart, for large grids')],
    ['TimeSformer', ['gridLearned'], t('space and time have tables of their own')],
    ['EVA-02, DINOv3, SAM 2', ['ropeNd'], t('rotation along both axes, other sizes without resampling')],
    ['NeRF', ['fourier'], t('fine detail from real coordinates')],
  ]],
  [t('Several kinds of input'), [
    ['CLIP', ['learned', 'gridLearned'], t('text and image keep their own')],
    ['ViLT, VisualBERT', ['segment'], t('a vector says which kind a token is')],
    ['Qwen2-VL', ['mrope'], t('time, height and width share one rotation')],
    ['LayoutLMv3', ['box', 'layoutBias'], t('words have a place on the page')],
    ['Whisper', ['sinusoidal', 'learned'], t('audio of one length, text of at most one')],
    ['Conformer', ['transformerXL'], t('speech: distance counts, not the start')],
    ['wav2vec 2.0', ['conv'], t('sound has no natural first place')],
    ['Graphormer', ['relation'], t('steps along edges in place of positions')],
    ['ESM-2', ['rope'], t('proteins: distance along the chain')],
  ]],
];

const links = (ids: readonly string[]): HTMLElement =>
  make('span', {}, ...ids.flatMap((id, i): Child[] => (i === 0 ? [linkTo(id)] : [', ', linkTo(id)])));

export function modelTable(): HTMLElement {
  const groups = models.map(([group, rows]) => [group, rows.map(([names, ids, why]): Child[] => [names, links(ids), why])] as const);
  return table(t('What models use'), [t('Model'), t('Encoding'), t('Why')], groups);
}
