// Encodings that add a number to every score, from the head and the two positions.
import type { BiasEncoding } from 'posenc';
import type { HeatMapData } from '../figures/heat-map.js';
import type { LinePlotData } from '../figures/line-plot.js';
import type { Family, Scene } from './family.js';
import { headOf, patternPicture } from './pattern.js';
import {
  causalSetting, indexOf, indexSetting, lengthOf, lengthSetting, tokensSetting, type TokenKind,
} from './settings.js';
import { makeTokens, tokensCode } from './tokens.js';

const headDim = 16;
const thumbnailLength = 33;

/** Bias of every head over the distance key - query, from one query with keys on both sides (or behind it only). */
function linesData(bias: BiasEncoding, length: number, causal: boolean): LinePlotData {
  const distances = causal ? length : 2 * length - 1;
  return {
    values: bias.bias(1, distances, { qOffset: length - 1 }).data,
    shape: [bias.heads, distances],
    names: Array.from({ length: bias.heads }, (_, head) => `head ${head}`),
    x: { label: 'key \u2212 query', start: 1 - length },
    y: { label: 'bias' },
    about: 'Bias by distance, one line per head',
  };
}

/** One head's matrix; hidden keys are left out. */
function matrixData(bias: BiasEncoding, head: number, length: number, causal: boolean): HeatMapData {
  const matrix = headOf(bias.bias(length, length).data, head, length).slice();
  for (let query = 0; causal && query < length; query++) {
    matrix.fill(NaN, query * length + query + 1, (query + 1) * length);
  }
  return {
    values: matrix,
    shape: [length, length],
    rows: { label: 'query' },
    columns: { label: 'key' },
    rowsAlong: 'y',
    scale: 'signed',
    about: `Bias of head ${head}`,
  };
}

/** Weights of every head, [heads, length, length]. */
function weightsOf(scene: Scene): Float32Array {
  const { bias: encoding, length, tokens, causal } = settingsOf(scene);
  const { heads } = encoding;
  const attention = scene.posenc.attention({ heads, headDim, causal, encodings: [encoding] });
  const x = { data: makeTokens(tokens, heads * length * headDim, 1), shape: [heads, length, headDim] };
  const weights = attention.weights(x, x).data;
  attention.dispose();
  return weights;
}

function settingsOf({ encoding, view }: Scene) {
  const bias = encoding as BiasEncoding;
  return {
    bias,
    length: lengthOf(view),
    head: indexOf(view, 'head', bias.heads, 0),
    tokens: (view['tokens'] ?? 'alike') as TokenKind,
    causal: view['causal'] !== false,
  };
}

export const bias: Family = {
  title: 'Bias',
  text: 'A number is added to the score of a query and a key, from where they stand.',
  settings: (encoding) => [
    lengthSetting(128),
    indexSetting('head', 'the head whose matrix and pattern are shown', (encoding as BiasEncoding).heads, 0),
    tokensSetting('alike'),
    causalSetting(true),
  ],
  thumbnail: ({ encoding }) => ({ figure: 'line-plot', data: linesData(encoding as BiasEncoding, thumbnailLength, false) }),
  pictures(scene) {
    const { bias: encoding, length, head, tokens, causal } = settingsOf(scene);
    const weights = scene.keep('weights', [length, tokens, causal], () => weightsOf(scene));
    return [
      {
        key: 'lines',
        title: 'Bias by distance',
        caption: 'What is added to the score, by how far the key is from the query; one line per head.',
        size: 'wide',
        figure: 'line-plot',
        data: scene.keep('lines', [length, causal], () => linesData(encoding, length, causal)),
      },
      {
        key: 'matrix',
        title: `Matrix of head ${head}`,
        caption: causal ? 'Added to the scores before the softmax. Keys after the query are hidden.' : 'Added to the scores before the softmax.',
        size: 'square',
        figure: 'heat-map',
        data: scene.keep('matrix', [length, head, causal], () => matrixData(encoding, head, length, causal)),
      },
      scene.keep('pattern', [length, head, tokens, causal], () =>
        patternPicture(
          headOf(weights, head, length),
          length,
          tokens === 'alike' ? `Weights of head ${head} where all scores are equal but for the bias.` : `Weights of head ${head} for random vectors.`,
        ),
      ),
    ];
  },
  code(scene) {
    const { bias: encoding, length, tokens, causal } = settingsOf(scene);
    const { heads } = encoding;
    const distances = causal ? length : 2 * length - 1;
    return [
      `const lines = encoding.bias(1, ${distances}, { qOffset: ${length - 1} });`,
      `const matrix = encoding.bias(${length}, ${length});`,
      '',
      ...tokensCode(tokens, [heads, length, headDim], 1),
      `const attention = posenc.attention({ heads: ${heads}, headDim: ${headDim}${causal ? ', causal: true' : ''}, encodings: [encoding] });`,
      'const pattern = attention.weights(tokens, tokens);',
    ];
  },
};
