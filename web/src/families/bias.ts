// Encodings that add a number to every score, from the head and the two positions, or from how two tokens are related.
import type { AttentionConfig, BiasEncoding } from 'posenc';
import type { CatalogField } from 'posenc/catalog';
import type { GraphDrawingData } from '../figures/graph-drawing.js';
import type { HeatMapData } from '../figures/heat-map.js';
import type { LinePlotData } from '../figures/line-plot.js';
import { t } from '../lib/language.js';
import { callCode, callOf, weightsOf } from './attend.js';
import type { Drawing, Family, Picture, Scene } from './family.js';
import { coordinatesOf, groundCode, groundOf, groundSettings, isEndless, middleOf, withOrigin, type Ground, type TryAt } from './ground.js';
import { mapData } from './maps.js';
import { headOf, matrixData, patternPicture } from './pattern.js';
import { exampleRelations, relationsCode, relationsData, relationsPicture } from './relations.js';
import { causalSetting, indexOf, indexSetting, tokensSetting, type TokenKind } from './settings.js';
import { tableCode, tablePictures } from './table.js';
import { makeTokens, tokensCode } from './tokens.js';

/** Width of a head; a gate that reads queries has its own. */
const headDimOf = ({ options }: BiasEncoding): number => (options as { headDim?: number }).headDim ?? 16;
/** Whether a gate reads the layer's input: tokens stand for it. */
const readsInput = ({ options }: BiasEncoding): boolean => (options as { gate?: string }).gate === 'input';
const thumbnailLength = 33;
const treeLength = 15;
/** With nodes above, below and beside it. */
const firstNode = 4;

/** How many relations it tells apart; 0 where it reads positions. */
const kindsOf = (bias: BiasEncoding & { relations?: number }): number => bias.relations ?? 0;

const tryAt =
  (bias: BiasEncoding): TryAt =>
  (positions) =>
    void (kindsOf(bias) > 0 ? undefined : bias.bias(2, 2, callOf({ positions: withOrigin(positions) })));

/** Bias of every head over the distance key - query, from one query with keys on both sides (or behind it only). */
function linesData(bias: BiasEncoding, length: number, causal: boolean): LinePlotData {
  const distances = causal ? length : 2 * length - 1;
  return {
    values: bias.bias(1, distances, { qOffset: length - 1 }).data,
    shape: [bias.heads, distances],
    names: Array.from({ length: bias.heads }, (_, head) => t('head {0}', head)),
    x: { label: t('key \u2212 query'), start: 1 - length },
    y: { label: t('bias') },
    about: t('Bias by distance, one line per head'),
  };
}

/** Extents of the window whose tokens a bias numbers, where it has one. */
function windowOf({ options }: BiasEncoding, { count }: Ground): number[] | undefined {
  const { window } = options as { window?: { height?: number; width?: number } };
  const extents = [window?.height ?? 0, window?.width ?? 0];
  return extents[0]! > 1 && extents[0]! * extents[1]! <= count ? extents : undefined;
}

/** What a query is compared with: a line of distances, the cells of a grid, tokens with relations, or of any kind. */
type Sight = 'distance' | 'grid' | 'relations' | 'points';

function settingsOf({ encoding, view }: Omit<Scene, 'keep'>, length?: number) {
  const bias = encoding as BiasEncoding;
  const kinds = kindsOf(bias);
  const ground = groundOf(bias, view, tryAt(bias), kinds > 0 ? treeLength : length);
  const seen = windowOf(bias, ground);
  const several: Sight = ground.extents.length > 1 || seen ? 'grid' : 'points';
  const alone: Sight = bias.axes === 1 && kinds === 0 && isEndless(tryAt(bias)) ? 'distance' : several;
  const sight: Sight = kinds > 0 ? 'relations' : alone;
  // Tokens before those of a window, such as a class token, have no cell.
  const cells = seen ? { count: seen[0]! * seen[1]!, extents: seen } : ground;
  return {
    cells,
    before: ground.count - cells.count,
    bias,
    kinds,
    ground,
    sight,
    head: indexOf(view, 'head', bias.heads, 0),
    cell: indexOf(view, 'cell', cells.count, middleOf(cells)),
    node: indexOf(view, 'node', ground.count, Math.min(firstNode, ground.count - 1)),
    tokens: (view['tokens'] ?? 'alike') as TokenKind,
    causal: view['causal'] === undefined ? sight === 'distance' : view['causal'] === true,
  };
}

function settings(scene: Omit<Scene, 'keep'>): CatalogField[] {
  const { bias, cells, ground, sight } = settingsOf(scene);
  const node = indexSetting('node', 'the node that looks at the others', ground.count, Math.min(firstNode, ground.count - 1));
  const cell = indexSetting('cell', 'the cell that looks at the others', cells.count, middleOf(cells));
  const place = groundSettings(bias, tryAt(bias), 128);
  return [
    ...(sight === 'relations' ? place.map((field) => ({ ...field, default: Math.min(treeLength, Number(field.default)) })) : place),
    indexSetting('head', 'the head whose matrix and pattern are shown', bias.heads, 0),
    ...(sight === 'grid' ? [cell] : sight === 'relations' ? [node] : []),
    tokensSetting('alike'),
    causalSetting(sight === 'distance'),
  ];
}

function relationsOf({ kinds, ground }: ReturnType<typeof settingsOf>): Int32Array | undefined {
  return kinds > 0 ? exampleRelations(ground.count, kinds) : undefined;
}

/** The bias of every query and key, [heads, count, count]. */
function matricesOf(setup: ReturnType<typeof settingsOf>): Float32Array {
  const { bias, ground } = setup;
  return bias.bias(ground.count, ground.count, callOf(ground, relationsOf(setup))).data;
}

/** One head's matrix; hidden keys are left out. */
function shownMatrix(ground: Ground, matrices: Float32Array, head: number, causal: boolean): HeatMapData {
  const { count } = ground;
  const matrix = headOf(matrices, head, count).slice();
  for (let query = 0; causal && query < count; query++) matrix.fill(NaN, query * count + query + 1, (query + 1) * count);
  return { ...matrixData(ground, matrix, 'signed', t('Bias of head {0}', head)), level: true };
}

function matrixPicture(data: HeatMapData, head: number, causal: boolean, sight: Sight): Picture {
  return {
    key: 'matrix',
    title: t('Matrix of head {0}', head),
    caption: `${t('Added to the scores before the softmax.')}${causal ? ` ${t('Keys after the query are hidden.')}` : ''}`,
    size: sight === 'points' ? 'wide' : 'square',
    figure: 'heat-map',
    data,
  };
}

/** The bias of one head from one cell to every other. */
function viewData({ ground, cells, before, cell }: ReturnType<typeof settingsOf>, matrices: Float32Array, head: number): HeatMapData {
  const { count } = ground;
  const row = (before + cell) * count;
  const data = mapData(cells, headOf(matrices, head, count).slice(row + before, row + count), t('Bias of head {0}', head));
  const width = data.shape[1];
  return { ...data, level: true, marked: [Math.floor(cell / width), cell % width] };
}

function viewPicture(setup: ReturnType<typeof settingsOf>, matrices: Float32Array): Picture {
  const { cells, cell, head } = setup;
  return {
    key: 'view',
    title: t('What cell {0} adds to its scores', coordinatesOf(cell, cells.extents).join(', ')),
    caption: t('The bias of head {0} from this cell to every other. Play moves the cell.', head),
    size: 'wide',
    plays: 'cell',
    figure: 'heat-map',
    data: viewData(setup, matrices, head),
  };
}

/** The bias of one head from one node to every other. */
function nodeData({ kinds, ground, node }: ReturnType<typeof settingsOf>, matrices: Float32Array, head: number): GraphDrawingData {
  return relationsData(shownMatrix(ground, matrices, head, false), exampleRelations(ground.count, kinds), node, t('Bias of head {0}', head));
}

/** Weights of every head, [heads, count, count]. */
function weights(scene: Scene): Float32Array {
  const setup = settingsOf(scene);
  const { bias, ground, tokens, causal } = setup;
  const { heads } = bias;
  const headDim = headDimOf(bias);
  const attention: AttentionConfig = { heads, headDim, causal, encodings: [bias] };
  const x = { data: makeTokens(tokens, heads * ground.count * headDim, 1), shape: [heads, ground.count, headDim] };
  return weightsOf(scene.posenc, attention, x, { ...callOf(ground, relationsOf(setup)), ...(readsInput(bias) ? { gateInput: x } : {}) });
}

function lead(scene: Scene): Picture[] {
  const setup = settingsOf(scene);
  const { bias, ground, sight, head, cell, node, causal } = setup;
  const { keep } = scene;
  if (sight === 'relations') {
    const matrices = keep('matrices', [ground.extents], () => matricesOf(setup));
    return [keep('relations', [ground.extents, head, node], () => relationsPicture(nodeData(setup, matrices, head), head))];
  }
  if (sight === 'grid') {
    const matrices = keep('matrices', [ground.extents], () => matricesOf(setup));
    return [keep('view', [ground.extents, head, cell], () => viewPicture(setup, matrices))];
  }
  if (sight !== 'distance') return [];
  return [
    {
      key: 'lines',
      title: t('Bias by distance'),
      caption: t('What is added to the score, by how far the key is from the query; one line per head.'),
      size: 'wide',
      figure: 'line-plot',
      data: keep('lines', [ground.count, causal], () => linesData(bias, ground.count, causal)),
    },
  ];
}

export const bias: Family = {
  title: t('Bias'),
  text: t('A number is added to the score of a query and a key, from where they stand.'),
  settings,
  thumbnail(scene): Drawing {
    const setup = settingsOf(scene, thumbnailLength);
    const { bias: encoding, ground, sight } = setup;
    if (sight === 'distance') return { figure: 'line-plot', data: linesData(encoding, ground.count, false) };
    const matrices = matricesOf(setup);
    if (sight === 'grid') return { figure: 'heat-map', data: viewData(setup, matrices, 0) };
    if (sight === 'relations') return { figure: 'graph-drawing', data: nodeData(setup, matrices, 0) };
    return { figure: 'heat-map', data: shownMatrix(ground, matrices, 0, false) };
  },
  pictures(scene) {
    const setup = settingsOf(scene);
    const { ground, sight, head, tokens, causal } = setup;
    const { keep } = scene;
    const { extents } = ground;
    const matrices = keep('matrices', [extents], () => matricesOf(setup));
    const all = keep('weights', [extents, tokens, causal], () => weights(scene));
    const matrix = keep('matrix', [extents, head, causal], () => shownMatrix(ground, matrices, head, causal));
    const caption =
      tokens === 'alike'
        ? t('Weights of head {0} where all scores are equal but for the bias.', head)
        : t('Weights of head {0} for random vectors.', head);
    return [
      ...lead(scene),
      matrixPicture(matrix, head, causal, sight),
      keep('pattern', [extents, head, tokens, causal], () => patternPicture(ground, headOf(all, head, ground.count), caption)),
      ...(sight === 'distance' ? keep('table', [], () => tablePictures(setup.bias)) : []),
    ];
  },
  code(scene) {
    const { bias: encoding, kinds, ground, sight, tokens, causal } = settingsOf(scene);
    const { heads } = encoding;
    const { count } = ground;
    const headDim = headDimOf(encoding);
    const call = callCode(ground, kinds > 0);
    const distances = causal ? count : 2 * count - 1;
    return [
      ...groundCode(ground),
      ...(kinds > 0 ? relationsCode(count, kinds) : []),
      ...(sight === 'distance' ? [`const lines = encoding.bias(1, ${distances}, { qOffset: ${count - 1} });`] : []),
      ...(sight === 'distance' ? tableCode(encoding) : []),
      `const matrix = encoding.bias(${count}, ${count}${call});`,
      '',
      ...tokensCode(tokens, [heads, count, headDim], 1),
      `const attention = posenc.attention({ heads: ${heads}, headDim: ${headDim}${causal ? ', causal: true' : ''}, encodings: [encoding] });`,
      `const pattern = attention.weights(tokens, tokens${readsInput(encoding) ? ', { gateInput: tokens }' : call});`,
    ];
  },
};
