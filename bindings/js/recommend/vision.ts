import { sources } from './sources.js';
import type { Rule } from './types.js';

/** Grids, boxes and points. */
export const visionRules: readonly Rule[] = [
  {
    id: 'gridLearned', tasks: ['image-classification'], points: 7, source: sources.vit,
    text: 'ViT\u2019s learned table of patches: simple, and as good as two-dimensional sines there.',
  },
  {
    id: 'gridLearned', tasks: ['dense-vision'], points: 3, source: sources.detr,
    text: 'Learned rows and columns give every cell its place.',
  },
  {
    id: 'gridLearned', tasks: ['video'], points: 7, source: sources.timesformer,
    options: () => ({ kind: 'spaceTime' }),
    text: 'TimeSformer adds a table of times to that of space, both learned.',
  },
  {
    id: 'gridLearned', when: (s) => s.variableSize, points: -2, source: sources.vit,
    text: 'Other image sizes need the table resampled, to a size and not by a ratio, best with further training.',
  },
  {
    id: 'grid', tasks: ['dense-vision'], points: 9, source: sources.detr,
    text: 'Detection needs to know where a thing is: sines of row and column, laid side by side as DETR does.',
  },
  {
    id: 'grid', tasks: ['image-classification', 'video', 'image-text'], points: 5, source: sources.vit,
    text: 'Sines of the coordinates: no parameters and any size of image.',
  },
  {
    id: 'grid', when: (s) => s.variableSize, points: 2, source: sources.detr,
    text: 'Coordinates can be normalised to the image, so sizes may vary.',
  },
  {
    id: 'ropeNd', tasks: ['image-classification', 'dense-vision', 'video'], points: 6, source: sources.ropeVit,
    text: 'Rows and columns turn their own pairs; recent vision models (EVA-02, SAM 2, DINOv3) rely on it.',
  },
  {
    id: 'ropeNd', when: (s) => s.variableSize, points: 3, source: sources.ropeVit,
    text: 'Holds up at resolutions other than the trained one.',
  },
  {
    id: 'swin', tasks: ['image-classification', 'dense-vision'], points: 5, source: sources.swin,
    text: 'A table of offsets within a window; for attention within windows.',
  },
  {
    id: 'swinV2', tasks: ['image-classification', 'dense-vision'], points: 4, source: sources.swin2,
    text: 'A small network of logarithmic offsets.',
  },
  {
    id: 'swinV2', when: (s) => s.variableSize, points: 3, source: sources.swin2,
    text: 'Carries over to larger windows than it was trained on.',
  },
  {
    id: 'beit', tasks: ['image-classification'], points: 3, source: sources.beit,
    text: 'A bias of two-dimensional offsets for plain vision transformers, with rows of its own for the class token.',
  },
  {
    id: 'decomposed', tasks: ['dense-vision'], points: 4, source: sources.sam,
    text: 'Terms for height and width that look at the query, as in MViTv2 and Segment Anything.',
  },
  {
    id: 'decomposed', tasks: ['video', 'image-classification'], points: 3, source: sources.mvit2,
    text: 'Offsets per axis keep the tables short.',
  },
  {
    id: 'conv', tasks: ['image-classification', 'dense-vision'], points: 3, source: sources.cpvt,
    text: 'A convolution tells position by its padding and takes any size.',
  },
  {
    id: 'conv', tasks: ['speech'], points: 6, source: sources.wav2vec,
    text: 'wav2vec 2.0 and HuBERT place their frames by a grouped convolution.',
  },
  {
    id: 'mrope', tasks: ['image-text', 'video'], points: 9, source: sources.qwen2Vl,
    text: 'Text, images and video in one sequence: time, row and column turn sections of the same pairs.',
  },
  {
    id: 'segment', tasks: ['image-text'], points: 4, source: sources.bert,
    text: 'A vector per modality beside the position, or ranges of positions reserved for each.',
  },
  {
    id: 'segment', when: () => true, points: -1,
    text: 'Says which part a token belongs to, not where it stands: use it with another encoding.',
  },
  {
    id: 'rope', tasks: ['image-text'], points: 4, source: sources.rope,
    text: 'Where image tokens are simply laid into the text.',
  },
  {
    id: 'learned', tasks: ['image-text'], points: 3, source: sources.bert,
    text: 'For the text side of two-tower models with a fixed length.',
  },
  {
    id: 'box', tasks: ['document-layout'], points: 9, source: sources.layoutLm,
    text: 'Adds where on the page a word is: the corners of its box.',
  },
  {
    id: 'grid', tasks: ['document-layout'], when: (s) => s.parameters === 'none', points: 3,
    options: () => ({ axes: 4 }),
    text: 'Sines of the four coordinates of a box, side by side.',
  },
  {
    id: 'layoutBias', tasks: ['document-layout'], points: 8, source: sources.layoutLm2,
    text: 'Biases by distance along and down the page; goes well with boxes.',
  },
  {
    id: 'learned', tasks: ['document-layout'], points: 4, source: sources.layoutLm,
    text: 'For the order of the words, beside the boxes.',
  },
  {
    id: 'coordinates', tasks: ['points'], points: 8,
    text: 'Takes the coordinates themselves, scaled to a stated range.',
  },
  {
    id: 'fourier', tasks: ['points'], points: 8, source: sources.fourier,
    text: 'Sines of random projections let a network follow fine detail of the coordinates.',
  },
  {
    id: 'fourier', tasks: ['dense-vision', 'time-series'], points: 3, source: sources.fourier,
    text: 'Continuous coordinates of any dimension.',
  },
  {
    id: 'nope', tasks: ['points'], points: 3,
    text: 'Where tokens carry their coordinates already, the order of the list means nothing.',
  },
  {
    id: 'coordinates', tasks: ['time-series'], points: 4,
    text: 'Times go in as they are, scaled to a stated range.',
  },
];
