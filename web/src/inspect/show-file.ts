// The tensors with positions of a safetensors file, one after another, with their pictures and their traps.
import type { Posenc } from 'posenc';
import type { ModelConfig } from 'posenc/config';
import type { Picture } from '../families/family.js';
import { PictureList } from '../figures/picture-list.js';
import { make } from '../lib/dom.js';
import { t } from '../lib/language.js';
import type { Floats } from 'posenc/formats';
import { bucketPictures, wavelengths, windowPicture } from './biases.js';
import { findPositions, type Found } from './header.js';
import { cellPicture, gridOf, rowPictures, tableOf } from './rows.js';
import { frequencyTraps, numberIn, rowTraps } from './traps.js';

const mostShown = 6;

interface Shown {
  pictures: Picture[];
  traps: string[];
  /** A picture that a slider runs through, from 0. */
  slider?: { label: string; count: number; first: number; picture: (index: number) => Picture | undefined };
}

function showRows(found: Found, floats: Floats, config: ModelConfig | undefined): Shown {
  const table = tableOf(floats);
  const grid = gridOf(found.name, table.rows);
  const traps = rowTraps(found, table.rows, config);
  const pictures = rowPictures(found.name, table);
  if (!grid) return { pictures, traps };
  const count = grid.side ** 2;
  const first = Math.floor(count / 2 + grid.side / 2);
  return { pictures, traps, slider: { label: t('cell'), count, first, picture: (cell) => cellPicture(found.name, table, grid, cell) } };
}

function showOne(posenc: Posenc, found: Found, floats: Floats, config: ModelConfig | undefined): Shown {
  if (found.kind === 'rows') return showRows(found, floats, config);
  if (found.kind === 'frequencies') {
    const waves = wavelengths(found.name, floats);
    return { pictures: [waves.picture], traps: frequencyTraps(waves, config) };
  }
  if (found.kind === 'buckets') {
    const setup = { bidirectional: !/decoder/.test(found.name), maxDistance: numberIn(config, 'relative_attention_max_distance') ?? 128 };
    return { pictures: bucketPictures(posenc, found.name, floats, setup), traps: [] };
  }
  const heads = floats.shape.at(-1) ?? 1;
  if (found.kind === 'window') {
    return { pictures: [], traps: [], slider: { label: t('head'), count: heads, first: 0, picture: (head) => windowPicture(found.name, floats, head) } };
  }
  return { pictures: [], traps: [] };
}

type Slider = NonNullable<Shown['slider']>;

/** A slider beside the title of the picture that it runs through. */
function sliderRow({ label, count, first }: Slider, show: (index: number) => void): HTMLElement {
  const input = make('input', { type: 'range', min: '0', max: String(count - 1), value: String(first) });
  input.addEventListener('input', () => show(input.valueAsNumber));
  return make('label', { className: 'slider-row' }, make('span', { className: 'soft small', textContent: label }), input);
}

/** The pictures of a tensor, the one with the slider last. */
function makePictures({ pictures, slider }: Shown): HTMLElement {
  const host = make('div', { className: 'pictures file-pictures' });
  const show = (index: number): void => {
    const next = slider?.picture(index);
    list.show(next ? [...pictures, next] : pictures);
  };
  const list = new PictureList(host, (picture) => (slider && !pictures.includes(picture) ? sliderRow(slider, show) : undefined), 'h4');
  show(slider?.first ?? 0);
  return host;
}

function makeSection({ name, dtype, shape }: Found, shown: Shown): HTMLElement {
  const { traps } = shown;
  const section = make(
    'section',
    { className: 'found' },
    make('h3', {}, make('code', { textContent: name })),
    make('p', { className: 'soft small', textContent: `${dtype} [${shape.join(', ')}]` }),
  );
  if (traps.length > 0) {
    section.append(make('ul', { className: 'warnings', attributes: { 'aria-label': t('Warnings') } }, ...traps.map((textContent) => make('li', { textContent }))));
  }
  section.append(makePictures(shown));
  return section;
}

/** Shows what the file holds; `config` is that of the same model, where there is one. */
export async function showFile(host: HTMLElement, posenc: Posenc, file: Blob, name: string, config: ModelConfig | undefined): Promise<void> {
  const { found, count } = await findPositions(file);
  const shown = found.slice(0, mostShown);
  const sections: HTMLElement[] = [];
  for (const one of shown) sections.push(makeSection(one, showOne(posenc, one, await one.read(), config)));
  const read = shown.reduce((sum, { start, end }) => sum + end - start, 0);
  const summary =
    found.length === 0
      ? t('None of its {0} tensors has a name that positions are known by. A rotary model keeps none: its frequencies follow from the config.', count)
      : t('{0} of its {1} tensors hold positions; {2} kB of {3} kB were read.', found.length, count, Math.ceil(read / 1000), Math.ceil(file.size / 1000));
  const rest = found.slice(mostShown).map((one) => one.name);
  host.replaceChildren(
    make('h2', { textContent: name }),
    make('p', { className: 'soft', textContent: summary }),
    ...sections,
    ...(rest.length > 0 ? [make('p', { className: 'small soft', textContent: t('Not shown: {0}', rest.join(', ')) })] : []),
  );
}
