// Encodings that turn pairs of channels of queries and keys by angles that grow with the position.
import type { RotaryEncoding } from 'posenc';
import { periodOf, type PairCirclesData } from '../figures/pair-circles.js';
import type { Family, Picture, Scene } from './family.js';
import { headOf, patternPicture } from './pattern.js';
import {
  causalSetting, indexOf, indexSetting, lengthOf, lengthSetting, tokensSetting, type TokenKind,
} from './settings.js';
import { meanByDistance, similarityPicture } from './similarity.js';
import { makeTokens, tokensCode } from './tokens.js';

const defaultPosition = 12;
const thumbnailLength = 13;

interface Table {
  cos: Float32Array;
  sin: Float32Array;
  pairs: number;
  length: number;
}

function tableOf(rope: RotaryEncoding, length: number): Table {
  const { cos, sin } = rope.table(length);
  return { cos: cos.data, sin: sin.data, pairs: rope.rotaryDim / 2, length };
}

function circlesData({ cos, sin, pairs }: Table, position: number): PairCirclesData {
  const part = (table: Float32Array): Float32Array => table.subarray(position * pairs, (position + 1) * pairs);
  const values = new Float32Array(2 * pairs);
  values.set(part(cos));
  values.set(part(sin), pairs);
  return { values, shape: [2, pairs], cos, sin, position };
}

function tablePicture({ length, pairs, ...tables }: Table, which: 'cos' | 'sin'): Picture {
  const name = which === 'cos' ? 'Cosines' : 'Sines';
  return {
    key: which,
    title: name,
    caption: `${name} of the angle of every pair, by position: what queries and keys are multiplied with.`,
    size: 'half',
    figure: 'heat-map',
    data: {
      values: tables[which],
      shape: [length, pairs],
      rows: { label: 'position' },
      columns: { label: 'pair' },
      rowsAlong: 'x',
      scale: 'signed',
      about: `${name} of the angles`,
    },
  };
}

/** Positions per full turn of each pair, from the table's second row. */
function periodPicture(rope: RotaryEncoding): Picture {
  const { cos, sin } = rope.table([1]);
  const values = Float64Array.from(cos.data, (value, pair) => periodOf(value, sin.data[pair]!));
  return {
    key: 'periods',
    title: 'Period of each pair',
    caption: 'Positions until a pair has made one full turn. Fast pairs tell neighbours apart, slow ones tell near from far.',
    size: 'half',
    figure: 'line-plot',
    data: {
      values,
      shape: [1, values.length],
      names: ['period'],
      x: { label: 'pair' },
      y: { label: 'period in positions', log: true },
      dots: true,
      about: 'Period of each pair',
    },
  };
}

function settingsOf({ encoding, view }: Scene) {
  const length = lengthOf(view);
  return {
    rope: encoding as RotaryEncoding,
    length,
    position: indexOf(view, 'position', length, defaultPosition),
    tokens: (view['tokens'] ?? 'alike') as TokenKind,
    causal: view['causal'] !== false,
  };
}

/** Products of equal vectors at every two positions, 1 where they are not turned apart. */
function scoresOf({ posenc, encoding }: Scene, length: number): Float32Array {
  const { headDim } = encoding as RotaryEncoding;
  const ones = { data: makeTokens('alike', length * headDim, 1), shape: [1, length, headDim] };
  const head = posenc.attention({ heads: 1, headDim, scale: 1 / headDim, encodings: [encoding] });
  const scores = head.scores(ones, ones, 'raw').data;
  head.dispose();
  return headOf(scores, 0, length);
}

function weightsOf(scene: Scene): Float32Array {
  const { rope, length, tokens, causal } = settingsOf(scene);
  const { headDim } = rope;
  const head = scene.posenc.attention({ heads: 1, headDim, causal, encodings: [rope] });
  const x = { data: makeTokens(tokens, length * headDim, 1), shape: [1, length, headDim] };
  const weights = head.weights(x, x).data;
  head.dispose();
  return headOf(weights, 0, length);
}

export const rotary: Family = {
  title: 'Rotary',
  text: 'Queries and keys are rotated, pair by pair, so that their product depends on how far apart they are.',
  settings: (_, view) => [
    lengthSetting(256),
    indexSetting('position', 'the position that the hands show', lengthOf(view), defaultPosition),
    tokensSetting('alike'),
    causalSetting(true),
  ],
  thumbnail({ encoding }) {
    return { figure: 'pair-circles', data: circlesData(tableOf(encoding as RotaryEncoding, thumbnailLength), thumbnailLength - 1) };
  },
  pictures(scene) {
    const { rope, length, position, tokens, causal } = settingsOf(scene);
    const { keep } = scene;
    const table = keep('table', [length], () => tableOf(rope, length));
    return [
      {
        key: 'circles',
        title: `Every pair at position ${position}`,
        caption: 'Each pair of channels turns at its own speed. The dots are the ten positions before.',
        size: 'wide',
        plays: 'position',
        figure: 'pair-circles',
        data: circlesData(table, position),
      },
      keep('cos', [length], () => tablePicture(table, 'cos')),
      keep('sin', [length], () => tablePicture(table, 'sin')),
      keep('similarity', [length], () =>
        similarityPicture(
          meanByDistance(scoresOf(scene, length), length),
          'q\u00b7k',
          'Product of two equal vectors (1, 1, \u2026), rotated at two positions, by their distance; 1 where they coincide.',
        ),
      ),
      keep('periods', [], () => periodPicture(rope)),
      keep('pattern', [length, tokens, causal], () =>
        patternPicture(
          weightsOf(scene),
          length,
          tokens === 'alike' ? 'Weights of a head that sees the same vector everywhere.' : 'Weights of a head that sees random vectors.',
        ),
      ),
    ];
  },
  code(scene) {
    const { rope, length, tokens, causal } = settingsOf(scene);
    const { headDim } = rope;
    const shape = [1, length, headDim];
    return [
      `const { cos, sin } = encoding.table(${length});`,
      '',
      `const ones = { data: new Float32Array(${length * headDim}).fill(1), shape: [${shape.join(', ')}] };`,
      `const products = posenc.attention({ heads: 1, headDim: ${headDim}, scale: 1 / ${headDim}, encodings: [encoding] });`,
      `const similarity = products.scores(ones, ones, 'raw');`,
      '',
      ...tokensCode(tokens, shape, 1),
      `const head = posenc.attention({ heads: 1, headDim: ${headDim}${causal ? ', causal: true' : ''}, encodings: [encoding] });`,
      'const pattern = head.weights(tokens, tokens);',
    ];
  },
};
