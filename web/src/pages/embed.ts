// One picture of the encoding page, for an <iframe> elsewhere: "#id=rope&headDim=64&figure=circles".
import { familyOf } from '../families/index.js';
import { PictureList } from '../figures/picture-list.js';
import { makePlayer } from '../controls/player.js';
import { find, oncePerFrame } from '../lib/dom.js';
import { formatHash, onHashChange, readHash } from '../lib/hash.js';
import { t, translateHtml } from '../lib/language.js';
import { createEncoding } from '../model/create.js';
import { toOptions } from '../model/options.js';
import { explain, library } from '../model/library.js';
import { fillZeros } from '../model/stand-ins.js';
import { printState, readState, readView } from '../model/state.js';

translateHtml();
const posenc = await library();
let state = readState(readHash());
let stepped: Readonly<Record<string, string>> = {};
const pictures = new PictureList(find('picture', HTMLElement), ({ plays }) => (plays ? makePlayer(() => step(plays)) : undefined));
const redraw = oncePerFrame(draw);
let highest = (_name: string): number => 0;

/** Moves what plays on by one; the address stays that of the picture as it was put in. */
function step(name: string): void {
  const value = Number(stepped[name] ?? state.view[name] ?? 0);
  stepped = { ...stepped, [name]: String(value >= highest(name) ? 0 : value + 1) };
  redraw();
}

function draw(): void {
  const { entry, options } = state;
  const asked = readHash().get('figure');
  const source = find('source', HTMLAnchorElement);
  source.href = `encoding.html${formatHash(printState(state))}`;
  source.textContent = t('{0}: more pictures, formula and code', t(entry.title));
  find('title', HTMLElement).textContent = t(entry.title);
  try {
    const encoding = createEncoding(posenc, entry.id, toOptions(entry.fields, options));
    try {
      fillZeros(encoding);
      const family = familyOf(entry.family);
      const given = { ...state.view, ...stepped };
      const settings = family.settings({ posenc, encoding, view: readView(family.settings({ posenc, encoding, view: {} }), given) });
      highest = (name) => settings.find((field) => field.name === name)?.shown?.high ?? 0;
      const all = family.pictures({ posenc, encoding, view: readView(settings, given), keep: (_name, _dependsOn, compute) => compute() });
      pictures.show(all.filter(({ key }, i) => (asked === undefined ? i === 0 : key === asked)));
    } finally {
      encoding.dispose();
    }
    find('status', HTMLElement).textContent = pictures.isEmpty ? t('This encoding has no such picture.') : '';
  } catch (error) {
    find('status', HTMLElement).textContent = explain(error);
  }
}

onHashChange(() => {
  [state, stepped] = [readState(readHash()), {}];
  redraw();
});
draw();
