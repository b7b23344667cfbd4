// Encodings that give every position a row, added to or laid beside the token's vector.
import type { InputEncoding } from 'posenc';
import type { HeatMapData } from '../figures/heat-map.js';
import type { Family, Scene } from './family.js';
import { headOf, patternPicture } from './pattern.js';
import { causalSetting, lengthOf, lengthSetting, tokensSetting, type TokenKind } from './settings.js';
import { meanByDistance, similarityPicture } from './similarity.js';
import { makeTokens, tokensCode } from './tokens.js';

const thumbnailLength = 64;

function rowsData(pe: InputEncoding, length: number): HeatMapData {
  return {
    values: pe.encode(length).data,
    shape: [length, pe.width],
    rows: { label: 'position' },
    columns: { label: 'channel' },
    rowsAlong: 'x',
    scale: 'signed',
    about: 'Rows of the encoding',
  };
}

function settingsOf({ encoding, view }: Scene) {
  return {
    pe: encoding as InputEncoding,
    length: lengthOf(view),
    tokens: (view['tokens'] ?? 'alike') as TokenKind,
    causal: view['causal'] === true,
  };
}

/** Products of every two rows, [length, length]. */
function products({ posenc, encoding }: Scene, rows: Float32Array, length: number): Float32Array {
  const { width } = encoding as InputEncoding;
  const head = posenc.attention({ heads: 1, headDim: width, scale: 1 });
  const x = { data: rows, shape: [1, length, width] };
  const scores = head.scores(x, x, 'raw').data;
  head.dispose();
  return headOf(scores, 0, length);
}

/** Weights of a head whose queries and keys are tokens with the rows added. */
function weightsOf(scene: Scene): Float32Array {
  const { pe, length, tokens, causal } = settingsOf(scene);
  const head = scene.posenc.attention({ heads: 1, headDim: pe.width, causal });
  const placed = pe.add({ data: makeTokens(tokens, length * pe.width, 0), shape: [1, length, pe.width] });
  const weights = head.weights(placed, placed).data;
  head.dispose();
  return headOf(weights, 0, length);
}

export const input: Family = {
  title: 'Input',
  text: 'A vector for every position, added to the token before the first layer.',
  settings: () => [lengthSetting(256), tokensSetting('alike'), causalSetting(false)],
  thumbnail: ({ encoding }) => ({ figure: 'heat-map', data: rowsData(encoding as InputEncoding, thumbnailLength) }),
  pictures(scene) {
    const { pe, length, tokens, causal } = settingsOf(scene);
    const { keep } = scene;
    const rows = keep('rows', [length], () => rowsData(pe, length));
    return [
      {
        key: 'rows',
        title: 'The encoding itself',
        caption: 'Every column of the picture is the vector of one position, channel 0 at the bottom.',
        size: 'wide',
        figure: 'heat-map',
        data: rows,
      },
      keep('similarity', [length], () =>
        similarityPicture(
          meanByDistance(products(scene, rows.values, length), length),
          'PE(p)\u00b7PE(p + k)',
          'Product of two rows by the distance k between them: the mean over all p, and the range where it depends on p.',
        ),
      ),
      keep('pattern', [length, tokens, causal], () =>
        patternPicture(
          weightsOf(scene),
          length,
          tokens === 'alike'
            ? 'Weights of a head whose queries and keys are the rows alone.'
            : 'Weights of a head whose queries and keys are random tokens plus the rows.',
        ),
      ),
    ];
  },
  code(scene) {
    const { pe, length, tokens, causal } = settingsOf(scene);
    const shape = [1, length, pe.width];
    return [
      `const rows = encoding.encode(${length});`,
      '',
      `const products = posenc.attention({ heads: 1, headDim: ${pe.width}, scale: 1 });`,
      `const x = { data: rows.data, shape: [${shape.join(', ')}] };`,
      `const similarity = products.scores(x, x, 'raw');`,
      '',
      ...tokensCode(tokens, shape, 0),
      `const head = posenc.attention({ heads: 1, headDim: ${pe.width}${causal ? ', causal: true' : ''} });`,
      'const placed = encoding.add(tokens);',
      'const pattern = head.weights(placed, placed);',
    ];
  },
};
