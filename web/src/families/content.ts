// Encodings without pictures of their own kind: what attention does with them. `relative` adds terms that look at the
// content, so what they add is shown too; without any position there is the pattern alone.
import type { AttentionConfig, Encoding } from 'posenc';
import type { CatalogField } from 'posenc/catalog';
import { t } from '../lib/language.js';
import { callCode, callOf, scoresOf, weightsOf } from './attend.js';
import type { Drawing, Family, Picture, Scene } from './family.js';
import { groundCode, groundOf, groundSettings, withOrigin, type TryAt } from './ground.js';
import { headOf, matrixData, patternPicture } from './pattern.js';
import { causalSetting, indexOf, indexSetting, tokensSetting, type TokenKind } from './settings.js';
import { meanByDistance, similarityPicture } from './similarity.js';
import { makeTokens, tokensCode } from './tokens.js';

const thumbnailLength = 24;

/** Heads and their width, where the encoding has them. */
interface Sized {
  heads?: number;
  headDim?: number;
}

function headsOf(encoding: Encoding): { heads: number; headDim: number } {
  const sizes: Sized = { ...(encoding.options as Sized), ...(encoding as Sized) };
  return { heads: sizes.heads || 1, headDim: sizes.headDim || 16 };
}

function tryAt({ posenc, encoding }: Omit<Scene, 'keep'>): TryAt {
  return (positions) => {
    // These read how far apart tokens are, at any place, unless they refuse what is too far.
    if (encoding.axes === 1 && (encoding.options as { beyond?: string }).beyond !== 'error') return;
    const { heads, headDim } = headsOf(encoding);
    const x = { data: new Float32Array(2 * heads * headDim), shape: [heads, 2, headDim] };
    scoresOf(posenc, { heads, headDim, encodings: [encoding] }, x, callOf({ positions: withOrigin(positions) }));
  };
}

function settingsOf(scene: Omit<Scene, 'keep'>, length?: number) {
  const { encoding, view } = scene;
  const ground = groundOf(encoding, view, tryAt(scene), length);
  const sizes = headsOf(encoding);
  return {
    ...sizes,
    ground,
    head: indexOf(view, 'head', sizes.heads, 0),
    tokens: (view['tokens'] ?? 'random') as TokenKind,
    causal: view['causal'] === undefined ? ground.extents.length === 1 : view['causal'] === true,
  };
}

function settings(scene: Omit<Scene, 'keep'>): CatalogField[] {
  const { heads, ground } = settingsOf(scene);
  return [
    ...groundSettings(scene.encoding, tryAt(scene)),
    ...(heads > 1 ? [indexSetting('head', 'the head that is shown', heads, 0)] : []),
    tokensSetting('random'),
    causalSetting(ground.extents.length === 1),
  ];
}

function vectorsOf({ heads, headDim, ground, tokens }: ReturnType<typeof settingsOf>) {
  return { data: makeTokens(tokens, heads * ground.count * headDim, 1), shape: [heads, ground.count, headDim] };
}

function weights({ posenc, encoding }: Scene, setup: ReturnType<typeof settingsOf>): Float32Array {
  const { heads, headDim, causal, ground } = setup;
  return weightsOf(posenc, { heads, headDim, causal, encodings: [encoding] }, vectorsOf(setup), callOf(ground));
}

/** What the encoding adds to every score: scores with it less scores without, [heads, count, count]. */
function terms({ posenc, encoding }: Scene, setup: ReturnType<typeof settingsOf>): Float32Array {
  const { heads, headDim, ground } = setup;
  const plain: AttentionConfig = { heads, headDim };
  const x = vectorsOf(setup);
  const scores = scoresOf(posenc, { ...plain, encodings: [encoding] }, x, callOf(ground));
  const without = scoresOf(posenc, plain, x, {});
  for (let i = 0; i < scores.length; i++) scores[i]! -= without[i]!;
  return scores;
}

function termPictures(scene: Scene, setup: ReturnType<typeof settingsOf>): Picture[] {
  const { ground, head, tokens } = setup;
  const all = scene.keep('terms', [ground.extents, tokens], () => terms(scene, setup));
  const ofHead = headOf(all, head, ground.count);
  const matrix = scene.keep('term', [ground.extents, tokens, head], () => matrixData(ground, ofHead, 'signed', t('What is added to the scores')));
  const term: Picture = {
    key: 'term',
    title: t('What is added to the scores'),
    caption: t('Scores with the encoding less scores without it, for every query and key.'),
    size: 'square',
    figure: 'heat-map',
    data: matrix,
  };
  if (ground.extents.length > 1) return [term];
  const byDistance = scene.keep('similarity', [ground.extents, tokens, head], () =>
    similarityPicture(
      meanByDistance(ofHead, ground.count),
      t('term'),
      t('The same by distance, for keys before the query: the mean, and the range that comes from the content.'),
      t('What is added, by distance'),
    ),
  );
  return [term, byDistance];
}

function patternOf(scene: Scene, setup: ReturnType<typeof settingsOf>, plainText: (tokens: TokenKind) => string): Picture {
  const { ground, head, tokens, causal } = setup;
  const all = scene.keep('weights', [ground.extents, tokens, causal], () => weights(scene, setup));
  return scene.keep('pattern', [ground.extents, tokens, causal, head], () =>
    patternPicture(ground, headOf(all, head, ground.count), plainText(tokens)),
  );
}

function code({ encoding, ...scene }: Scene): string[] {
  const { heads, headDim, ground, tokens, causal } = settingsOf({ encoding, ...scene });
  return [
    ...groundCode(ground),
    ...tokensCode(tokens, [heads, ground.count, headDim], 1),
    `const head = posenc.attention({ heads: ${heads}, headDim: ${headDim}${causal ? ', causal: true' : ''}, encodings: [encoding] });`,
    `const pattern = head.weights(tokens, tokens${callCode(ground)});`,
  ];
}

function thumbnail(scene: Scene): Drawing {
  const setup = settingsOf(scene, thumbnailLength);
  return { figure: 'heat-map', data: matrixData(setup.ground, headOf(weights(scene, setup), 0, setup.ground.count), 'share', t('Attention weights')) };
}

export const relative: Family = {
  title: t('Relative'),
  text: t('The score of a query and a key gets terms that look at the content as well as at how far apart they are.'),
  settings,
  thumbnail(scene) {
    const setup = settingsOf(scene, thumbnailLength);
    const first = headOf(terms(scene, setup), 0, setup.ground.count);
    return { figure: 'heat-map', data: matrixData(setup.ground, first, 'signed', t('What is added to the scores')) };
  },
  pictures(scene) {
    const setup = settingsOf(scene);
    const text = (tokens: TokenKind): string =>
      tokens === 'alike' ? t('Weights of a head that sees the same vector everywhere.') : t('Weights of a head that sees random vectors.');
    return [{ ...patternOf(scene, setup, text), size: 'wide' }, ...termPictures(scene, setup)];
  },
  code,
};

export const none: Family = {
  title: t('None'),
  text: t('No position at all: attention sees a set, and a causal mask alone gives it an order.'),
  settings,
  thumbnail,
  pictures(scene) {
    const text = (tokens: TokenKind): string =>
      tokens === 'alike'
        ? t('Equal tokens get equal weights: each row is flat over what it may see.')
        : t('Random tokens: weights follow content alone, and no diagonal stands out.');
    return [{ ...patternOf(scene, settingsOf(scene), text), size: 'wide' }];
  },
  code,
};
