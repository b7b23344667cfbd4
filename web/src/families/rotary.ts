// Encodings that turn pairs of channels of queries and keys by angles that grow with the position.
import type { AttentionConfig, RotaryEncoding } from 'posenc';
import type { CatalogField } from 'posenc/catalog';
import { periodOf, type PairCirclesData } from '../figures/pair-circles.js';
import { t } from '../lib/language.js';
import { callCode, callOf, scoresOf, weightsOf } from './attend.js';
import type { Family, Picture, Scene } from './family.js';
import { coordinatesOf, groundAxis, groundCode, groundOf, groundSettings, middleOf, type Ground, type TryAt } from './ground.js';
import { similarityMap } from './maps.js';
import { headOf, patternPicture } from './pattern.js';
import { causalSetting, indexOf, indexSetting, tokensSetting, type TokenKind } from './settings.js';
import { meanByDistance, similarityPicture } from './similarity.js';
import { makeTokens, tokensCode } from './tokens.js';

const defaultPosition = 12;
const thumbnailLength = 13;
const cosineText = 'Cosines of the angle of every pair, by {0}: what queries and keys are multiplied with.';
const sineText = 'Sines of the angle of every pair, by {0}: what queries and keys are multiplied with.';
const productTexts = [
  'Product of two equal vectors (1, 1, \u2026), rotated at two positions: one cell with every other; 1 where they coincide.',
  'Product of two equal vectors (1, 1, \u2026), rotated at two positions, by their distance; 1 where they coincide.',
] as const;

const tryAt = (encoding: RotaryEncoding): TryAt => (positions) => void encoding.table(positions);

interface Table {
  cos: Float32Array;
  sin: Float32Array;
  pairs: number;
  ground: Ground;
}

function tableOf(rope: RotaryEncoding, ground: Ground): Table {
  const { cos, sin } = rope.table(ground.positions ?? ground.count);
  return { cos: cos.data, sin: sin.data, pairs: rope.rotaryDim / 2, ground };
}

function circlesData({ cos, sin, pairs }: Table, position: number): PairCirclesData {
  const part = (table: Float32Array): Float32Array => table.subarray(position * pairs, (position + 1) * pairs);
  const values = new Float32Array(2 * pairs);
  values.set(part(cos));
  values.set(part(sin), pairs);
  return { values, shape: [2, pairs], cos, sin, position };
}

function tablePicture({ ground, pairs, ...tables }: Table, which: 'cos' | 'sin'): Picture {
  return {
    key: which,
    title: which === 'cos' ? t('Cosines') : t('Sines'),
    caption: t(which === 'cos' ? cosineText : sineText, ground.extents.length > 1 ? t('cell') : t('position')),
    size: 'half',
    figure: 'heat-map',
    data: {
      values: tables[which],
      shape: [ground.count, pairs],
      rows: groundAxis(ground),
      columns: { label: t('pair') },
      rowsAlong: 'x',
      scale: 'signed',
      about: which === 'cos' ? t('Cosines of the angles') : t('Sines of the angles'),
    },
  };
}

/** Positions per full turn of each pair, one step along each axis; what does not turn along an axis is left out. */
function periodPicture(rope: RotaryEncoding): Picture {
  const { axes } = rope;
  const pairs = rope.rotaryDim / 2;
  const unit = Float64Array.from({ length: axes * axes }, (_, i) => (i % (axes + 1) === 0 ? 1 : 0));
  const { cos, sin } = rope.table({ data: unit, shape: axes === 1 ? [1] : [axes, axes] });
  return {
    key: 'periods',
    title: t('Period of each pair'),
    caption: t('Positions until a pair has made one full turn. Fast pairs tell neighbours apart, slow ones tell near from far.'),
    size: 'half',
    figure: 'line-plot',
    data: {
      values: Float64Array.from(cos.data, (value, i) => periodOf(value, sin.data[i]!)),
      shape: [axes, pairs],
      names: axes === 1 ? [t('period')] : Array.from({ length: axes }, (_, axis) => t('axis {0}', axis)),
      x: { label: t('pair') },
      y: { label: t('period in positions'), log: true },
      dots: true,
      about: t('Period of each pair'),
    },
  };
}

function settingsOf({ encoding, view }: Omit<Scene, 'keep'>) {
  const rope = encoding as RotaryEncoding;
  const ground = groundOf(rope, view, tryAt(rope));
  return {
    rope,
    ground,
    isGrid: ground.extents.length > 1,
    position: indexOf(view, 'position', ground.count, defaultPosition),
    cell: indexOf(view, 'cell', ground.count, middleOf(ground)),
    tokens: (view['tokens'] ?? 'alike') as TokenKind,
    causal: view['causal'] === undefined ? ground.extents.length === 1 : view['causal'] === true,
  };
}

function settings(scene: Omit<Scene, 'keep'>): CatalogField[] {
  const { rope, ground, isGrid } = settingsOf(scene);
  const cell = indexSetting('cell', 'the cell that others are compared with', ground.count, middleOf(ground));
  return [
    ...groundSettings(rope, tryAt(rope)),
    indexSetting('position', isGrid ? 'the cell that the hands show' : 'the position that the hands show', ground.count, defaultPosition),
    ...(isGrid ? [cell] : []),
    tokensSetting('alike'),
    causalSetting(!isGrid),
  ];
}

function vectorsOf({ headDim }: RotaryEncoding, { count }: Ground, tokens: TokenKind) {
  return { data: makeTokens(tokens, count * headDim, 1), shape: [1, count, headDim] };
}

function similarity(scene: Scene): Picture {
  const { rope, ground, isGrid, cell } = settingsOf(scene);
  const { headDim } = rope;
  const scores = scene.keep('products', [ground.extents], () => {
    const head: AttentionConfig = { heads: 1, headDim, scale: 1 / headDim, encodings: [rope] };
    return headOf(scoresOf(scene.posenc, head, vectorsOf(rope, ground, 'alike'), callOf(ground)), 0, ground.count);
  });
  const [ofGrid, ofLine] = productTexts;
  if (isGrid) return similarityMap(ground, scores, cell, t(ofGrid));
  return similarityPicture(meanByDistance(scores, ground.count), 'q\u00b7k', t(ofLine));
}

function pattern(scene: Scene): Picture {
  const { rope, ground, tokens, causal } = settingsOf(scene);
  const head: AttentionConfig = { heads: 1, headDim: rope.headDim, causal, encodings: [rope] };
  const weights = weightsOf(scene.posenc, head, vectorsOf(rope, ground, tokens), callOf(ground));
  const caption = tokens === 'alike' ? t('Weights of a head that sees the same vector everywhere.') : t('Weights of a head that sees random vectors.');
  return patternPicture(ground, headOf(weights, 0, ground.count), caption);
}

export const rotary: Family = {
  title: t('Rotary'),
  text: t('Queries and keys are rotated, pair by pair, so that their product depends on how far apart they are.'),
  settings,
  thumbnail({ encoding, view }) {
    const rope = encoding as RotaryEncoding;
    const ground = groundOf(rope, view, tryAt(rope), thumbnailLength);
    return { figure: 'pair-circles', data: circlesData(tableOf(rope, ground), Math.min(thumbnailLength, ground.count) - 1) };
  },
  pictures(scene) {
    const { rope, ground, isGrid, position, cell, tokens, causal } = settingsOf(scene);
    const { keep } = scene;
    const { extents } = ground;
    const table = keep('table', [extents], () => tableOf(rope, ground));
        return [
      {
        key: 'circles',
        title: isGrid ? t('Every pair at cell {0}', coordinatesOf(position, extents).join(', ')) : t('Every pair at position {0}', position),
        caption: t(isGrid ? 'Each pair of channels turns at its own speed. The dots are the ten cells before.' : 'Each pair of channels turns at its own speed. The dots are the ten positions before.'),
        size: 'wide',
        plays: 'position',
        figure: 'pair-circles',
        data: circlesData(table, position),
      },
      keep('cos', [extents], () => tablePicture(table, 'cos')),
      keep('sin', [extents], () => tablePicture(table, 'sin')),
      keep('similarity', [extents, cell], () => similarity(scene)),
      keep('periods', [], () => periodPicture(rope)),
      keep('pattern', [extents, tokens, causal], () => pattern(scene)),
    ];
  },
  code(scene) {
    const { rope, ground, tokens, causal } = settingsOf(scene);
    const { headDim } = rope;
    const { count, place } = ground;
    const shape = [1, count, headDim];
    const call = callCode(ground);
    return [
      ...groundCode(ground),
      `const { cos, sin } = encoding.table(${place === undefined ? count : 'positions'});`,
      '',
      `const ones = { data: new Float32Array(${count * headDim}).fill(1), shape: [${shape.join(', ')}] };`,
      `const products = posenc.attention({ heads: 1, headDim: ${headDim}, scale: 1 / ${headDim}, encodings: [encoding] });`,
      `const similarity = products.scores(ones, ones, 'raw'${call});`,
      '',
      ...tokensCode(tokens, shape, 1),
      `const head = posenc.attention({ heads: 1, headDim: ${headDim}${causal ? ', causal: true' : ''}, encodings: [encoding] });`,
      `const pattern = head.weights(tokens, tokens${call});`,
    ];
  },
};
