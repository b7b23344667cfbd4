// No position, and whatever family has no pictures of its own: what attention does with the encoding.
import type { Family, Scene } from './family.js';
import { headOf, patternData, patternPicture } from './pattern.js';
import { causalSetting, lengthOf, lengthSetting, tokensSetting, type TokenKind } from './settings.js';
import { makeTokens, tokensCode } from './tokens.js';

const headDim = 16;
const thumbnailLength = 24;

function weightsOf({ posenc, encoding }: Scene, length: number, tokens: TokenKind, causal: boolean): Float32Array {
  const head = posenc.attention({ heads: 1, headDim, causal, encodings: [encoding] });
  const x = { data: makeTokens(tokens, length * headDim, 1), shape: [1, length, headDim] };
  const weights = head.weights(x, x).data;
  head.dispose();
  return headOf(weights, 0, length);
}

function settingsOf({ view }: Scene) {
  return {
    length: lengthOf(view),
    tokens: (view['tokens'] ?? 'random') as TokenKind,
    causal: view['causal'] !== false,
  };
}

export const none: Family = {
  title: 'None',
  text: 'No position at all: attention sees a set, and a causal mask alone gives it an order.',
  settings: () => [lengthSetting(256), tokensSetting('random'), causalSetting(true)],
  thumbnail(scene) {
    const weights = weightsOf(scene, thumbnailLength, 'random', true);
    return { figure: 'heat-map', data: patternData(weights, thumbnailLength) };
  },
  pictures(scene) {
    const { length, tokens, causal } = settingsOf(scene);
    const picture = patternPicture(
      weightsOf(scene, length, tokens, causal),
      length,
      tokens === 'alike'
        ? 'Equal tokens get equal weights: each row is flat over what it may see.'
        : 'Random tokens: weights follow content alone, and no diagonal stands out.',
    );
    return [{ ...picture, size: 'wide' }];
  },
  code(scene) {
    const { length, tokens, causal } = settingsOf(scene);
    return [
      ...tokensCode(tokens, [1, length, headDim], 1),
      `const head = posenc.attention({ heads: 1, headDim: ${headDim}${causal ? ', causal: true' : ''}, encodings: [encoding] });`,
      'const pattern = head.weights(tokens, tokens);',
    ];
  },
};
