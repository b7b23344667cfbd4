// Encodings that give every position a row, added to or laid beside the token's vector.
import type { AddOptions, InputEncoding } from 'posenc';
import type { CatalogField } from 'posenc/catalog';
import type { HeatMapData } from '../figures/heat-map.js';
import { t } from '../lib/language.js';
import { scoresOf, weightsOf } from './attend.js';
import type { Family, Picture, Scene } from './family.js';
import { graphData, graphOf, graphPicture } from './graph.js';
import { groundAxis, groundCode, groundOf, groundSettings, middleOf, type Ground, type TryAt } from './ground.js';
import { columnOf, mapData, similarityMap } from './maps.js';
import { headOf, patternPicture } from './pattern.js';
import { causalSetting, indexOf, indexSetting, tokensSetting, type TokenKind } from './settings.js';
import { meanByDistance, similarityPicture } from './similarity.js';
import { makeTokens, tokensCode } from './tokens.js';

const thumbnailLength = 64;
const gridColumns = 'Every column of the picture is the vector of one cell, row by row, channel 0 at the bottom.';
const lineColumns = 'Every column of the picture is the vector of one position, channel 0 at the bottom.';

/** Some make their rows from the tokens themselves. */
type Rows = InputEncoding & { readonly readsX?: boolean };

const tryAt = (encoding: Rows): TryAt => (positions) => void (encoding.readsX ? undefined : encoding.encode(positions));

/** Where tokens stand, as calls of `add` take it. */
function callOf({ readsX }: Rows, { extents, positions }: Ground): AddOptions {
  if (readsX) return extents.length > 1 ? { grid: extents } : {};
  return positions ? { positions } : {};
}

/** The rows; those that are made from the tokens, from tokens of ones. */
function rowsOf(pe: Rows, ground: Ground): Float32Array {
  if (!pe.readsX) return pe.encode(ground.positions ?? ground.count).data;
  const ones = { data: makeTokens('alike', ground.count * pe.width, 1), shape: [ground.count, pe.width] };
  return pe.add(ones, callOf(pe, ground)).data.map((value) => value - 1);
}

function rowsData(pe: Rows, ground: Ground): HeatMapData {
  return {
    values: rowsOf(pe, ground),
    shape: [ground.count, pe.width],
    rows: groundAxis(ground),
    columns: { label: t('channel') },
    rowsAlong: 'x',
    scale: 'signed',
    about: t('Rows of the encoding'),
  };
}

function settingsOf({ encoding, view }: Omit<Scene, 'keep'>, length?: number) {
  const pe = encoding as Rows;
  const ground = groundOf(pe, view, tryAt(pe), length);
  return {
    pe,
    ground,
    isGrid: ground.extents.length > 1,
    graph: graphOf(pe),
    channel: indexOf(view, 'channel', pe.width, 0),
    cell: indexOf(view, 'cell', ground.count, middleOf(ground)),
    tokens: (view['tokens'] ?? 'alike') as TokenKind,
    causal: view['causal'] === true,
  };
}

function settings(scene: Omit<Scene, 'keep'>): CatalogField[] {
  const { pe, ground, isGrid, graph } = settingsOf(scene);
  const ofGraph = indexSetting('channel', 'the channel drawn over the graph', pe.width, 0);
  const ofGrid = [
    indexSetting('channel', 'the channel drawn over the grid', pe.width, 0),
    indexSetting('cell', 'the cell that others are compared with', ground.count, middleOf(ground)),
  ];
  return [...groundSettings(pe, tryAt(pe)), ...(isGrid ? ofGrid : graph ? [ofGraph] : []), tokensSetting('alike'), causalSetting(false)];
}

/** Products of every two rows, [count, count]. */
function products({ posenc, encoding }: Scene, rows: Float32Array, { count }: Ground): Float32Array {
  const { width } = encoding as InputEncoding;
  const scores = scoresOf(posenc, { heads: 1, headDim: width, scale: 1 }, { data: rows, shape: [1, count, width] }, {});
  return headOf(scores, 0, count);
}

/** What equal tokens are: nothing, so that the rows stand alone, or ones where rows are made from them. */
const fillOf = ({ readsX }: Rows): number => (readsX ? 1 : 0);

/** Weights of a head whose queries and keys are tokens with the rows added. */
function pattern(scene: Scene): Picture {
  const { pe, ground, tokens, causal } = settingsOf(scene);
  const { count } = ground;
  const x = { data: makeTokens(tokens, count * pe.width, fillOf(pe)), shape: [1, count, pe.width] };
  const placed = pe.add(x, callOf(pe, ground));
  const weights = weightsOf(scene.posenc, { heads: 1, headDim: pe.width, causal }, placed, {});
  const caption =
    tokens === 'alike'
      ? t(pe.readsX ? 'Weights of a head whose queries and keys are tokens of ones plus the rows.' : 'Weights of a head whose queries and keys are the rows alone.')
      : t('Weights of a head whose queries and keys are random tokens plus the rows.');
  return patternPicture(ground, headOf(weights, 0, count), caption);
}

function channelPicture(ground: Ground, rows: Float32Array, width: number, channel: number): Picture {
  return {
    key: 'channel',
    title: t('Channel {0} over the grid', channel),
    caption: t('One number of every cell\u2019s vector. Play goes through all channels.'),
    size: 'wide',
    plays: 'channel',
    figure: 'heat-map',
    data: mapData(ground, columnOf(rows, channel, width), t('Channel {0} over the grid', channel)),
  };
}

function rowsPicture(data: HeatMapData, isGrid: boolean, { axes, readsX }: Rows, isFirst: boolean): Picture {
  const diagonal = isGrid || axes === 1 ? '' : ` ${t('All {0} coordinates of position i are i.', axes)}`;
  const source = readsX ? ` ${t('Rows are made from the tokens: here all are ones, and what differs comes from the edges.')}` : '';
  return {
    key: 'rows',
    title: isGrid ? t('All channels') : t('The encoding itself'),
    caption: `${t(isGrid ? gridColumns : lineColumns)}${diagonal}${source}`,
    size: isFirst ? 'wide' : 'half',
    figure: 'heat-map',
    data,
  };
}

function similarity(scene: Scene, rows: Float32Array): Picture {
  const { ground, isGrid, cell } = settingsOf(scene);
  const scores = scene.keep('products', [ground.extents], () => products(scene, rows, ground));
  if (isGrid) return similarityMap(ground, scores, cell, t('Product of one cell\u2019s vector with that of every other.'));
  return similarityPicture(
    meanByDistance(scores, ground.count),
    'PE(p)\u00b7PE(p + k)',
    t('Product of two rows by the distance k between them: the mean over all p, and the range where it depends on p.'),
  );
}

export const input: Family = {
  title: t('Input'),
  text: t('A vector for every position, added to the token before the first layer.'),
  settings,
  thumbnail(scene) {
    const { pe, ground, graph, channel } = settingsOf(scene, thumbnailLength);
    if (graph) return { figure: 'graph-drawing', data: graphData(graph, pe.encode(graph.nodes).data, pe.width, channel) };
    return { figure: 'heat-map', data: rowsData(pe, ground) };
  },
  pictures(scene) {
    const { pe, ground, isGrid, graph, channel, cell, tokens, causal } = settingsOf(scene);
    const { keep } = scene;
    const { extents } = ground;
    const rows = keep('rows', [extents], () => rowsData(pe, ground));
    const drawn = graph ? [keep('graph', [channel], () => graphPicture(graph, pe.encode(graph.nodes).data, pe.width, channel))] : [];
    const first = isGrid ? [keep('channel', [extents, channel], () => channelPicture(ground, rows.values, pe.width, channel))] : [];
    return [
      ...first,
      ...drawn,
      rowsPicture(rows, isGrid, pe, !isGrid && !graph),
      keep('similarity', [extents, cell], () => similarity(scene, rows.values)),
      keep('pattern', [extents, tokens, causal], () => pattern(scene)),
    ];
  },
  code(scene) {
    const { pe, ground, tokens, causal } = settingsOf(scene);
    const { count, extents, place } = ground;
    const shape = [1, count, pe.width];
    const grid = extents.length > 1 ? `, { grid: [${extents.join(', ')}] }` : '';
    const call = pe.readsX ? grid : place === undefined ? '' : ', { positions }';
    const rows = pe.readsX
      ? [
          `const ones = { data: new Float32Array(${count * pe.width}).fill(1), shape: [${count}, ${pe.width}] };`,
          `const rows = { data: encoding.add(ones${call}).data.map((value) => value - 1) };`,
        ]
      : [...groundCode(ground), `const rows = encoding.encode(${place === undefined ? count : 'positions'});`];
    return [
      ...rows,
      '',
      `const products = posenc.attention({ heads: 1, headDim: ${pe.width}, scale: 1 });`,
      `const x = { data: rows.data, shape: [${shape.join(', ')}] };`,
      `const similarity = products.scores(x, x, 'raw');`,
      '',
      ...tokensCode(tokens, shape, fillOf(pe)),
      `const head = posenc.attention({ heads: 1, headDim: ${pe.width}${causal ? ', causal: true' : ''} });`,
      `const placed = encoding.add(tokens${call});`,
      'const pattern = head.weights(placed, placed);',
    ];
  },
};
